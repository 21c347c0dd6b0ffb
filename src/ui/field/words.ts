import { type EditedText, graphemeAround } from "./edit.ts";

/** A run of letters, digits and what belongs to them; or of anything else but blanks. */
const WORD_BEFORE = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)$/u;
const WORD_BEHIND = /^(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)/u;
/** Units of a word that are looked at; a longer one takes several moves. */
const LONGEST_WORD = 500;

/** Finds the words in a run of letters of a script that has no blanks. */
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Where the word before the cursor begins: letters, or signs, with the blanks behind them, as in pi's editor. */
export function wordStart({ text, cursor }: EditedText): number {
	const end = text.slice(0, cursor).trimEnd().length;
	const run = WORD_BEFORE.exec(text.slice(Math.max(0, end - LONGEST_WORD), end))?.[0] ?? "";
	const word = words.segment(run).containing(run.length - 1)?.segment ?? "";
	return graphemeAround(text, end - wordLength(run, word)).from;
}

/** Where what stands between blanks before the cursor begins, with the blanks behind it, as in a shell: a part of a query. */
export function partStart({ text, cursor }: EditedText): number {
	let from = text.slice(0, cursor).trimEnd().length;
	while (from > 0 && !/\s/.test(text[from - 1] ?? "")) from--;
	return graphemeAround(text, from).from;
}

/** Where the word behind the cursor ends, with the blanks before it. */
export function wordEnd({ text, cursor }: EditedText): number {
	const rest = text.slice(cursor);
	const start = cursor + rest.length - rest.trimStart().length;
	const run = WORD_BEHIND.exec(text.slice(start, start + LONGEST_WORD))?.[0] ?? "";
	const word = words.segment(run).containing(0)?.segment ?? "";
	const end = start + wordLength(run, word);
	const { from, to } = graphemeAround(text, end);
	return end === from ? end : to;
}

/** Signs are one word, however many there are. */
function wordLength(run: string, word: string): number {
	return /^[\p{L}\p{N}\p{M}_]/u.test(run) ? word.length : run.length;
}
