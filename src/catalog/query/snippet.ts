import { compose, composedPlaces, fold, type MatchSpan, needleSpans, spanAt } from "./fold.ts";
import type { SearchText, TermSpan } from "./match.ts";
import { findForm, findRegex, testRegex } from "./regex.ts";
import { flatTerms, type Term } from "./term.ts";

/** Text around a match, on one line. Raw: sanitize before drawing. */
export interface Snippet {
	readonly text: string;
	/** Spans of the matches in `text`, `[start, end)`, ascending. */
	readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** Characters shown before the match. */
const BEFORE = 50;
/** The same in a path: nearly always all of it, to distinguish the part that is the project's directory. */
const BEFORE_IN_PATH = 300;
/** Characters shown in all, unless the match is longer. */
const LENGTH = 180;
/** Of these last characters, some are left out so that the text ends at a word. */
const LAST_WORD = 24;

/** `cd DIR &&` before a command, where it says nothing about the match. */
const CHANGE_OF_DIRECTORY = /^\s*cd\s+(?:"[^"\n]*"|'[^'\n]*'|(?:\\.|[^\s;&|"'\\<>()$`])+)[ \t]*(?:&&|;|\n)\s*/;

/** The text around a match as one line, from word to word, with the spans of all terms in it. */
export function makeSnippet(source: SearchText, span: TermSpan, terms: readonly Term[]): Snippet {
	const { text, start, end } = placedIn(source, span);
	const change = source.kind === "command" ? (CHANGE_OF_DIRECTORY.exec(text)?.[0].length ?? 0) : 0;
	const begin = change <= start ? change : 0;
	const lead = source.kind === "path" ? BEFORE_IN_PATH : BEFORE;
	const from = start - lead <= begin ? begin : wordStart(text, start - lead, start);
	const longest = Math.min(text.length, Math.max(Math.min(end, from + 2 * LENGTH), start + LENGTH - BEFORE));
	const to = longest === text.length ? longest : wordEnd(text, Math.max(end, longest - LAST_WORD), longest);
	const line = (from > begin ? "…" : "") + oneLine(text.slice(from, to)) + (to < text.length ? "…" : "");
	return { text: line, ranges: rangesIn(line, terms) };
}

/** The text of a source with a span of its composed form in it. The text itself, unless composing has changed more than what shows. */
function placedIn({ text, composed }: SearchText, span: MatchSpan): MatchSpan & { readonly text: string } {
	if (composed.length === text.length) return { text, ...span };
	const places = composedPlaces(text, composed);
	return places === undefined ? { text: composed, ...span } : { text, ...spanAt(places, span) };
}

/** Where the first word begins that is between two places; the first place if none does. */
export function wordStart(text: string, from: number, to: number): number {
	const blank = text.slice(from, to).search(/\s/);
	return blank === -1 ? from : from + blank + 1;
}

/** Where the last word ends that ends between two places; the last place if none does. */
function wordEnd(text: string, from: number, to: number): number {
	const end = text.slice(from, to).search(/\s\S*$/);
	return end === -1 ? to : from + end;
}

export function startSnippet(text: string): Snippet {
	if (text.length <= LENGTH) return { text: oneLine(text), ranges: [] };
	return { text: `${oneLine(text.slice(0, wordEnd(text, LENGTH - LAST_WORD, LENGTH)))}…`, ranges: [] };
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
	const composed = compose(line);
	const folded = fold(line);
	const places = composed.length === line.length ? undefined : composedPlaces(line, composed);
	// If composing has changed more than what shows (rare letters), the spans would be wrong.
	if (places === undefined && composed.length !== line.length) return [];
	const ranges: [number, number][] = [];
	const add = (span: MatchSpan): void => {
		const { start, end } = places === undefined ? span : spanAt(places, span);
		ranges.push([start, end]);
	};
	for (const { needle, accents, regex, forms = [] } of flatTerms(terms)) {
		// A word with accents is found as it was typed, below.
		for (const { kind, source } of forms)
			if (kind !== "accent") for (const span of findForm(source, composed)) add(span);
		// The test is many times faster than finding the matches, and most lines have none.
		if (regex !== undefined && testRegex(regex, composed)) for (const span of findRegex(regex, composed)) add(span);
		const word = needle && oneLine(needle);
		if (!word) continue;
		for (const span of needleSpans(folded, { needle: word, accents })) add(span);
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
