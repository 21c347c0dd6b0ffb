import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import type { Message } from "../model/state.ts";
import { shortenHome } from "../text/format.ts";
import { clipboardPrograms, clipboardSequence, inputFor } from "./clipboard.ts";
import { findProgram } from "./find-program.ts";
import { sentence } from "./reason.ts";
import { runBriefly } from "./run-briefly.ts";

/** What copying needs of the world outside. */
export interface CopyTools {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly writeTerminal: (text: string) => void;
}

/**
 * Puts a text where the person can paste it: on the clipboard by a program of the system, in tmux's buffer, or on the
 * clipboard of the terminal by an escape sequence; what is too long for that goes into a file. Returns what was done;
 * `what` is the text in words: "the path".
 */
export async function copyText(text: string, what: string, tools: CopyTools): Promise<Message> {
	const { env, home, writeTerminal } = tools;
	for (const program of clipboardPrograms(env, process.platform)) {
		const command = await findProgram(program.command, env);
		if (command === undefined) continue;
		if (await runBriefly({ command, args: program.args, env, input: inputFor(program, text) })) {
			return said(`Copied ${what}${program.where === undefined ? "" : ` (${program.where})`}`);
		}
	}
	const sequence = clipboardSequence(text);
	if (sequence !== undefined) {
		writeTerminal(sequence);
		return said(`Sent ${what} to the terminal's clipboard (OSC 52)`);
	}
	const path = join(defaultStateDir(env, home), "copied.txt");
	try {
		await writePrivately(path, text);
		const short = shortenHome(path, home);
		return { text: `Too long for the terminal's clipboard: wrote ${what} to ${short}`, tone: "warning" };
	} catch (error) {
		const why = `it is too long for the terminal's clipboard, and cannot be written to a file: ${sentence(error)}`;
		return { text: `Cannot copy ${what}: ${why}`, tone: "error" };
	}
}

function said(text: string): Message {
	return { text, tone: "text" };
}

/** One file, for its owner alone, that the next long text replaces. */
async function writePrivately(path: string, text: string): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const temporary = `${path}.${process.pid}`;
	await writeFile(temporary, text, { mode: 0o600 });
	await rename(temporary, path);
}
