import type { Token } from "./tokens.ts";

/** Writes a query from its parts; read again, they are the same. */
export function printTokens(tokens: readonly Token[]): string {
	return tokens.map(printToken).join(" ");
}

function printToken({ field, value, quoted, not }: Token): string {
	const name = field === "" ? "" : `${field}:`;
	return `${not ? "-" : ""}${name}${field === "re" ? printPattern(value) : quoted ? `"${value}"` : value}`;
}

/** Between slashes or quotes, so that it ends where it ended; a slash before a blank may need a backslash, which changes nothing. */
function printPattern(value: string): string {
	const isPlain = (text: string, end: RegExp) =>
		text !== "" && !end.test(text) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(text);
	if (isPlain(value, /\/(?=\s|$)/)) return `/${value}/`;
	if (isPlain(value, /"(?=\s|$)/)) return `"${value}"`;
	return value === "" ? "" : `/${value.replace(/(?<!\\)((?:\\\\)*)\/(?=\s|$)/g, "$1\\/")}/`;
}
