import { type CleanText, cleanLines, sliceText } from "./sanitize.ts";
import { fittingLength } from "./width.ts";

/** Cleans a text and breaks it into rows of at most `width` cells, at spaces where there are any; empty rows stay. */
export function wrapText(text: string, width: number): CleanText[] {
	if (width <= 0) return [];
	return cleanLines(text).flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: CleanText, width: number): CleanText[] {
	const length = line.trimEnd().length;
	const rows: CleanText[] = [];
	let from = 0;
	while (from < length) {
		const to = Math.min(length, from + width * LONGEST_GRAPHEME);
		const rest = sliceText(line, from, to);
		const end = rowLength(rest, width);
		rows.push(sliceText(rest, 0, rest.slice(0, end).trimEnd().length));
		// A mark behind a blank that was left out gets a carrier, which is not in the line.
		from += Math.max(1, end - (rest.length - (to - from)));
		while (from < length && line[from] === " ") from++;
	}
	return rows.length === 0 ? [sliceText(line, 0, 0)] : rows;
}

/** The most UTF-16 units looked at per cell: a letter with all marks that it may have. Longer graphemes are split. */
const LONGEST_GRAPHEME = 16;

/** Length of the first row of `text`, at least one character. */
function rowLength(text: CleanText, width: number): number {
	const fits = fittingLength(text, width) || ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
	if (fits >= text.length || text[fits] === " ") return fits;
	const space = text.lastIndexOf(" ", fits - 1);
	// A break far to the left would waste the row: long words, paths and base64 are split instead.
	return space > fits / 2 ? space + 1 : fits;
}
