import { ACCENTED, bare, bareLetter } from "./fold.ts";
import type { Term } from "./parse-query.ts";

interface Span {
	readonly start: number;
	readonly end: number;
}

/** Where a word is in a folded text, in order and not overlapping; a word without accents also where it has some. */
export function* needleSpans(folded: string, { needle, accents }: Pick<Term, "needle" | "accents">): Generator<Span> {
	if (needle === undefined || needle === "") return;
	const text = accents ? folded : bare(folded);
	// An accent that is a character of its own is not in the bare text.
	const places = text.length === folded.length ? undefined : placesOf(folded);
	for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
		const end = at + needle.length;
		yield { start: places?.[at] ?? at, end: places?.[end] ?? end };
	}
}

/** For each unit of the bare text where it is in the folded one, and the end of both. */
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
