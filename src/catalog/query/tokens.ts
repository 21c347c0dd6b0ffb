import { comparedField, fieldNamed } from "./fields.ts";

export interface Token {
	/** The whole name of the field before the value, in lower case; "" for a plain word or phrase. */
	readonly field: string;
	/** Without quotes; "" if nothing follows the field. */
	readonly value: string;
	readonly quoted: boolean;
	/** Whether it was negated: `-word`. */
	readonly not: boolean;
}

/**
 * Splits a query into words, `"phrases"` and fields, each possibly negated by a `-`. A quote begins a phrase only where a word
 * could begin; an unclosed one extends to the end. The pattern of `re:` extends to the next field, or is enclosed in `/…/` or
 * `"…"`. A field may be named by its beginning (fields.ts), and needs no colon before a comparison (`cost>1`); what is not a field,
 * as in `http://x`, is a plain word. A generator, because a pasted text may have very many parts, each of which may need a scan to its end.
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
		const [, comparedName = "", sign = "", number = ""] = take(COMPARISON) ?? [];
		const compared = comparedField(comparedName, sign + number);
		if (compared !== undefined) {
			yield { field: compared, value: sign + number, quoted: false, not };
			continue;
		}
		at = start;
		const name = take(NAME)?.[1];
		const field = (name === undefined ? undefined : fieldAt(name, at)) ?? "";
		const isField = field !== "";
		if (!isField) at = start;
		if (field === "re") {
			take(BLANKS);
			const [, slashed, quoted] = take(DELIMITED) ?? [];
			yield { field, value: slashed ?? quoted ?? restOfPattern(), quoted: quoted !== undefined, not };
			continue;
		}
		const phrase = phraseIn(take(PHRASE));
		const value = phrase ?? take(WORD)?.[0] ?? "";
		// A name without a value, as in a copied "file: not found", is text, unless the value may still be typed.
		const isText = isField && phrase === undefined && value === "" && at < text.length;
		const quoted = phrase !== undefined;
		yield isText ? { field: "", value: text.slice(start, at), quoted, not } : { field, value, quoted, not };
	}

	function fieldAt(name: string, valueAt: number): string | undefined {
		return fieldNamed(name, () => {
			PHRASE.lastIndex = valueAt;
			WORD.lastIndex = valueAt;
			return phraseIn(PHRASE.exec(text) ?? undefined) ?? WORD.exec(text)?.[0] ?? "";
		});
	}

	function restOfPattern(): string {
		const from = at;
		const rest = text.slice(from);
		const next = rest.matchAll(NEXT_NAME).find(({ 0: blank, 1: name = "", index }) => {
			return fieldAt(name, from + index + blank.length) !== undefined;
		});
		at += next?.index ?? rest.length;
		return rest.slice(0, next?.index).trim();
	}
}

/** What a match of `PHRASE` encloses. */
function phraseIn(match: readonly string[] | undefined): string | undefined {
	return match?.[1] ?? match?.[2];
}

const BLANKS = /\s*/y;
/** Before a word, a phrase or a field; `--flag`, `->` and `-=` are text. */
const NOT = /-(?=[\p{L}\p{N}\p{M}"“”„_./~@#$])/uy;
const NAME = /([a-zA-Z]+):/y;
const COMPARISON = /([a-zA-Z]+)(?:\s*:)?\s*([<>]=?)\s*(\S+)/y;
const WORD = /\S*/y;
/** Typographic quotes are like plain ones: some keyboards type them. */
const PHRASE = /"([^"]*)(?:"|$)|[“”„]([^"“”„]*)(?:["“”„]|$)/y;
/** A delimited pattern at the end of a word. A backslash before a delimiter makes it part of the pattern. */
const DELIMITED = /\/((?:[^/\\]|\\[\s\S]|\/(?!\s|$))+)\/(?=\s|$)|"((?:[^"\\]|\\[\s\S]|"(?!\s|$))+)"(?=\s|$)/y;
const NEXT_NAME = /\s(?:(?:or|\|)\s+)?-?([a-zA-Z]+):(?=\S)/gi;

/** Whether a part joins those beside it: one of them suffices. In quotes it is a word. */
export function isOr({ field, value, quoted, not }: Token): boolean {
	return field === "" && !quoted && !not && (value === "|" || value.toLowerCase() === "or");
}

/** Whether a part is a word alone: without a field, quotes and a `-`. */
export function isWord({ field, quoted, not }: Token): boolean {
	return field === "" && !quoted && !not;
}

/**
 * The parts of a query, those that "or" joins together. An "or" at the end joins what is still to be typed; one at the beginning is a
 * word.
 */
export function joinedTokens(tokens: readonly Token[]): readonly (readonly [Token, ...Token[]])[] {
	const groups: [Token, ...Token[]][] = [];
	let joins = false;
	for (const token of tokens) {
		const last = groups.at(-1);
		if (last !== undefined && isOr(token)) {
			joins = true;
			continue;
		}
		if (joins) last?.push(token);
		else groups.push([token]);
		joins = false;
	}
	return groups;
}

/** Writes a query from its parts; parsing it gives the same parts. */
export function printTokens(tokens: readonly Token[]): string {
	return tokens.map(printToken).join(" ");
}

function printToken({ field, value, quoted, not }: Token): string {
	const name = field === "" ? "" : `${field}:`;
	return `${not ? "-" : ""}${name}${field === "re" ? printPattern(value) : quoted ? `"${value}"` : value}`;
}

/**
 * Encloses a pattern in slashes or quotes, so that it ends where it ended; a slash before a blank may get a backslash, which
 * does not change the meaning.
 */
function printPattern(value: string): string {
	const isPlain = (text: string, end: RegExp) =>
		text !== "" && !end.test(text) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(text);
	if (isPlain(value, /\/(?=\s|$)/)) return `/${value}/`;
	if (isPlain(value, /"(?=\s|$)/)) return `"${value}"`;
	return value === "" ? "" : `/${value.replace(/(?<!\\)((?:\\\\)*)\/(?=\s|$)/g, "$1\\/")}/`;
}
