import { isWordByte, type Match } from "./match-block.ts";

/** So many places of a needle in a block are kept, … */
const MAX_PLACES = 8;
/** … each with so many bytes from its first one on: more than a word. */
const AFTER = 32;

/** A place of a needle, and enough of the text around it to tell whether a longer one is there too. */
export interface FoundPlace {
	readonly match: Match;
	/** The byte before the place, the place, and what follows, one character for each byte. */
	readonly around: string;
}

/** The first places of a needle in a block, in order and with none left out between them. */
export type FoundPlaces = readonly FoundPlace[];

/** Adds a place to the first ones, if there is room. */
export function addPlace(places: FoundPlace[], text: Buffer, match: Match): void {
	if (places.length >= MAX_PLACES) return;
	const before = match.start === 0 ? "\0" : text.toString("latin1", match.start - 1, match.start);
	places.push({ match, around: before + text.toString("latin1", match.start, match.start + AFTER) });
}

/**
 * Those of the places at which a longer needle is (`bytes`: one character for each byte), the first of them and the first
 * that is a whole word as matches; undefined when there are none, or the needle is too long to tell.
 */
export function longerMatches(
	places: FoundPlaces,
	bytes: string,
): { readonly matches: readonly Match[]; readonly places: FoundPlaces } | undefined {
	const longer: FoundPlace[] = [];
	for (const { match, around } of places) {
		// Without a byte behind it, nobody knows whether it is a whole word.
		if (!around.startsWith(bytes, 1) || around.length <= bytes.length + 1) continue;
		const word = !isWordByte(around.charCodeAt(0)) && !isWordByte(around.charCodeAt(bytes.length + 1));
		longer.push({ match: { ...match, end: match.start + bytes.length, word }, around });
	}
	const matches = longer.map(({ match }) => match);
	const [first] = matches;
	if (!first) return undefined;
	const word = matches.find((match) => match.word);
	return { matches: word && word !== first ? [first, word] : [first], places: longer };
}
