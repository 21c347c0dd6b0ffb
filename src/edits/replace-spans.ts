/** A text in the place of `[start, end)` of another one, in UTF-16 units. */
export interface SpanReplacement {
	readonly start: number;
	readonly end: number;
	readonly newText: string;
}

/** Makes replacements that do not overlap, in ascending order; their offsets are from `origin` on. */
export function replaceSpans(text: string, replacements: readonly SpanReplacement[], origin = 0): string {
	let result = "";
	let from = 0;
	for (const { start, end, newText } of replacements) {
		result += text.slice(from, start - origin) + newText;
		from = end - origin;
	}
	return result + text.slice(from);
}
