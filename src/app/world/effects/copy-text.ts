import { join } from "node:path";
import { defaultStateDir } from "../../../catalog/model/state-dir.ts";
import type { Message } from "../../../changes/engine/answer.ts";
import { sentence } from "../../../changes/reason.ts";
import { formatSize, shortenHome } from "../../../ui/text/format.ts";
import type { Capabilities } from "./capabilities.ts";
import { clipboardPrograms, clipboardSequence, inputFor } from "./clipboard.ts";
import { findProgram } from "./find-program.ts";
import { replaceFile } from "./replace-file.ts";
import { runBriefly } from "./run-briefly.ts";
import { textBatches } from "./text-batches.ts";

/**
 * Puts a text, given in pieces, where the person can paste it: on the clipboard by a program of the system, in tmux's
 * buffer, or on the terminal's clipboard by an escape sequence; a text too long for that goes into a file. The message says
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
	for (const program of clipboardPrograms(env, process.platform)) {
		const command = await findProgram(program.command, env);
		if (command === undefined) continue;
		const input = texts.map((text) => inputFor(program, text));
		if (await runBriefly({ command, args: program.args, env, input })) {
			return said(`Copied ${what} to ${program.where ?? "the clipboard"} (${size}, ${program.command})`);
		}
	}
	const sequence = clipboardSequence(texts, bytes);
	if (sequence !== undefined) {
		terminal.write(sequence);
		return said(`Sent ${what} to the terminal's clipboard (${size}, OSC 52)`);
	}
	// The next long text replaces it.
	const path = join(defaultStateDir(env, home), "copied.txt");
	try {
		await replaceFile(path, texts);
		const short = shortenHome(path, home);
		return { text: `Too long for the terminal's clipboard: wrote ${what} to ${short} (${size})`, tone: "warning" };
	} catch (error) {
		const why = `it is too long for the terminal's clipboard, and cannot be written to a file: ${sentence(error)}`;
		return { text: `Cannot copy ${what}: ${why}`, tone: "error" };
	}
}

function said(text: string): Message {
	return { text, tone: "text" };
}
