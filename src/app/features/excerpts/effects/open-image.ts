import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Message } from "../../../../changes/engine/answer.ts";
import { imageEnding, imagePieces } from "../../../../conversation/entries/images.ts";
import { excerptName, type ImageExcerpt } from "../../../../conversation/markdown/excerpt.ts";
import { formatSize, shortenHome } from "../../../../ui/text/format.ts";
import type { Disk } from "../../../world/effects/capabilities.ts";
import { findProgram } from "../../../world/effects/find-program.ts";
import { createPrivateDirectory } from "../../../world/effects/temporary-directory.ts";
import { writeNewFile, writeUnderFreeName } from "../../../world/effects/write-file.ts";
import type { Question } from "../../../world/state/overlays.ts";
import { modeFor } from "./masked-share.ts";

type Where = Pick<Disk, "env" | "home" | "savesTo">;

/**
 * Opens an image in the person's image viewer, as a private file that is removed when this process ends. If that fails,
 * returns a question that offers to save it.
 */
export async function openImage(image: ImageExcerpt, disk: Where): Promise<Message | Question> {
	const ending = imageEnding(image.base64);
	if (ending === undefined) return NO_IMAGE;
	const opener = openerFor(disk.env, process.platform);
	if (typeof opener === "string") return askToSave(opener, image, disk);
	const command = await findProgram(opener.command, disk.env);
	if (command === undefined)
		return askToSave(`There is no program "${opener.command}", which opens files.`, image, disk);
	const directory = await createPrivateDirectory();
	const path = join(directory.path, `${excerptName(image)}.${ending}`);
	const content = { pieces: () => imagePieces(image), encoding: "base64", mode: 0o600 } as const;
	const size = await writeNewFile(path, content);
	const failure = await startDetached({ command, args: [...opener.args, path], env: disk.env });
	if (failure === undefined)
		return { text: `Opened the image with ${opener.command} (${ending}, ${formatSize(size)})`, tone: "text" };
	await directory.remove();
	return askToSave(`"${opener.command}" was to open it, and ${failure}.`, image, disk);
}

/** Saves an image under a free name; the message says where. */
export async function saveImage(image: ImageExcerpt, { savesTo, home }: Where): Promise<Message> {
	const ending = imageEnding(image.base64);
	if (ending === undefined) return NO_IMAGE;
	const { path, size } = await writeUnderFreeName({
		directory: savesTo,
		name: excerptName(image),
		ending,
		pieces: () => imagePieces(image),
		encoding: "base64",
		mode: await modeFor(image.session.path),
	});
	return { text: `Saved the image as ${shortenHome(path, home)} (${formatSize(size)})`, tone: "text" };
}

const NO_IMAGE: Message = { text: "This is not an image of a known format", tone: "warning" };

function askToSave(why: string, image: ImageExcerpt, { savesTo, home }: Where): Question {
	return {
		title: "Cannot open the image",
		body: [why, `It can be saved in ${shortenHome(savesTo, home)}, under a free name.`],
		choices: [{ label: "Save the image", effect: { type: "save-image", image } }, { label: "Cancel" }],
		danger: false,
	};
}

type Env = Readonly<Record<string, string | undefined>>;

/** A program that shows a file in a window; `args` come before the file's path. */
interface Opener {
	readonly command: string;
	readonly args: readonly string[];
}

/** What opens a file in the person's program for its type; a string says why that is impossible. */
export function openerFor(env: Env, platform: NodeJS.Platform): Opener | string {
	const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
	if (platform === "darwin" || platform === "win32") {
		// The window would open on the wrong machine.
		if (isRemote) return "This is a session over SSH, and has no windows.";
		return platform === "darwin"
			? { command: "open", args: [] }
			: { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] };
	}
	if (env.TERMUX_VERSION) return { command: "termux-open", args: [] };
	if (env.DISPLAY || env.WAYLAND_DISPLAY) return { command: "xdg-open", args: [] };
	return "There are no windows here: neither DISPLAY nor WAYLAND_DISPLAY is set.";
}

/** A program with its own window, or a launcher of one. */
interface DetachedProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program that cannot open the file is expected to fail within this time. */
const FAILURE_LIMIT_MS = 1500;

/**
 * Starts a program detached from our terminal, so that it may outlive us. Resolves to the reason if it fails soon, and to
 * undefined once it has succeeded or runs on.
 */
function startDetached({ command, args, env }: DetachedProgram): Promise<string | undefined> {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], {
			env: { ...env },
			stdio: "ignore",
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		child.unref();
		const timer = setTimeout(() => resolve(undefined), FAILURE_LIMIT_MS);
		timer.unref();
		const finish = (failure: string | undefined): void => {
			clearTimeout(timer);
			resolve(failure);
		};
		child.once("error", ({ message }) => finish(`it cannot be started: ${message}`));
		child.once("exit", (code, signal) => finish(code === 0 ? undefined : `it ended with ${endOf(code, signal)}`));
	});
}

function endOf(code: number | null, signal: string | null): string {
	return code === null ? (signal ?? "a signal") : `exit code ${code}`;
}
