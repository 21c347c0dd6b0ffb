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

/** Characters of one entry that are shown at most: some thousand pages, and little enough to clean and wrap at once. */
export const MAX_ENTRY_TEXT = 200_000;
/** Blocks, arguments, tools and the like of one entry that are shown at most. */
export const MAX_PARTS = 500;

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

/** A value from a file as JSON, hardly more than is shown; "" for none. */
export function json(value: unknown): string {
	return value === undefined ? "" : printJson(value, { indent: 2, limit: MAX_ENTRY_TEXT + 1 });
}

/** Sections for the parts, as far as they are shown, and one that says how many more there are. */
export function eachPart<Part>(
	parts: readonly Part[],
	sectionsOf: (part: Part) => readonly EntrySection[],
): EntrySection[] {
	const sections: EntrySection[] = [];
	let length = 0;
	let count = 0;
	for (const part of parts) {
		if (count === MAX_PARTS || length > MAX_ENTRY_TEXT) break;
		for (const each of sectionsOf(part)) {
			sections.push(each);
			length += each.title.length + each.text.length;
		}
		count += 1;
	}
	const more = parts.length - count;
	return more > 0 ? [...sections, section("", `… ${formatCount(more)} more are not shown`, "muted")] : sections;
}
