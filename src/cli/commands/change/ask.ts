import { createInterface } from "node:readline";
import { controllingTerminal } from "../../../terminal/terminal.ts";
import { columnsOf } from "../../../terminal/terminal-size.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, cutText } from "../../../ui/text/width.ts";
import type { Line } from "../../../ui/view.ts";
import { EXIT } from "../../print/exit-code.ts";
import { note, printQuestion, remark } from "../../print/output.ts";

/** Something that a person can choose; what has no `effect` does nothing. */
interface Item<Effect> {
	readonly label: string;
	readonly effect?: Effect | undefined;
}

/** A question as the browser asks it: a menu is one. */
export interface Asked<Effect> {
	readonly title: string;
	readonly body: readonly Line[];
	readonly items: readonly Item<Effect>[];
	/** The item that the browser highlights; -1: none. */
	readonly index: number;
	/** Whether something may be lost. */
	readonly danger: boolean;
}

/** What was chosen; or the exit code where nothing is to be done, which has been said. */
export type Answer<Effect> = { readonly effect: Effect } | { readonly code: number };

/**
 * Asks on stderr and reads the answer from the terminal. `yes` agrees to what is asked where the browser highlights that;
 * what it would not, because something speaks against it, is never agreed to unseen.
 */
export async function ask<Effect>(asked: Asked<Effect>, yes: boolean): Promise<Answer<Effect>> {
	const acting = asked.items.flatMap(({ label, effect }) => (effect === undefined ? [] : [{ label, effect }]));
	const [first, ...others] = acting;
	if (yes && others.length === 0) {
		const { effect } = asked.items[asked.index] ?? {};
		if (effect !== undefined) return { effect };
	}
	show(asked);
	if (first === undefined) return refused("nothing was done");
	if (yes) return refused("nothing was done: --yes does not agree to this; without it, at a terminal, you are asked");
	const chosen = others.length === 0 ? await agree(first, asked.danger) : await choose(acting);
	if (chosen === undefined)
		return refused("nothing was done: there is no terminal to ask at; with --yes it is done without asking");
	if (chosen !== "none") return chosen;
	remark("Nothing was done.");
	return { code: EXIT.nothing };
}

/** Columns where stderr is no terminal. */
const COLUMNS = 100;

function show({ title, body }: Asked<unknown>): void {
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

/** "Move to the trash? [y/N] "; undefined: there is nobody to ask. */
async function agree<Effect>({ label, effect }: { label: string; effect: Effect }, danger: boolean) {
	const answer = await readAnswer(`${label}? ${danger ? "[y/N]" : "[Y/n]"} `);
	if (answer === undefined) return undefined;
	const word = answer.trim().toLowerCase();
	const isYes = word === "" ? !danger : ["y", "yes"].includes(word);
	return isYes ? { effect } : "none";
}

/** By number, since there is more than one thing to do. */
async function choose<Effect>(items: readonly { label: string; effect: Effect }[]) {
	for (const [index, { label }] of items.entries()) remark(`  ${index + 1}  ${label}`);
	const answer = await readAnswer("Number, or nothing to leave it: ");
	if (answer === undefined) return undefined;
	const item = items[Number(answer.trim()) - 1];
	return item === undefined ? "none" : { effect: item.effect };
}

/**
 * One line that a person types at the terminal, also where stdin is something else, as in `… | xargs`. Undefined where
 * there is no terminal to ask at: none to type at, or none that shows the question, which is written to stderr. "no" at an
 * end of the input.
 */
async function readAnswer(question: string): Promise<string | undefined> {
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
