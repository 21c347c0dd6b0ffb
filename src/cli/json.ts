import { printJson } from "../shared/print-json.ts";

declare const json: unique symbol;

/** JSON that is safe to print: characters that a terminal would obey are escaped. Only this file makes it. */
export type JsonText = string & { readonly [json]: true };

/** Control and bidirectional characters that JSON does not escape, so that they would reach the terminal. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

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
	return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function brand(text: string): JsonText {
	return text as JsonText;
}
