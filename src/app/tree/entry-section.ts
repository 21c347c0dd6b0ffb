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

/** Characters of a value printed as JSON at most: some thousand rows. */
const MAX_JSON = 200_000;

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

/** A value from a file as JSON, "" for none; of a very large one the beginning. */
export function json(value: unknown): string {
	if (value === undefined) return "";
	const text = printJson(value, { indent: 2, limit: MAX_JSON + 1 });
	return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}\n… ${CUT}` : text;
}

/** Lines below each other; a list of very many is cut. */
export function joinLines(lines: Iterable<string>): string {
	let text = "";
	for (const line of lines) {
		if (text.length > MAX_JSON) return `${text}\n… ${CUT}`;
		text += text === "" ? line : `\n${line}`;
	}
	return text;
}

/** Ends what is too large to be shown. */
const CUT = `cut here: ${formatCount(MAX_JSON)} characters of a value are shown`;
