import { type Bounds, graphemeAt } from "../../shared/graphemes.ts";

/** A one-line text as it was typed. `cursor`: offset in UTF-16 units, always between graphemes. */
export interface EditedText {
	readonly text: string;
	readonly cursor: number;
	/** Whether all of it is selected: what is typed next replaces it. */
	readonly isSelected?: true;
	/** The states before the last edits, for undo; the latest last. */
	readonly past?: readonly FieldState[] | undefined;
}

type FieldState = Pick<EditedText, "text" | "cursor">;

/** Edits that can be undone, and the UTF-16 units that their snapshots may take. */
const MAX_PAST = 200;
const MAX_PAST_UNITS = 1_000_000;

export function editedText(text: string): EditedText {
	return { text, cursor: text.length };
}

/** Replaces the text, which undo takes back; within a grapheme the cursor moves to its end. */
export function replaceTyped(field: EditedText, text: string, cursor: number): EditedText {
	return { text, cursor: graphemeEdge(text, cursor), past: withSnapshot(field) };
}

/** Replaces the text between two offsets, with the cursor behind the new text. */
export function replaceBetween(field: EditedText, from: number, to: number, text: string): EditedText {
	return replaceTyped(field, field.text.slice(0, from) + text + field.text.slice(to), from + text.length);
}

/** The field before the last edit; the same object if there is none. */
export function undoEdit(field: EditedText): EditedText {
	const snapshot = field.past?.at(-1);
	return snapshot === undefined ? field : { ...snapshot, past: field.past?.slice(0, -1) };
}

/** Start of the grapheme before the cursor. */
export function previousGrapheme({ text, cursor }: EditedText): number {
	return cursor === 0 ? 0 : graphemeAround(text, cursor - 1).from;
}

/** End of the grapheme behind the cursor. */
export function nextGrapheme({ text, cursor }: EditedText): number {
	return graphemeAround(text, cursor).to;
}

/** Bounds of the grapheme that contains an offset or begins there; empty at the end of the text. */
function graphemeAround(text: string, at: number): Bounds {
	return graphemeAt(text, at) ?? { from: text.length, to: text.length };
}

/** The offset, or if it is within a grapheme, the end of that. */
function graphemeEdge(text: string, at: number): number {
	const { from, to } = graphemeAround(text, at);
	return from === at ? at : to;
}

function withSnapshot({ text, cursor, past = [] }: EditedText): readonly FieldState[] {
	const all = [...past.slice(1 - MAX_PAST), { text, cursor }];
	let units = 0;
	const excessIndex = all.findLastIndex((snapshot) => {
		units += snapshot.text.length;
		return units > MAX_PAST_UNITS;
	});
	return excessIndex === -1 ? all : all.slice(Math.min(excessIndex + 1, all.length - 1));
}

/** A run of letters, digits and their marks, or of other characters but spaces. */
const WORD_BEFORE = /(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)$/u;
const WORD_BEHIND = /^(?:[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]+)/u;
/** UTF-16 units; a longer word takes several moves. */
const MAX_WORD = 500;

/** The word around an offset in a run of letters, which in a script without spaces has several. */
function wordAt(run: string, at: number): string {
	words ??= new Intl.Segmenter(undefined, { granularity: "word" });
	return words.segment(run).containing(at)?.segment ?? "";
}

/** Created when a key moves by words: no start pays for it. */
let words: Intl.Segmenter | undefined;

/** Start of the word before the cursor, skipping spaces, as in pi's editor; a run of signs is a word too. */
export function wordBefore({ text, cursor }: EditedText): number {
	const end = text.slice(0, cursor).trimEnd().length;
	const run = WORD_BEFORE.exec(text.slice(Math.max(0, end - MAX_WORD), end))?.[0] ?? "";
	const word = wordAt(run, run.length - 1);
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
	const word = wordAt(run, 0);
	const end = start + wordLength(run, word);
	const { from, to } = graphemeAround(text, end);
	return end === from ? end : to;
}

/** A run of signs is one word. */
function wordLength(run: string, word: string): number {
	return /^[\p{L}\p{N}\p{M}_]/u.test(run) ? word.length : run.length;
}
