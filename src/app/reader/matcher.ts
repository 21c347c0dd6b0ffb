import type { Term } from "../../catalog/query/parse-query.ts";
import { rangesIn } from "../../catalog/query/snippet.ts";

/** The places in a text where something is found: `[start, end)`, ascending. */
export type Matcher = (text: string) => readonly (readonly [start: number, end: number])[];

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/** Finds a text as it is typed, in capitals or not. */
export function textMatcher(wanted: string): Matcher {
	const pattern = new RegExp(wanted.replace(SYNTAX, "\\$&"), "giu");
	return (text) => {
		const ranges: [number, number][] = [];
		for (const { index, 0: found } of text.matchAll(pattern)) ranges.push([index, index + found.length]);
		return ranges;
	};
}

/** Finds the words of a search. */
export function termsMatcher(terms: readonly Term[]): Matcher {
	return (text) => rangesIn(text, terms);
}
