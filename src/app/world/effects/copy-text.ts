import { spawn } from "node:child_process";
import { defaultStateDir } from "../../../catalog/model/session-roots.ts";
import type { Message } from "../../../changes/answer.ts";
import { reasonSentence } from "../../../changes/reason.ts";
import { join } from "../../../shared/paths.ts";
import { textBatches } from "../../../shared/steps.ts";
import { type Env, type System, thisSystem } from "../../../shared/system.ts";
import { replaceText } from "../../../store/write/text-file.ts";
import { formatSize, shortenHome } from "../../../ui/text/format.ts";
import type { Capabilities } from "./capabilities.ts";
import { findProgram } from "./find-program.ts";

/**
 * Puts a text, given in pieces, where the person can paste it: on the clipboard with a system program, in tmux's buffer,
 * or on the terminal's clipboard with an escape sequence; a text too long for that goes into a file. The message says
 * where it is and how long. `what` names the text: "the path".
 */
export async function copyText(
	pieces: Iterable<string>,
	what: string,
	{ disk, terminal }: Pick<Capabilities, "disk" | "terminal">,
): Promise<Message> {
	const { env, home } = disk;
	const texts: string[] = [];
	let bytes = 0;
	for await (const text of textBatches(pieces)) {
		texts.push(text);
		bytes += Buffer.byteLength(text, "utf8");
	}
	const size = formatSize(bytes);
	for (const program of clipboardPrograms(env)) {
		const command = await findProgram(program.command, env);
		if (command === undefined) continue;
		const input = texts.map((text) => inputFor(program, text));
		if (await runBriefly({ command, args: program.args, env, input })) {
			const { where, command: name } = program;
			return said(
				`Copied ${what} to ${where === undefined ? `the clipboard (${size}, ${name})` : `${where} (${size})`}`,
			);
		}
	}
	const sequence = clipboardSequence(texts, bytes);
	if (sequence !== undefined) {
		terminal.write(sequence);
		return said(`Sent ${what} to the terminal's clipboard (${size}, OSC 52)`);
	}
	// The next long text overwrites it.
	const path = join(defaultStateDir(env, home), "copied.txt");
	try {
		await replaceText(path, texts);
		const short = shortenHome(path, home);
		return { text: `Too long for the terminal's clipboard: wrote ${what} to ${short} (${size})`, tone: "warning" };
	} catch (error) {
		const why = `it is too long for the terminal's clipboard, and cannot be written to a file: ${reasonSentence(error)}`;
		return { text: `Cannot copy ${what}: ${why}`, tone: "error" };
	}
}

function said(text: string): Message {
	return { text, tone: "text" };
}

interface ClipboardProgram {
	readonly command: string;
	readonly args: readonly string[];
	/** Where the text ends up, for the message. @default the system's clipboard */
	readonly where?: string;
}

/**
 * The programs that may copy a text, best first: the system's (but not over SSH, where they belong to the wrong machine),
 * then tmux, which also passes it on to its terminal.
 */
export function clipboardPrograms(env: Env, system = thisSystem): readonly ClipboardProgram[] {
	const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
	return [...(isRemote ? [] : systemPrograms(env, system)), ...(env.TMUX ? TMUX : [])];
}

const CLIP: readonly ClipboardProgram[] = [{ command: "clip.exe", args: [] }];
const WAYLAND: readonly ClipboardProgram[] = [{ command: "wl-copy", args: ["--type", "text/plain;charset=utf-8"] }];
const X11: readonly ClipboardProgram[] = [
	{ command: "xclip", args: ["-selection", "clipboard", "-in"] },
	{ command: "xsel", args: ["--clipboard", "--input"] },
];
/** `-w`, since tmux 3.2, passes it on to the terminal. */
const TMUX: readonly ClipboardProgram[] = [
	{ command: "tmux", args: ["load-buffer", "-w", "-"], where: "tmux's buffer" },
	{ command: "tmux", args: ["load-buffer", "-"], where: "tmux's buffer" },
];

function systemPrograms(env: Env, { platform }: System): readonly ClipboardProgram[] {
	if (platform === "darwin") return [{ command: "pbcopy", args: [] }];
	if (platform === "win32") return CLIP;
	return [
		...(env.WSL_DISTRO_NAME || env.WSL_INTEROP ? CLIP : []),
		...(env.TERMUX_VERSION ? [{ command: "termux-clipboard-set", args: [] }] : []),
		...(env.WAYLAND_DISPLAY ? WAYLAND : []),
		...(env.DISPLAY ? X11 : []),
	];
}

/** The input of a program: clip.exe reads UTF-16, and mistakes UTF-8 for the system's code page. */
function inputFor({ command }: ClipboardProgram, text: string): Buffer {
	return command === "clip.exe" ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf8");
}

/** Terminals drop longer sequences; xterm accepts 74,994 bytes of text. */
const MAX_SEQUENCE_BYTES = 74_994;

/** The escape sequence (OSC 52) that makes the terminal, local or over SSH, copy a text; undefined if it is too long. */
function clipboardSequence(texts: readonly string[], bytes: number): string | undefined {
	return bytes > MAX_SEQUENCE_BYTES
		? undefined
		: `\u001b]52;c;${Buffer.from(texts.join(""), "utf8").toString("base64")}\u0007`;
}

/** More than a program needs that only passes on a text. */
const LIMIT_MS = 2000;
/** Slowest rate at which it reads. */
const BYTES_PER_MS = 20_000;

interface BriefProgram {
	/** Absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** Its standard input, in pieces. */
	readonly input: readonly Buffer[];
}

/**
 * Runs a program that only reads a text, detached from our terminal and its signals, so that a child that stays (xclip
 * keeps the clipboard until another program takes it) outlives us. Resolves to whether it succeeded; one that takes too
 * long is killed.
 */
export function runBriefly({ command, args, env, input }: BriefProgram, limitMs = limitFor(input)): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], {
			env: { ...env },
			stdio: ["pipe", "ignore", "ignore"],
			detached: thisSystem.isUnix,
			windowsHide: true,
		});
		const timer = setTimeout(() => {
			end(child.pid);
			resolve(false);
		}, limitMs);
		const finish = (ok: boolean): void => {
			clearTimeout(timer);
			resolve(ok);
		};
		child.once("error", () => finish(false));
		child.once("exit", (code) => finish(code === 0));
		// A program that does not read all of its input reports that with its exit code.
		child.stdin?.on("error", () => undefined);
		for (const piece of input) child.stdin?.write(piece);
		child.stdin?.end();
	});
}

function limitFor(input: readonly Buffer[]): number {
	return LIMIT_MS + input.reduce((sum, { length }) => sum + length, 0) / BYTES_PER_MS;
}

/** Kills a program and its children; it leads their process group. */
function end(pid: number | undefined): void {
	if (pid === undefined) return;
	try {
		process.kill(thisSystem.isUnix ? -pid : pid, "SIGKILL");
	} catch {
		// The process has already ended.
		return;
	}
}
