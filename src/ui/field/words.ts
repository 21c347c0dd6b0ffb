import { type EditedText, graphemeAround } from "./edit.ts";

/** A run of letters, digits and their marks, or of other characters but spaces. */
const WORD_BEFORE = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)$/u;
const WORD_BEHIND = /^(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)/u;
/** UTF-16 units; a longer word takes several moves. */
const MAX_WORD = 500;

/** Finds the words in a run of letters of a script without spaces. */
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Start of the word before the cursor, skipping spaces, as in pi's editor; a run of signs is a word too. */
export function wordStart({ text, cursor }: EditedText): number {
	const end = text.slice(0, cursor).trimEnd().length;
	const run = WORD_BEFORE.exec(text.slice(Math.max(0, end - MAX_WORD), end))?.[0] ?? "";
	const word = words.segment(run).containing(run.length - 1)?.segment ?? "";
	return graphemeAround(text, end - wordLength(run, word)).from;
}

/** Start of the text between spaces before the cursor, skipping spaces, as in a shell: a part of a query. */
export function partStart({ text, cursor }: EditedText): number {
	let from = text.slice(0, cursor).trimEnd().length;
	while (from > 0 && !/\s/.test(text[from - 1] ?? "")) from--;
	return graphemeAround(text, from).from;
}

/** End of the word behind the cursor, skipping spaces. */
export function wordEnd({ text, cursor }: EditedText): number {
	const rest = text.slice(cursor);
	const start = cursor + rest.length - rest.trimStart().length;
	const run = WORD_BEHIND.exec(text.slice(start, start + MAX_WORD))?.[0] ?? "";
	const word = words.segment(run).containing(0)?.segment ?? "";
	const end = start + wordLength(run, word);
	const { from, to } = graphemeAround(text, end);
	return end === from ? end : to;
}

/** A run of signs is one word. */
function wordLength(run: string, word: string): number {
	return /^[\p{L}\p{N}\p{M}_]/u.test(run) ? word.length : run.length;
}
