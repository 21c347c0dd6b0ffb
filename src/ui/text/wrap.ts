import { cellWidth } from "../../shared/cell-width.ts";
import { type Line, lineText, type Span } from "./line.ts";
import { blanks, type CleanText, cleanLines, sliceText } from "./sanitize.ts";
import { fittingLength } from "./width.ts";

/** Cleans a text and breaks it into rows of at most `width` cells, at spaces if possible; empty rows stay. */
export function wrapText(text: string, width: number): CleanText[] {
	if (width <= 0) return [];
	return cleanLines(text).flatMap((line) => rowBounds(line, width).map(({ from, to }) => sliceText(line, from, to)));
}

/** Breaks a line of spans into rows of at most `width` cells; all but the first begin with `indent` spaces. */
export function wrapLine(line: Line, width: number, indent = 0): Line[] {
	const margin = indent < width / 2 ? indent : 0;
	const text = lineText(line);
	const next = { index: 0, start: 0 };
	return rowBounds(text, width, width - margin).map(({ from, to }, index) => {
		const spans = spansBetween(line, from, to, next);
		if (index === 0) return spans;
		const row = goingOn(spans, text[from - 1] === " " ? " " : "");
		return margin === 0 ? row : [{ text: blanks(margin), isAside: true }, ...row];
	});
}

/** A row that goes on with the line of the row above. */
export function goingOn([first, ...rest]: Line, joins: string): Line {
	return first === undefined ? [] : [{ ...first, joins }, ...rest];
}

/** A row of a text, as UTF-16 offsets. */
interface RowBounds {
	readonly from: number;
	readonly to: number;
}

/** The rows of a line, at least one; spaces at a break belong to none. The first row may have another width. */
function rowBounds(line: CleanText, firstWidth: number, width = firstWidth): RowBounds[] {
	const length = line.trimEnd().length;
	const rows: RowBounds[] = [];
	let from = 0;
	while (from < length) {
		// A row takes at least one character, or this would never end.
		const room = Math.max(1, rows.length === 0 ? firstWidth : width);
		const part = sliceText(line, from, Math.min(length, from + room * MAX_GRAPHEME));
		const end = from + rowLength(part, room);
		rows.push({ from, to: from + line.slice(from, end).trimEnd().length });
		from = end;
		// A mark stays on its space: at the start of a row it would have no base.
		while (from < length && line[from] === " " && !MARK.test(characterAt(line, from + 1))) from++;
	}
	return rows.length === 0 ? [{ from: 0, to: 0 }] : rows;
}

/** UTF-16 units that may be needed per cell: a letter with all its marks. Longer graphemes are split. */
const MAX_GRAPHEME = 16;
const MARK = /^\p{M}/u;

/** Length of the first row of `text`: at least one character, and not followed by a mark. */
function rowLength(text: CleanText, width: number): number {
	let fits = fittingLength(text, width);
	while (fits > 0 && MARK.test(characterAt(text, fits))) fits -= characterBefore(text, fits).length;
	if (fits === 0) fits = characterAt(text, 0).length;
	if (fits >= text.length || text[fits] === " ") return fits;
	const space = lastBlank(text, fits);
	// A break far to the left would waste the row: words longer than a row, such as paths and base64, are split instead.
	return space > fits / 2 || (space > 0 && fitsAfter(text, space, width)) ? space + 1 : fits;
}

/** The last space before an index that carries no mark; -1 if there is none. */
function lastBlank(text: CleanText, index: number): number {
	let space = text.lastIndexOf(" ", index - 1);
	while (space > 0 && MARK.test(characterAt(text, space + 1))) space = text.lastIndexOf(" ", space - 1);
	return space;
}

function fitsAfter(text: CleanText, space: number, width: number): boolean {
	const end = text.indexOf(" ", space + 1);
	const word = sliceText(text, space + 1, Math.min(end === -1 ? text.length : end, space + 1 + width * MAX_GRAPHEME));
	return text.slice(0, space).trim() !== "" && cellWidth(word) <= width;
}

function characterAt(text: string, index: number): string {
	const codePoint = text.codePointAt(index);
	return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

function characterBefore(text: string, index: number): string {
	const isPair = index > 1 && (text.codePointAt(index - 2) ?? 0) > 0xffff;
	return text.slice(index - (isPair ? 2 : 1), index);
}

/** A span of a line: its index, and the offset of its text in the text of the line. */
interface SpanPlace {
	index: number;
	start: number;
}

/** The part of a line between two offsets of its text; the search begins at `next`, which moves forward. */
function spansBetween(line: Line, from: number, to: number, next: SpanPlace): Span[] {
	const spans: Span[] = [];
	for (let span = line[next.index]; span !== undefined && next.start < to; span = line[next.index]) {
		const start = Math.max(from - next.start, 0);
		const end = Math.min(to - next.start, span.text.length);
		if (start < end) spans.push({ ...span, text: sliceText(span.text, start, end) });
		// The rest of the span belongs to the next part.
		if (end < span.text.length) break;
		next.start += span.text.length;
		next.index++;
	}
	return spans;
}
