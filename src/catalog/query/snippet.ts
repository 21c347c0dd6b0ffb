import { findForm } from "./find-form.ts";
import { compose, fold } from "./fold.ts";
import type { TermSpan } from "./match.ts";
import { needleSpans } from "./needle.ts";
import type { Term } from "./parse-query.ts";
import { findRegex, testRegex } from "./regex.ts";
import type { SearchText } from "./search-text.ts";

/** Text around a match, on one line. Raw: sanitize before drawing. */
export interface Snippet {
	readonly text: string;
	/** Spans of the matches in `text`, `[start, end)`, ascending. */
	readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** Characters shown before the match. */
const BEFORE = 50;
/** Characters shown in all, unless the match is longer. */
const LENGTH = 180;

/** The text around a match as one line, with the spans of all terms in it. */
export function makeSnippet(source: SearchText, { start, end }: TermSpan, terms: readonly Term[]): Snippet {
	// Composing and folding rarely change the length; if they do, the span is valid only in the folded text.
	const text = source.folded.length === source.text.length ? source.text : source.folded;
	const from = Math.max(0, start - BEFORE);
	const to = Math.min(text.length, Math.max(Math.min(end, from + 2 * LENGTH), from + LENGTH));
	const line = (from > 0 ? "…" : "") + oneLine(text.slice(from, to)) + (to < text.length ? "…" : "");
	return { text: line, ranges: rangesIn(line, terms) };
}

/** The beginning of a text without a match. */
export function startSnippet(text: string): Snippet {
	return { text: text.slice(0, LENGTH).replace(/\s+/g, " ").trim(), ranges: [] };
}

/** Collapses whitespace to single spaces, and drops half of a surrogate pair that was cut. */
function oneLine(text: string): string {
	return text
		.replace(/\s+/g, " ")
		.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
		.trim();
}

/** Spans of the terms in one line of text, `[start, end)`, ascending and not overlapping. */
export function rangesIn(line: string, terms: readonly Term[]): (readonly [number, number])[] {
	const folded = fold(line);
	// If folding has changed the length (rare letters), the spans would be wrong.
	if (folded.length !== line.length) return [];
	const ranges: [number, number][] = [];
	for (const { needle, accents, regex, forms = [] } of terms) {
		for (const { source } of forms)
			for (const { start, end } of findForm(source, compose(line))) ranges.push([start, end]);
		// The test is many times faster than finding the matches, and most lines have none.
		if (regex !== undefined && testRegex(regex, compose(line)))
			for (const { start, end } of findRegex(regex, compose(line))) ranges.push([start, end]);
		const wanted = needle && oneLine(needle);
		if (!wanted) continue;
		for (const { start, end } of needleSpans(folded, { needle: wanted, accents })) ranges.push([start, end]);
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
