import { stat } from "node:fs/promises";
import type { Message } from "../../../changes/answer.ts";
import { join } from "../../../shared/paths.ts";
import { writeNewText } from "../../../store/write/text-file.ts";
import type { Capabilities, TerminalProgram } from "./capabilities.ts";
import { findOutsideProgram, type OutsideProgram } from "./find-program.ts";
import { createPrivateDirectory } from "./temporary-directory.ts";

type Tools = Pick<Capabilities, "disk" | "terminal">;

/** A text that another program shows. */
interface TextCopy {
	/** Name of its file. */
	readonly name: string;
	/** The text; each call starts from the beginning. */
	readonly pieces: () => Iterable<string>;
}

/** A program that returns sooner may have only opened a window, and not read the file yet. */
const AT_ONCE_MS = 2000;

/**
 * Opens a text in the person's editor or pager, as a file in a private directory that is removed afterwards. Resolves to a message, or
 * undefined if all went well.
 */
export async function openCopy(
	{ name, pieces }: TextCopy,
	kind: "editor" | "pager",
	{ disk, terminal }: Tools,
): Promise<Message | undefined> {
	const program = await findOutsideProgram(kind, disk.env);
	if (typeof program === "string") return { text: program, tone: "error" };
	const directory = await createPrivateDirectory();
	let isRead = true;
	try {
		const path = join(directory.path, name);
		await writeNewText(path, { pieces, mode: 0o600 });
		const written = await stat(path);
		const began = Date.now();
		const message = await lendTo(program, [path], disk.cwd, terminal);
		isRead = kind === "pager" || Date.now() - began > AT_ONCE_MS;
		if (message !== undefined) return message;
		return kind === "editor" && (await wasChanged(path, written.mtimeMs))
			? { text: "You edited a copy, which was discarded: the session is unchanged", tone: "warning" }
			: undefined;
	} finally {
		// Otherwise it is removed when this process ends.
		if (isRead) await directory.remove();
	}
}

/** Lends the terminal to a program with these arguments; resolves to a message if that fails. */
export async function lendTo(
	program: OutsideProgram,
	args: TerminalProgram["args"],
	cwd: string,
	terminal: Tools["terminal"],
): Promise<Message | undefined> {
	const end = await terminal.lend({ command: program.command, args: [...program.args, ...args], cwd });
	if (end === undefined) return undefined;
	if ("failure" in end) return { text: `Cannot start "${program.name}": ${end.failure}`, tone: "error" };
	return end.code === 0 ? undefined : { text: `"${program.name}" ended with exit code ${end.code}`, tone: "warning" };
}

async function wasChanged(path: string, mtimeMs: number): Promise<boolean> {
	try {
		return (await stat(path)).mtimeMs !== mtimeMs;
	} catch {
		// The editor has moved it away.
		return false;
	}
}
