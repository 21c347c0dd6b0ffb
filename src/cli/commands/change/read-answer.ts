import { createInterface } from "node:readline";
import { controllingTerminal } from "../../../terminal/terminal.ts";
import { printQuestion } from "../../print/output.ts";

/**
 * One line that a person types at the terminal, also where stdin is something else, as in `… | xargs`. Undefined where
 * there is no terminal to ask at: none to type at, or none that shows the question, which is written to stderr. "no" at an
 * end of the input.
 */
export async function readAnswer(question: string): Promise<string | undefined> {
	const terminal = process.stderr.isTTY ? controllingTerminal(false) : undefined;
	if (terminal === undefined) return undefined;
	// The terminal itself echoes and edits what is typed, as for any program that reads a line.
	const lines = createInterface({ input: terminal.input, terminal: false });
	printQuestion(question);
	try {
		return await new Promise<string>((resolve) => {
			lines.once("line", resolve);
			lines.once("close", () => resolve("no"));
		});
	} finally {
		lines.close();
		// Nobody reads on: what is typed from now on is for whoever comes next.
		terminal.input.pause();
		terminal.close();
	}
}
