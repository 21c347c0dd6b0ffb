import type { Given } from "../arguments/given.ts";
import { EXIT } from "../print/exit-code.ts";
import { printText } from "../print/output.ts";
import { bashCompletions } from "./completions-bash.ts";
import { fishCompletions } from "./completions-fish.ts";
import { zshCompletions } from "./completions-zsh.ts";

/** Prints the completions for a shell, which has been checked (`arguments.ts`); returns the exit code. */
export async function completions({ words: [shell] }: Given): Promise<number> {
	const script = shell === "zsh" ? zshCompletions() : shell === "fish" ? fishCompletions() : bashCompletions();
	await printText(script);
	return EXIT.ok;
}
