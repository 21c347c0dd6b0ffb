import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";
import { printQuestion } from "./output.ts";

/**
 * One line that a person types at the terminal, also where stdin is something else, as in `… | xargs`. Undefined where
 * there is no terminal to ask at: none to type at, or none that shows the question, which is written to stderr. "no" at an
 * end of the input.
 */
export async function readAnswer(question: string): Promise<string | undefined> {
	if (!process.stderr.isTTY) return undefined;
	const own = process.stdin.isTTY ? undefined : openTerminal();
	if (own === undefined && !process.stdin.isTTY) return undefined;
	const input = own ?? process.stdin;
	// The terminal itself echoes and edits what is typed, as for any program that reads a line.
	const lines = createInterface({ input, terminal: false });
	printQuestion(question);
	try {
		return await new Promise<string>((resolve) => {
			lines.once("line", resolve);
			lines.once("close", () => resolve("no"));
		});
	} finally {
		lines.close();
		own?.destroy();
		// Nobody reads on: what is typed from now on is for whoever comes next.
		process.stdin.pause();
	}
}

function openTerminal(): ReadStream | undefined {
	try {
		return new ReadStream(openSync("/dev/tty", "r"));
	} catch {
		// No terminal, or a system without that name for it.
		return undefined;
	}
}
