import { nearest } from "../../shared/nearest.ts";
import { columnsOf } from "../../terminal/terminal-size.ts";
import type { Given } from "../arguments/given.ts";
import { EXIT } from "../print/exit-code.ts";
import { note, printText } from "../print/output.ts";
import { allHelp, HELP_NAMES, type HelpName, helpOf, helpText } from "./help-pages.ts";

/** Prints the first page of the help, with `all` that of all commands, or the page of a command or topic; returns the exit code. */
export async function help({ words: [word], all }: Given): Promise<number> {
	if (word !== undefined && !isHelpName(word)) {
		const name = nearest(word, HELP_NAMES);
		const hint = name === undefined ? "pi-grove help --all lists them" : `did you mean ${name}?`;
		note(`there is no command or topic ${word}; ${hint}`);
		return EXIT.failed;
	}
	const columns = columnsOf(process.stdout);
	await printText(word === undefined ? (all ? allHelp(columns) : helpText(columns)) : helpOf(word, columns));
	return EXIT.ok;
}

function isHelpName(word: string): word is HelpName {
	return HELP_NAMES.some((name) => name === word);
}
