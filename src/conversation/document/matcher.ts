import { accentedLetters, needleOf } from "../../catalog/query/fold.ts";
import type { Term } from "../../catalog/query/parse-query.ts";
import { rangesIn } from "../../catalog/query/snippet.ts";

/** The places in a text where something is found: `[start, end)`, ascending. */
export type Matcher = (text: string) => readonly (readonly [start: number, end: number])[];

/** Finds a text as it is typed, in capitals or not, and with accents where it was typed without. */
export function textMatcher(wanted: string): Matcher {
	const { text, accents } = needleOf(wanted);
	const pattern = new RegExp(accents ? exactly(text) : withAnyAccents(text), "giu");
	return (text) => {
		const ranges: [number, number][] = [];
		for (const { index, 0: found } of text.matchAll(pattern)) ranges.push([index, index + found.length]);
		return ranges;
	};
}

/** As typed, accents composed or not. */
function exactly(text: string): string {
	return [...text].map((letter) => anyOf([letter, letter.normalize("NFD")])).join("");
}

function withAnyAccents(text: string): string {
	return [...text]
		.map((letter) => {
			const accented = accentedLetters(letter);
			return accented.length === 0 ? anyOf([letter]) : `[${letter}${accented.join("")}][\\u0300-\\u036f]*`;
		})
		.join("");
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

function anyOf(texts: readonly string[]): string {
	const patterns = [...new Set(texts)].map((text) => text.replace(SYNTAX, "\\$&"));
	return patterns.length === 1 ? patterns.join("") : `(?:${patterns.join("|")})`;
}

/** Finds the words of a search. */
export function termsMatcher(terms: readonly Term[]): Matcher {
	return (text) => rangesIn(text, terms);
}
