/*
 * Characters that show nothing and take no room: soft hyphens, joiners, marks of direction, the byte order mark, variation selectors, tags.
 * They do not count in a search, whether they were typed or are stored: nobody sees them.
 */

const UNITS = String.raw`\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff`;
/** Some of them in a row. */
const HIDDEN = new RegExp(String.raw`(?:[${UNITS}]|[\u{e0000}-\u{e0fff}])+`, "gu");
/** Every text with one of them matches, and some others: single units are looked for much faster. */
const MAY_BE_HIDDEN = new RegExp(String.raw`[${UNITS}\udb40-\udb43]`);

export function visible(text: string): string {
	return MAY_BE_HIDDEN.test(text) ? text.replace(HIDDEN, "") : text;
}

/** For each unit of `visible(text)` its place in the text; also for the end of both. */
export function visiblePlaces(text: string): readonly number[] {
	return placesIn(text, HIDDEN, () => "");
}

/** For each unit of a text in which the matches of a pattern are replaced, its place in the text itself; also for the end of both. */
export function placesIn(text: string, pattern: RegExp, replacementOf: (match: string) => string): number[] {
	const places: number[] = [];
	let at = 0;
	const copy = (to: number) => {
		for (; at < to; at++) places.push(at);
	};
	for (const { 0: match, index } of text.matchAll(pattern)) {
		copy(index);
		for (const _unit of replacementOf(match)) places.push(index);
		at = index + match.length;
	}
	copy(text.length + 1);
	return places;
}

/** A pattern on bytes for one of them in UTF-8. */
export const HIDDEN_BYTES = String.raw`\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0[\x8b-\x8f]|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|\xf3\xa0`;
/** A pattern for one of them as an escape of JSON. Without the backslash: it begins each color in the output of a shell. */
export const HIDDEN_ESCAPE =
	"(?-i:u00[aA][dD]|u034[fF]|u061[cC]|u180[b-fB-F]|u200[b-fB-F]|u202[a-eA-E]|u206[0-9a-fA-F]|u[fF][eE]0|u[fF][eE][fF][fF]|u[dD][bB]4[0-3])";
/** A pattern on bytes for one of them, raw or escaped; it also matches a few others, such as dashes, and so is shorter. */
export const ONE_HIDDEN = String.raw`\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0.|\xe2[\x80\x81].|\xef[\xb8\xbb].|\xf3\xa0..|\\u(?:00ad|034f|061c|180.|20[0-6].|fe..|db4[0-3].{6})`;
