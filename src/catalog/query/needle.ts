import { bare, fold } from "./fold.ts";

/** A word or phrase to find, as plain data. */
export interface Needle {
	/** Folded. */
	readonly text: string;
	/** It was typed with accents, so that it is found only with these; without any it is found with all. */
	readonly accents?: true;
}

export function needleOf(typed: string): Needle {
	const text = fold(typed);
	return bare(text) === text && !/[\u0300-\u036f]/.test(text) ? { text } : { text, accents: true };
}

/** Whether a text holds a word, in upper or lower case, and with accents where it was typed without. */
export function hasNeedle(text: string, { text: needle, accents }: Needle): boolean {
	const folded = fold(text);
	return (accents ? folded : bare(folded)).includes(needle);
}
