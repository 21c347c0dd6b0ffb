import fastStringTruncatedWidth from "fast-string-truncated-width";

/** Plain ASCII is one cell a character, so that it can be sliced without measuring. */
const ASCII = /^[\u0000-\u007f]*$/;

/** Breaks sanitised text into rows of at most `width` cells, at spaces where there are any; empty rows are kept. */
export function wrapText(text: string, width: number): string[] {
	const rows: string[] = [];
	if (width <= 0) return rows;
	for (const line of text.split("\n")) {
		let rest = line.trimEnd();
		while (rest.length > 0) {
			const end = rowEnd(rest, width);
			rows.push(rest.slice(0, end).trimEnd());
			rest = rest.slice(end);
			if (rest.startsWith(" ")) rest = rest.trimStart();
		}
		if (line.trimEnd().length === 0) rows.push("");
	}
	return rows;
}

/** Index after the last character of the first row of `text`. */
function rowEnd(text: string, width: number): number {
	const fits = fittingLength(text, width);
	if (fits >= text.length) return text.length;
	if (text[fits] === " ") return fits;
	const space = text.lastIndexOf(" ", fits - 1);
	// A break far to the left wastes the row: long words, paths and base64 are cut hard instead.
	return space > fits / 2 ? space + 1 : fits;
}

function fittingLength(text: string, width: number): number {
	const head = text.slice(0, width);
	if (ASCII.test(head)) return Math.min(width, text.length);
	// Nothing is wider than it is long in UTF-16 units times two, so a short piece holds at least one row.
	const result = fastStringTruncatedWidth(text.slice(0, width * 8), { limit: width, ellipsisWidth: 0 });
	return Math.max(result.truncated ? result.index : Math.min(text.length, width * 8), 1);
}
