/** A one-line text as it was typed, with a cursor, in UTF-16 units; the cursor is always between graphemes. */
export interface EditedText {
	readonly text: string;
	readonly cursor: number;
}

/** UTF-16 units beside the cursor in which a grapheme is looked for; a longer one is taken in pieces. */
const NEAR = 64;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function editedText(text: string): EditedText {
	return { text, cursor: text.length };
}

export function insertText({ text, cursor }: EditedText, inserted: string): EditedText {
	return { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length };
}

export function deleteBefore(edited: EditedText): EditedText {
	return deleteBetween(edited, previousGrapheme(edited), edited.cursor);
}

export function deleteAfter(edited: EditedText): EditedText {
	return deleteBetween(edited, edited.cursor, nextGrapheme(edited));
}

/** Deletes the word before the cursor with the white space after it, as a shell does. */
export function deleteWordBefore(edited: EditedText): EditedText {
	return deleteBetween(edited, previousWord(edited), edited.cursor);
}

export function deleteToStart(edited: EditedText): EditedText {
	return deleteBetween(edited, 0, edited.cursor);
}

export function deleteToEnd(edited: EditedText): EditedText {
	return deleteBetween(edited, edited.cursor, edited.text.length);
}

export function moveBack(edited: EditedText): EditedText {
	return { ...edited, cursor: previousGrapheme(edited) };
}

export function moveForward(edited: EditedText): EditedText {
	return { ...edited, cursor: nextGrapheme(edited) };
}

export function moveToStart(edited: EditedText): EditedText {
	return { ...edited, cursor: 0 };
}

export function moveToEnd(edited: EditedText): EditedText {
	return { ...edited, cursor: edited.text.length };
}

function deleteBetween({ text }: EditedText, from: number, to: number): EditedText {
	return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function previousGrapheme({ text, cursor }: EditedText): number {
	const near = text.slice(Math.max(0, cursor - NEAR), cursor);
	return cursor - (graphemes.segment(near).containing(near.length - 1)?.segment.length ?? 0);
}

function nextGrapheme({ text, cursor }: EditedText): number {
	return cursor + (graphemes.segment(text.slice(cursor, cursor + NEAR)).containing(0)?.segment.length ?? 0);
}

function previousWord({ text, cursor }: EditedText): number {
	let from = text.slice(0, cursor).trimEnd().length;
	while (from > 0 && !/\s/.test(text[from - 1] ?? "")) from--;
	return from;
}
