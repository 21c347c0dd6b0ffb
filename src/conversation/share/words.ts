/** Characters that stand for themselves in a pattern. */
export function asPattern(text: string): string {
	return text.replace(/[^\w/]/g, "\\$&");
}

/**
 * A pattern that finds some words, the longest of those that begin together: one pass for any number of them, since each beginning that
 * they share is in it once. The words are short, and not empty.
 */
export function wordsPattern(words: Iterable<string>): RegExp {
	return new RegExp(anyOf([...new Set(words)]), "g");
}

function anyOf(words: readonly string[]): string {
	const longer = words.filter((word) => word !== "");
	const parts = [...Map.groupBy(longer, (word) => word.charAt(0))].map(
		([first, all]) => asPattern(first) + anyOf(all.map((word) => word.slice(1))),
	);
	return parts.length === 0 ? "" : `(?:${parts.join("|")})${words.includes("") ? "?" : ""}`;
}
