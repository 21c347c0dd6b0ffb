import { ACCENTED, bare, bareLetter, fold } from "./fold.ts";

/** A word or phrase to find, as plain data. */
export interface Needle {
	/** Folded. */
	readonly text: string;
	/** Whether it was typed with accents, so that it only matches with these; without accents it matches with any. */
	readonly accents?: true;
}

export function needleOf(typed: string): Needle {
	const text = fold(typed);
	return bare(text) === text && !/[\u0300-\u036f]/.test(text) ? { text } : { text, accents: true };
}

/** Whether a text contains a word, in any case, and with accents if it was typed without. */
export function hasNeedle(text: string, { text: needle, accents }: Needle): boolean {
	const folded = fold(text);
	return (accents ? folded : bare(folded)).includes(needle);
}

interface Span {
	readonly start: number;
	readonly end: number;
}

/**
 * The positions of a word in a folded text, in order and not overlapping; a word without accents also matches with accents. `text`: the
 * text to look in, if that is made already.
 */
export function* needleSpans(
	folded: string,
	{ needle, accents }: { readonly needle?: string | undefined; readonly accents?: true | undefined },
	text = accents ? folded : bare(folded),
): Generator<Span> {
	if (needle === undefined || needle === "") return;
	// The bare text lacks accents that are separate characters.
	const places = text.length === folded.length ? undefined : placesOf(folded);
	for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
		const end = at + needle.length;
		yield { start: places?.[at] ?? at, end: places?.[end] ?? end };
	}
}

/** For each unit of the bare text its position in the folded one; also for the end of both. */
function placesOf(folded: string): number[] {
	const places: number[] = [];
	let at = 0;
	const copy = (to: number) => {
		for (; at < to; at++) places.push(at);
	};
	for (const { 0: letter, index } of folded.matchAll(ACCENTED)) {
		copy(index);
		for (const _unit of bareLetter(letter)) places.push(index);
		at = index + letter.length;
	}
	copy(folded.length + 1);
	return places;
}
