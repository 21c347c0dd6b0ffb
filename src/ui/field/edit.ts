/** A one-line text as it was typed, with a cursor, in UTF-16 units; the cursor is always between graphemes. */
export interface EditedText {
	readonly text: string;
	readonly cursor: number;
	/** What it was before the last edits, the latest last. */
	readonly past?: readonly Snapshot[] | undefined;
}

/** A text with its cursor. */
type Snapshot = Pick<EditedText, "text" | "cursor">;

/** Edits of a text that can be taken back, and the units of all that is remembered for it. */
const MOST_PAST = 200;
const MOST_PAST_UNITS = 1_000_000;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function editedText(text: string): EditedText {
	return { text, cursor: text.length };
}

/** The same field with another text, from which undo leads back; the cursor is at the next place between graphemes. */
export function replaceText(field: EditedText, text: string, cursor: number): EditedText {
	return { text, cursor: graphemeEdge(text, cursor), past: withSnapshot(field) };
}

/** The text with another between two places, and the cursor behind that. */
export function replaceBetween(field: EditedText, from: number, to: number, text: string): EditedText {
	return replaceText(field, field.text.slice(0, from) + text + field.text.slice(to), from + text.length);
}

/** The field as it was before the last edit; the same when there is none. */
export function undoEdit(field: EditedText): EditedText {
	const before = field.past?.at(-1);
	return before === undefined ? field : { ...before, past: field.past?.slice(0, -1) };
}

/** Where the grapheme before the cursor begins. */
export function previousGrapheme({ text, cursor }: EditedText): number {
	return cursor === 0 ? 0 : graphemeAround(text, cursor - 1).from;
}

/** Where the grapheme behind the cursor ends. */
export function nextGrapheme({ text, cursor }: EditedText): number {
	return graphemeAround(text, cursor).to;
}

/** The grapheme that a place is in, or that begins there; at the end of the text, nothing. */
export function graphemeAround(text: string, at: number): { readonly from: number; readonly to: number } {
	const part = at >= text.length ? undefined : graphemes.segment(text).containing(at);
	return part === undefined
		? { from: text.length, to: text.length }
		: { from: part.index, to: part.index + part.segment.length };
}

/** The place, or if that is within a grapheme, its end. */
function graphemeEdge(text: string, at: number): number {
	const { from, to } = graphemeAround(text, at);
	return from === at ? at : to;
}

function withSnapshot({ text, cursor, past = [] }: EditedText): readonly Snapshot[] {
	const all = [...past.slice(1 - MOST_PAST), { text, cursor }];
	let units = 0;
	const kept = all.findLastIndex((snapshot) => {
		units += snapshot.text.length;
		return units > MOST_PAST_UNITS;
	});
	return kept === -1 ? all : all.slice(Math.min(kept + 1, all.length - 1));
}
