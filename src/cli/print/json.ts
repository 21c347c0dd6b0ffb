import { printJson } from "../../shared/print-json.ts";

declare const json: unique symbol;

/** JSON that is safe to print: characters that a terminal would obey, or not show, are escaped. Only this file makes it. */
export type JsonText = string & { readonly [json]: true };

/**
 * What JSON does not escape and a terminal obeys, shows in its own way or not at all: controls, formats, what is ignorable,
 * of private use, or no character. In units, since by Unicode's properties it takes ten times as long; a few characters more
 * are among them, which are the same when they are read.
 */
const UNSEEN =
	/\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ue000-\uf8ff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|[\ud804\ud80d\ud82f\ud834\udb40-\udb43\udb80-\udbff][\udc00-\udfff]|[\ud800-\udbff][\udffe\udfff]/g;

/** One array, one value per line; dates as ISO strings. */
export function jsonLines(values: readonly unknown[]): JsonText {
	return brand(values.length === 0 ? "[]\n" : `[\n${values.map((value) => escaped(value)).join(",\n")}\n]\n`);
}

/** One value and a line end; `indent` spreads it over several lines. */
export function jsonText(value: unknown, indent?: string): JsonText {
	return brand(`${escaped(value, indent)}\n`);
}

/** An object that is printed piece by piece: its fields, and the beginning of a last one, which is a list. */
export function jsonListStart(fields: object, list: string): JsonText {
	return brand(`${escaped(fields).slice(0, -1)},${escaped(list)}:[`);
}

/** A value of that list, on a line of its own. */
export function jsonListItem(value: unknown, isFirst: boolean): JsonText {
	return brand(`${isFirst ? "" : ","}\n${escaped(value)}`);
}

/** The end of the list, and of the object. */
export function jsonListEnd(): JsonText {
	return brand("\n]}\n");
}

/** One value of an array that is printed piece by piece: the first and the last bring the brackets. */
export function jsonItem(value: unknown, index: number, count: number): JsonText {
	return brand(`${index === 0 ? "[\n" : ""}${escaped(value)}${index === count - 1 ? "\n]" : ","}\n`);
}

function escaped(value: unknown, indent?: string): string {
	// Nothing that we count is deep; what a session holds may be.
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
