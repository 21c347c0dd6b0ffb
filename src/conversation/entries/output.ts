import { fieldsOf, listOf, textOf } from "../../store/format/fields.ts";

/** The output of a tool, which is not read as a whole. */
export interface ToolOutput {
	/** The whole text if it is short, else its beginning and its end, each cut at a line. */
	readonly ends: string;
	/** Number of lines, without empty ones at the end. */
	readonly lines: number;
	/** Whether there are more lines: the text is too long to count them all. */
	readonly more: boolean;
}

/** Characters of the beginning and of the end that are read. */
const HEAD = 2000;
const TAIL = 4000;
/** Characters in which lines are counted; pi cuts the output of its tools at a twentieth of that. */
const COUNTED = 1_000_000;
/** Texts of one message that are read. */
const MAX_TEXTS = 1000;
/** pi's notice below an output that it cut: "[3 more lines in file. Use offset=41 to continue.]", formerly "... (3 more lines …)". */
export const NOTICE = /\n\n(?:\[[^\n]{1,500}\]|\.\.\. \([^\n]{1,500}\))\s*$/;

export function outputTexts(content: unknown): readonly string[] {
	if (typeof content === "string") return [content];
	const texts: string[] = [];
	for (const block of listOf(content).slice(0, MAX_TEXTS)) {
		const { type, text } = fieldsOf(block);
		if (type === "text" && textOf(text) !== "") texts.push(textOf(text));
	}
	return texts;
}

export function outputOf(texts: readonly string[]): ToolOutput {
	const ends = bothEnds(texts).replace(NOTICE, "");
	const short = texts.reduce((sum, text) => sum + text.length, 0) <= HEAD + TAIL;
	if (short) return { ends, lines: linesIn(ends), more: false };
	let lines = 0;
	let budget = COUNTED;
	for (const text of texts) {
		const counted = countLines(text, budget);
		lines += counted.lines;
		budget -= text.length;
		if (counted.more || budget <= 0) return { ends, lines, more: true };
	}
	return { ends, lines, more: false };
}

/** Counts the lines of a text without empty ones at its end; reads at most `limit` characters. */
function countLines(text: string, limit: number): { readonly lines: number; readonly more: boolean } {
	if (text.length > limit) return { lines: newlines(text.slice(0, limit)), more: true };
	return { lines: linesIn(text.slice(-TAIL).replace(NOTICE, "")) + newlines(text.slice(0, -TAIL)), more: false };
}

/** The lines of a text without empty ones at its end. */
export function linesIn(text: string): number {
	const trimmed = text.trimEnd();
	return trimmed === "" ? 0 : newlines(trimmed) + 1;
}

export function newlines(text: string): number {
	let count = 0;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
	return count;
}

function bothEnds(texts: readonly string[]): string {
	const [only = ""] = texts;
	if (texts.length <= 1) return endsOf(only);
	return endsOf(`${texts.slice(0, 10).map(endsOf).join("\n")}\n${texts.slice(10).slice(-10).map(endsOf).join("\n")}`);
}

function endsOf(text: string): string {
	if (text.length <= HEAD + TAIL) return text;
	const head = text.slice(0, HEAD);
	const tail = text.slice(-TAIL);
	const headEnd = head.lastIndexOf("\n");
	const tailStart = tail.indexOf("\n");
	return `${headEnd === -1 ? head : head.slice(0, headEnd)}\n${tailStart === -1 ? tail : tail.slice(tailStart + 1)}`;
}
