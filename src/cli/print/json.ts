import { printJson } from "../../shared/json.ts";

declare const json: unique symbol;

/** JSON that is safe to print: characters that a terminal would interpret, or not show, are escaped. Only this file makes it. */
export type JsonText = string & { readonly [json]: true };

/**
 * Characters that JSON does not escape and a terminal interprets, or does not show: controls, formats, ignorable ones,
 * private use, noncharacters. Written as UTF-16 units, since matching by Unicode properties takes ten times as long; this
 * includes a few harmless characters, which are the same after parsing.
 */
const UNSEEN =
	/\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|[\ud804\ud80d\ud82f\ud834\udb40-\udb43\udb80-\udbff][\udc00-\udfff]|[\ud800-\udbff][\udffe\udfff]/g;

/** One value and a line end, dates as ISO strings; with `indent` on several lines. */
export function jsonText(value: unknown, indent?: string): JsonText {
	return brand(`${escaped(value, indent)}\n`);
}

/** Begins an object that is printed piece by piece: its fields, and the start of a list, its last field. */
export function jsonListStart(fields: object, list: string): JsonText {
	return brand(`${escaped(fields).slice(0, -1)},${escaped(list)}:[`);
}

/** An item of that list, on a line of its own. */
export function jsonListItem(value: unknown, isFirst: boolean): JsonText {
	return brand(`${isFirst ? "" : ","}\n${escaped(value)}`);
}

export function jsonListEnd(): JsonText {
	return brand("\n]}\n");
}

/** An item of an array that is printed piece by piece; the first and the last add the brackets. */
export function jsonItem(value: unknown, index: number, count: number): JsonText {
	return brand(`${index === 0 ? "[\n" : ""}${escaped(value)}${index === count - 1 ? "\n]" : ","}\n`);
}

function escaped(value: unknown, indent?: string): string {
	// Indented values are the program's own, and shallow; a session's values may be nested too deep for JSON.stringify.
	const text = indent === undefined ? printJson(value) : JSON.stringify(value, undefined, indent);
	return text.replace(UNSEEN, escapeUnits);
}

function escapeUnits(character: string): string {
	return Array.from(
		{ length: character.length },
		(_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
	).join("");
}

function brand(text: string): JsonText {
	return text as JsonText;
}
