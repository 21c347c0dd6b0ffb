import { printJson } from "../../shared/print-json.ts";
import type { Tone } from "../model/view.ts";
import { formatCount } from "../text/format.ts";

/** A part of the full text of an entry, not yet sanitized. */
export interface EntrySection {
	/** One row above the text; "" for none. */
	readonly title: string;
	readonly text: string;
	readonly tone: Tone;
}

/** Characters of one value that are printed as JSON: hundreds of pages, and little enough to print between two frames. */
const MAX_JSON = 200_000;
/** Blocks, arguments, tools and the like of one entry that are shown at most. */
export const MAX_PARTS = 5000;

export function section(title: string, text: string, tone: Tone = "text"): EntrySection {
	return { title, text, tone };
}

/** A part that is left out with its title when it has no text. */
export function ifAny(title: string, text: string, tone: Tone = "text"): EntrySection {
	return section(text === "" ? "" : title, text, tone);
}

export function hasText({ title, text }: EntrySection): boolean {
	return title !== "" || text !== "";
}

/** A value from a file as JSON; "" for none. Of a very long one the start, which says so. */
export function json(value: unknown): string {
	if (value === undefined) return "";
	const text = printJson(value, { indent: 2, limit: MAX_JSON + 1 });
	if (text.length <= MAX_JSON) return text;
	return `${text.slice(0, MAX_JSON)}\n… cut here: ${formatCount(MAX_JSON)} characters of this value are shown`;
}

/** Sections for the parts, as far as they are shown, and one that says how many more there are. */
export function eachPart<Part>(
	parts: readonly Part[],
	sectionsOf: (part: Part) => readonly EntrySection[],
): EntrySection[] {
	const sections = parts.slice(0, MAX_PARTS).flatMap(sectionsOf);
	const more = parts.length - MAX_PARTS;
	return more > 0 ? [...sections, section("", `… ${formatCount(more)} more are not shown`, "muted")] : sections;
}
