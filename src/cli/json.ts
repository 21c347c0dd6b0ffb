/** Control and bidirectional characters that JSON does not escape, so that they would reach the terminal. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One array, one value per line; dates as ISO strings. */
export function jsonLines(values: readonly unknown[]): string {
	return values.length === 0 ? "[]\n" : `[\n${values.map((value) => jsonText(value)).join(",\n")}\n]\n`;
}

/** JSON that is safe to print: characters that a terminal would obey are escaped as `\u` and four digits. */
export function jsonText(value: unknown, indent?: string): string {
	return JSON.stringify(value, undefined, indent).replace(UNSAFE, escaped);
}

function escaped(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
