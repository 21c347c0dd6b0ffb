import { createInterface } from "node:readline";
import { controllingTerminal } from "../../../terminal/terminal.ts";
import { columnsOf } from "../../../terminal/terminal-size.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText } from "../../../ui/text/width.ts";
import { EXIT } from "../../print/exit-code.ts";
import { note, printQuestion, remark } from "../../print/output.ts";

/** A choice; one without an `effect` does nothing. */
interface Item<Effect> {
	readonly label: string;
	readonly effect?: Effect | undefined;
}

/** A question as the browser asks it; its menus are questions. */
export interface Question<Effect> {
	readonly title: string;
	readonly body: readonly Line[];
	readonly items: readonly Item<Effect>[];
	/** The item that the browser highlights; -1: none. */
	readonly index: number;
	/** Whether data may be lost. */
	readonly danger: boolean;
}

/** The choice; or, if nothing is to be done (already reported), the exit code. */
export type Answer<Effect> = { readonly effect: Effect } | { readonly code: number };

/**
 * Asks on stderr and reads the answer from the terminal. `yes` answers with the item that the browser highlights; if the
 * browser highlights none, or "Cancel", because of a risk, `yes` does not agree.
 */
export async function ask<Effect>(question: Question<Effect>, yes: boolean): Promise<Answer<Effect>> {
	const acting = question.items.flatMap(({ label, effect }) => (effect === undefined ? [] : [{ label, effect }]));
	const [first, ...others] = acting;
	if (yes && others.length === 0) {
		const { effect } = question.items[question.index] ?? {};
		if (effect !== undefined) return { effect };
	}
	show(question);
	if (first === undefined) return refused("nothing was done");
	if (yes)
		return refused("nothing was done: --yes does not cover this; run it at a terminal without --yes to be asked");
	const chosen = others.length === 0 ? await agree(first, question.danger) : await choose(acting);
	if (chosen === undefined)
		return refused("nothing was done: there is no terminal to ask at; use --yes to do it without asking");
	if (chosen !== "none") return chosen;
	remark("Nothing was done.");
	return { code: EXIT.nothing };
}

/** Columns when stderr is not a terminal. */
const COLUMNS = 100;

function show({ title, body }: Question<unknown>): void {
	const columns = columnsOf(process.stderr) ?? COLUMNS;
	remark(cutText(cleanText(title), columns));
	for (const line of body) {
		const text = cutLine([span("  "), ...line], columns).map((part) => part.text);
		remark(text.join("").trimEnd());
	}
}

function refused(why: string): { readonly code: number } {
	note(why);
	return { code: EXIT.failed };
}

/** "Move to the trash? [y/N] "; undefined if there is no terminal to ask at. */
async function agree<Effect>({ label, effect }: { label: string; effect: Effect }, danger: boolean) {
	const answer = await readAnswer(`${label}? ${danger ? "[y/N]" : "[Y/n]"} `);
	if (answer === undefined) return undefined;
	const word = answer.trim().toLowerCase();
	const isYes = word === "" ? !danger : ["y", "yes"].includes(word);
	return isYes ? { effect } : "none";
}

/** Asks for the number of one of several choices. */
async function choose<Effect>(items: readonly { label: string; effect: Effect }[]) {
	for (const [index, { label }] of items.entries()) remark(`  ${index + 1}  ${label}`);
	const answer = await readAnswer("Number, or Enter to cancel: ");
	if (answer === undefined) return undefined;
	const item = items[Number(answer.trim()) - 1];
	return item === undefined ? "none" : { effect: item.effect };
}

/**
 * Reads a line from the terminal, even if stdin is something else, as in `… | xargs`. Undefined if there is no terminal to type
 * at, or if stderr, where the question is printed, is not one. "no" at the end of the input.
 */
async function readAnswer(question: string): Promise<string | undefined> {
	const terminal = process.stderr.isTTY ? controllingTerminal(false) : undefined;
	if (terminal === undefined) return undefined;
	// The terminal itself echoes and edits the line, as for any program that reads one.
	const lines = createInterface({ input: terminal.input, terminal: false });
	printQuestion(question);
	try {
		return await new Promise<string>((resolve) => {
			lines.once("line", resolve);
			lines.once("close", () => resolve("no"));
		});
	} finally {
		lines.close();
		// What is typed from now on is for the next program.
		terminal.input.pause();
		terminal.close();
	}
}
