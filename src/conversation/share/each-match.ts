/**
 * All matches of a global pattern, from the start of the text. `matchAll` makes a copy of the pattern for each text, which
 * takes longer than looking through a short one.
 */
export function eachMatch(pattern: RegExp, text: string): readonly RegExpExecArray[] {
	pattern.lastIndex = 0;
	let match = pattern.exec(text);
	if (match === null) return NONE;
	const matches: RegExpExecArray[] = [];
	for (; match !== null; match = pattern.exec(text)) matches.push(match);
	return matches;
}

const NONE: readonly RegExpExecArray[] = [];
