/** A filter as typed: words and "phrases" that must all occur, or one `re:` pattern. Same syntax as pi's picker. */
export type Query =
	| { readonly kind: "none" }
	/** Folded for comparison; all must occur, each anywhere. */
	| { readonly kind: "terms"; readonly terms: readonly string[] }
	| { readonly kind: "pattern"; readonly pattern: RegExp }
	/** Not a valid pattern: nothing can be matched, and the reason is shown. */
	| { readonly kind: "invalid"; readonly reason: string };

const TERM = /"([^"]*)"|(\S+)/g;

/** Reads a filter; never throws. An opening quote without its partner is an ordinary character. */
export function parseQuery(text: string): Query {
	const trimmed = text.trim();
	if (trimmed === "") return { kind: "none" };
	if (trimmed.startsWith("re:")) return parsePattern(trimmed.slice(3));
	const terms: string[] = [];
	for (const [, phrase, word] of trimmed.matchAll(TERM)) {
		const term = foldText(phrase ?? word ?? "");
		if (term !== "") terms.push(term);
	}
	return terms.length === 0 ? { kind: "none" } : { kind: "terms", terms };
}

/** Case folded and Unicode normalised, white space runs as one space: two texts that read the same compare the same. */
export function foldText(text: string): string {
	return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** Whether all of the query occurs in any of the texts; terms may be found in different ones. `folded` as by `foldText`. */
export function matches(query: Query, folded: readonly string[]): boolean {
	switch (query.kind) {
		case "none":
			return true;
		case "terms":
			return query.terms.every((term) => folded.some((text) => text.includes(term)));
		case "pattern":
			return folded.some((text) => query.pattern.test(text));
		case "invalid":
			return false;
	}
}

function parsePattern(source: string): Query {
	if (source.trim() === "") return { kind: "invalid", reason: "re: needs a pattern" };
	try {
		return { kind: "pattern", pattern: new RegExp(source.trim(), "iu") };
	} catch (error) {
		return { kind: "invalid", reason: error instanceof Error ? error.message : String(error) };
	}
}
