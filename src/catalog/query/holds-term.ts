import type { Term } from "./parse-query.ts";

/** A text as it is searched: its kinds as a bit mask, and itself folded. */
export interface SearchedText {
	readonly kinds: number;
	readonly folded: string;
}

/** Whether a text is of the kinds that a term asks for and holds it; a term without words holds in any text. */
export function holdsTerm({ kinds, folded }: SearchedText, { needle, regex, kinds: wanted }: Term): boolean {
	if ((kinds & wanted) === 0 || folded === "") return false;
	if (regex === undefined) return needle === undefined || folded.includes(needle);
	// The pattern is global, so it would go on from its last match.
	regex.lastIndex = 0;
	return regex.test(folded);
}
