import type { Snippet } from "../search/search.ts";
import { fold } from "./fold.ts";
import type { Term } from "./parse-query.ts";

/** Characters shown before the place that was found, and in all. */
const BEFORE = 50;
const LENGTH = 180;

/** The text around a place `[start, end)` on one line, with all places of the terms in it. */
export function makeSnippet(text: string, start: number, end: number, terms: readonly Term[]): Snippet {
	const from = Math.max(0, start - BEFORE);
	const to = Math.min(text.length, Math.max(end, from + LENGTH));
	const line = (from > 0 ? "…" : "") + oneLine(text.slice(from, to)) + (to < text.length ? "…" : "");
	return { text: line, ranges: rangesIn(line, terms) };
}

/** Whitespace becomes single blanks; half of a character that was cut at an end goes. */
function oneLine(text: string): string {
	return text
		.replace(/\s+/g, " ")
		.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
		.trim();
}

/** Places of the terms in one line of text, `[start, end)`, ascending and apart. */
export function rangesIn(line: string, terms: readonly Term[]): (readonly [number, number])[] {
	const folded = fold(line);
	// Folding has changed the length (rare letters): the places would be wrong.
	if (folded.length !== line.length) return [];
	const ranges: [number, number][] = [];
	for (const { needle, regex } of terms) {
		if (regex)
			for (const found of line.matchAll(regex))
				if (found[0] !== "") ranges.push([found.index, found.index + found[0].length]);
		const wanted = needle && oneLine(needle);
		if (!wanted) continue;
		for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length))
			ranges.push([at, at + wanted.length]);
	}
	return merged(ranges);
}

function merged(ranges: [number, number][]): (readonly [number, number])[] {
	ranges.sort((a, b) => a[0] - b[0]);
	const result: [number, number][] = [];
	for (const range of ranges) {
		const last = result.at(-1);
		if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
		else result.push(range);
	}
	return result;
}
