import { spawn } from "node:child_process";
import type { SessionRow } from "../../../../catalog/model/row.ts";
import type { Message } from "../../../../changes/answer.ts";
import { imageEnding, imagePieces } from "../../../../conversation/entries/images.ts";
import {
	type Excerpt,
	excerptMarkdown,
	excerptName,
	type ImageExcerpt,
} from "../../../../conversation/markdown/excerpt.ts";
import { join } from "../../../../shared/paths.ts";
import { type Env, type System, thisSystem } from "../../../../shared/system.ts";
import { explain } from "../../../../store/files/store-error.ts";
import { writeNewText, writeUnderFreeName } from "../../../../store/write/text-file.ts";
import { formatSize, shortenHome } from "../../../../ui/text/format.ts";
import type { Capabilities, Disk } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { findProgram } from "../../../world/effects/find-program.ts";
import { modeFor } from "../../../world/effects/masked-share.ts";
import { openCopy } from "../../../world/effects/open-copy.ts";
import { expectErrors } from "../../../world/effects/runners.ts";
import { createPrivateDirectory } from "../../../world/effects/temporary-directory.ts";
import type { Action } from "../../../world/state/action.ts";
import type { EffectQuestion } from "../../../world/state/overlays.ts";
import { shareExcerpt, shareSessions } from "./share.ts";

export const EXCERPTS_EFFECTS = expectErrors<
	ExcerptsEffect["type"] | "copy",
	Pick<Capabilities, "disk" | "terminal" | "store">
>({
	copy: async ({ text, what }, tools) => done(await copyText([text], what, tools)),
	async "copy-excerpt"({ excerpt }, tools) {
		const markdown = excerptMarkdown(excerpt, tools.disk.home);
		return done(await copyText(markdown, `the ${excerpt.of} as Markdown`, tools));
	},
	async "open-excerpt"(effect, tools) {
		const { excerpt } = effect;
		const message = await trying(
			`open the ${excerpt.of}`,
			openCopy(
				{ name: `${excerptName(excerpt)}.md`, pieces: () => excerptMarkdown(excerpt, tools.disk.home) },
				effect.in,
				tools,
			),
		);
		return message && done(message);
	},
	"share-excerpt": async (effect, tools) => done(await shareExcerpt(effect, tools)),
	"share-sessions": async (effect, tools) => done(await shareSessions(effect, tools)),
	async "open-image"({ image }, { disk }) {
		const answer = await trying("open the image", openImage(image, disk));
		return "choices" in answer ? { type: "ask", question: answer } : done(answer);
	},
	"save-image": async ({ image }, { disk }) => done(await trying("save the image", saveImage(image, disk))),
});

function done(message: Message): Action {
	return { type: "done", message };
}

async function trying<Result>(what: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw new Error(`Cannot ${what}: ${explain(error)}`, { cause: error });
	}
}

/** Where something shared goes: a web page, a Markdown file, or, as Markdown, the clipboard. */
type ShareTo = "html" | "markdown" | "clipboard";

type ExcerptsEffect =
	/** Save the conversations of sessions, masked; one may be copied as Markdown instead. */
	| { readonly type: "share-sessions"; readonly rows: readonly SessionRow[]; readonly to: ShareTo }
	/** Save a part of a session, masked, or copy it as Markdown. Only a branch is saved as a page. */
	| { readonly type: "share-excerpt"; readonly excerpt: Excerpt; readonly to: ShareTo }
	/** Copy a part of a session as Markdown as it is, or show it in the person's editor or pager. */
	| { readonly type: "copy-excerpt"; readonly excerpt: Excerpt }
	| { readonly type: "open-excerpt"; readonly excerpt: Excerpt; readonly in: "editor" | "pager" }
	/** Open an image in the person's image viewer, or save it as a file. */
	| { readonly type: "open-image"; readonly image: ImageExcerpt }
	| { readonly type: "save-image"; readonly image: ImageExcerpt };

declare module "../../../world/state/effect.ts" {
	interface Effects {
		readonly excerpts: ExcerptsEffect;
	}
}

type Where = Pick<Disk, "env" | "home" | "savesTo">;

/**
 * Opens an image in the person's image viewer, as a private file that is removed when this process ends. If that fails,
 * returns a question that offers to save it.
 */
export async function openImage(image: ImageExcerpt, disk: Where): Promise<Message | EffectQuestion> {
	const ending = imageEnding(image.base64);
	if (ending === undefined) return NO_IMAGE;
	const opener = openerFor(disk.env);
	if (typeof opener === "string") return askToSave(opener, image, disk);
	const command = await findProgram(opener.command, disk.env);
	if (command === undefined)
		return askToSave(`There is no program "${opener.command}" to open files with.`, image, disk);
	const directory = await createPrivateDirectory();
	const path = join(directory.path, `${excerptName(image)}.${ending}`);
	const content = { pieces: () => imagePieces(image), encoding: "base64", mode: 0o600 } as const;
	const size = await writeNewText(path, content);
	const failure = await startDetached({ command, args: [...opener.args, path], env: disk.env });
	if (failure === undefined)
		return { text: `Opened the image with ${opener.command} (${ending}, ${formatSize(size)})`, tone: "text" };
	await directory.remove();
	return askToSave(`"${opener.command}" could not open it: ${failure}.`, image, disk);
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

function askToSave(why: string, image: ImageExcerpt, { savesTo, home }: Where): EffectQuestion {
	return {
		title: "Cannot open the image",
		body: [why, `It can be saved in ${shortenHome(savesTo, home)}, under a free name.`],
		choices: [{ label: "Save the image", effect: { type: "save-image", image } }, { label: "Cancel" }],
		danger: false,
	};
}

/** A program that shows a file in a window; `args` come before the file's path. */
interface Opener {
	readonly command: string;
	readonly args: readonly string[];
}

/** What opens a file in the person's program for its type; a string says why that is impossible. */
export function openerFor(env: Env, { platform }: System = thisSystem): Opener | string {
	const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
	if (platform === "darwin" || platform === "win32") {
		// The window would open on the wrong machine.
		if (isRemote) return "An SSH session has no graphical display.";
		return platform === "darwin"
			? { command: "open", args: [] }
			: { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] };
	}
	if (env.TERMUX_VERSION) return { command: "termux-open", args: [] };
	if (env.DISPLAY || env.WAYLAND_DISPLAY) return { command: "xdg-open", args: [] };
	return "There is no graphical display: neither DISPLAY nor WAYLAND_DISPLAY is set.";
}

/** A program with its own window, or a launcher of one. */
interface DetachedProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Env;
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
			detached: thisSystem.isUnix,
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
		child.once("exit", (code, signal) => {
			const end = code === null ? (signal ?? "a signal") : `exit code ${code}`;
			finish(code === 0 ? undefined : `it ended with ${end}`);
		});
	});
}
