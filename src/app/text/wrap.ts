import { fittingLength } from "./width.ts";

/** Breaks sanitized text into rows of at most `width` cells, at spaces where there are any; empty rows stay. */
export function wrapText(text: string, width: number): string[] {
	if (width <= 0) return [];
	return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), width));
}

function wrapLine(line: string, width: number): string[] {
	const rows: string[] = [];
	let from = 0;
	while (from < line.length) {
		const end = from + rowLength(line.slice(from, from + width * LONGEST_GRAPHEME), width);
		rows.push(line.slice(from, end).trimEnd());
		from = end;
		while (line[from] === " ") from++;
	}
	return rows.length === 0 ? [""] : rows;
}

/** The most UTF-16 units looked at per cell: an emoji family of four with skin tones. Longer graphemes are split. */
const LONGEST_GRAPHEME = 16;

/** Length of the first row of `text`, at least one unit. */
function rowLength(text: string, width: number): number {
	const fits = Math.max(fittingLength(text, width), 1);
	if (fits >= text.length || text[fits] === " ") return fits;
	const space = text.lastIndexOf(" ", fits - 1);
	// A break far to the left would waste the row: long words, paths and base64 are split instead.
	return space > fits / 2 ? space + 1 : fits;
}
