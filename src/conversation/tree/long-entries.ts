import type { EntryTexts, SearchText } from "../../catalog/query/match.ts";

/** An entry with more text than this, in characters, is compared in another thread: a frame could not wait for it. */
const MAX_CHARACTERS = 100_000;
/** The same for the number of its texts. */
const MAX_TEXTS = 1000;

/** Whether an entry with these texts is compared in another thread. */
export function isLong(texts: readonly SearchText[]): boolean {
	if (texts.length > MAX_TEXTS) return true;
	let length = 0;
	for (const { text } of texts) length += text.length;
	return length > MAX_CHARACTERS;
}

/** An entry, by its index, that is compared in another thread. */
export interface LongEntry {
	readonly index: number;
	readonly texts: EntryTexts;
}

/** A long entry in a form that can be sent to another thread. */
export function longEntry(index: number, texts: readonly SearchText[]): LongEntry {
	return { index, texts: texts.map(({ kind, text, tool }) => [kind, text, tool] as const) };
}
