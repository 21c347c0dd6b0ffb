import { FIELDS } from "./fields.ts";

/** One part of a query as it was typed. */
export interface Token {
	/** The field before the value in lower case, "" for a plain word or phrase. */
	readonly field: string;
	/** Without quotes; "" where nothing follows the field. */
	readonly value: string;
	/** Whether the value stood in quotes. */
	readonly quoted: boolean;
	/** Whether `-` stood before it: `-word`. */
	readonly not: boolean;
}

/**
 * Splits a query into words, `"phrases"` and fields, each of which may have a `-` before it. A quote begins a phrase only where a word could begin; one that is not
 * closed reaches to the end. The pattern of `re:` reaches to the next field, or is what is between `/…/` or `"…"`. What
 * is not a field, as in `http://x`, is a plain word. One after the other, as they are taken: a pasted text may have very many,
 * and each pattern may have to be looked for to the end of it.
 */
export function* tokenize(text: string): Generator<Token, void> {
	let at = 0;
	const take = (pattern: RegExp): readonly string[] | undefined => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match === null) return undefined;
		at = pattern.lastIndex;
		return match;
	};
	for (take(BLANKS); at < text.length; take(BLANKS)) {
		const not = take(NOT) !== undefined;
		const start = at;
		const field = take(NAME)?.[1]?.toLowerCase() ?? "";
		const isField = FIELDS.has(field);
		if (!isField) at = start;
		if (field === "re") {
			take(BLANKS);
			const [, slashed, quoted] = take(DELIMITED) ?? [];
			yield { field, value: slashed ?? quoted ?? restOfPattern(), quoted: quoted !== undefined, not };
			continue;
		}
		const phrase = take(PHRASE)?.[1];
		const value = phrase ?? take(WORD)?.[0] ?? "";
		// A name without a value, as in a copied "file: not found", is text, unless it may still be typed.
		const isText = isField && phrase === undefined && value === "" && at < text.length;
		const quoted = phrase !== undefined;
		yield isText
			? { field: "", value: text.slice(start, at), quoted, not }
			: { field: isField ? field : "", value, quoted, not };
	}

	function restOfPattern(): string {
		const rest = text.slice(at);
		const next = rest.matchAll(NEXT_NAME).find(([, name = ""]) => FIELDS.has(name.toLowerCase()));
		at += next?.index ?? rest.length;
		return rest.slice(0, next?.index).trim();
	}
}

const BLANKS = /\s*/y;
/** Before a word, a phrase or a field; `--flag`, `->` and `-=` are text. */
const NOT = /-(?=[\p{L}\p{N}\p{M}"_./~@#$])/uy;
const NAME = /([a-zA-Z]+):/y;
const WORD = /\S*/y;
const PHRASE = /"([^"]*)(?:"|$)/y;
/** A pattern between delimiters, after which the word ends. A backslash before a delimiter makes it part of the pattern. */
const DELIMITED = /\/((?:[^/\\]|\\[\s\S]|\/(?!\s|$))+)\/(?=\s|$)|"((?:[^"\\]|\\[\s\S]|"(?!\s|$))+)"(?=\s|$)/y;
const NEXT_NAME = /\s-?([a-zA-Z]+):(?=\S)/g;
