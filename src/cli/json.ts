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

/** One value of an array that is printed piece by piece: the first and the last bring the brackets. */
export function jsonItem(value: unknown, index: number, count: number): JsonText {
	return brand(`${index === 0 ? "[\n" : ""}${escaped(value)}${index === count - 1 ? "\n]" : ","}\n`);
}

function escaped(value: unknown, indent?: string): string {
	return JSON.stringify(value, undefined, indent).replace(
		UNSAFE,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

function brand(text: string): JsonText {
	return text as JsonText;
}
