import { type Ground, type Line, lineText, type Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanLines, cleanText, MARK_CARRIER, sliceText } from "../../ui/text/sanitize.ts";
import { cutText, fittingLength, lineWidth, textWidth } from "../../ui/text/width.ts";
import { goingOn, wrapLine } from "../../ui/text/wrap.ts";

/** UTF-16 units of a text that are cleaned and wrapped at a time. */
export const PART = 8192;
/** An escape sequence of at most this many UTF-16 units is kept together. */
const MAX_ESCAPE = 64;

/** Where a part that begins at `from` ends: behind a line or a word if possible, never within a character or an escape sequence. */
export function partEnd(text: string, from: number, most = PART): number {
	const end = from + most;
	if (end >= text.length) return text.length;
	const part = text.slice(from, end);
	const line = part.lastIndexOf("\n") + 1;
	if (line > most / 2) return from + line;
	const sequence = part.lastIndexOf("\u001b");
	if (sequence > most - MAX_ESCAPE) return from + sequence;
	const blank = part.lastIndexOf(" ") + 1;
	if (blank > most / 2) return from + blank;
	return /[\udc00-\udfff\n]/.test(text[end] ?? "") ? end + 1 : end;
}

/** A text in parts of about so many UTF-16 units (`partEnd`); joined they are the text. */
export function* partsOf(text: string, most: number): Generator<string, void> {
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from, most);
		yield text.slice(from, to);
		from = to;
	}
}

/** A line, or a part of one, since a line may have any length. */
export interface OpenLine {
	readonly spans: Line;
	/** Whether it is the last part of its line. */
	readonly isEnd: boolean;
}

interface OpenRows {
	readonly rows: readonly Line[];
	/** Whether the line ends with them. */
	readonly isEnd: boolean;
}

/** The lines of a text of any length, in parts of some kilobytes; `isOpen`: whether the last line continues in the next part. */
export function* lineParts(
	text: string,
): Generator<{ readonly raws: readonly string[]; readonly isOpen: boolean }, void> {
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from);
		const raws = text.slice(from, to).split("\n");
		// There is no line behind the last line end of a part.
		if (raws.at(-1) === "") raws.pop();
		yield { raws, isOpen: to < text.length && text[to - 1] !== "\n" };
		from = to;
	}
}

/** The lines of a text of any length, cleaned and without colors. */
export function* plainLines(text: string, tabStop: number): Generator<OpenLine, void> {
	for (const { raws, isOpen } of lineParts(text)) {
		const lines = cleanLines(raws.join("\n"), tabStop);
		for (const [index, line] of lines.entries()) {
			yield { spans: [{ text: line }], isEnd: index < lines.length - 1 || !isOpen };
		}
	}
}

/** Begins a row in which a line continues. */
const CONTINUED: Span = { text: cleanText("↪ "), tone: "muted", isAside: true };
/** Least cells of a row with that mark. */
const LEAST_MARKED = 20;

interface Continuing {
	/** Whether rows that continue a line begin with "↪ ", if there is room. */
	readonly isMarked?: boolean;
	/** Whether the first line is the rest of one that is drawn elsewhere. */
	readonly isContinued?: boolean;
}

/** Breaks lines into rows (`fillRows`); a part of a line continues in the last row of the part before. */
export function* wrapOpenLines(
	lines: Iterable<OpenLine>,
	width: number,
	{ isMarked = false, isContinued = false }: Continuing = {},
): Generator<OpenRows, void> {
	const mark = isMarked && width >= LEAST_MARKED ? [CONTINUED] : [];
	const inner = width - lineWidth(mark);
	let open: Line = [];
	let isStart = !isContinued;
	for (const { spans, isEnd } of lines) {
		const bareRows = fillRows([...open, ...spans], isStart ? width : inner, inner);
		open = isEnd ? [] : (bareRows.pop() ?? []);
		const rows = bareRows.map((row, index) => (isStart && index === 0 ? row : [...mark, ...goingOn(row, "")]));
		isStart = isEnd || (isStart && rows.length === 0);
		yield { rows, isEnd };
	}
}

/** The rows of lines; none is made before it is needed. Rows that continue a line are marked. */
export function* rowsOfLines(lines: Iterable<OpenLine>, width: number, isContinued = false): Generator<Line, void> {
	for (const { rows } of wrapOpenLines(lines, width, { isMarked: true, isContinued })) yield* rows;
}

const MARK = /^\p{M}/u;
const FIRST_MARK = 0x300;
/** A character with its marks; the group is the character alone. */
const FIRST = /^(.)\p{M}*/su;

/**
 * Breaks a line into rows of at most `width` cells, the first one of `firstWidth`: behind a space near the end of a full row, else where
 * it is full, as a terminal does. Nothing is dropped, not even spaces. A character wider than a row is drawn as "…".
 */
function fillRows(line: Line, firstWidth: number, width = firstWidth): Line[] {
	const rows: Line[] = [];
	let row: Span[] = [];
	let rowWidth = firstWidth;
	let room = firstWidth;
	for (const span of line) {
		let { text } = span;
		while (text !== "") {
			const part = takeCells(text, room, rowWidth);
			if (part === undefined) {
				const rest = text.startsWith(" ") ? [] : takeLastWord(row, Math.min(MOST_CARRIED, Math.floor(width / 2)));
				rows.push(row);
				row = rest;
				rowWidth = width;
				room = width - lineWidth(rest);
				continue;
			}
			row.push({ ...span, text: part.text });
			room -= textWidth(part.text);
			text = part.rest;
		}
	}
	if (row.length > 0 || rows.length === 0) rows.push(row);
	return rows;
}

/** Cells behind a space that may go to the next row. */
const MOST_CARRIED = 20;

/** Takes what follows the last space off a full row, for the next one; nothing if that is too long, or the row would be blank. */
function takeLastWord(row: Span[], most: number): Span[] {
	let cells = 0;
	for (const [index, span] of [...row.entries()].reverse()) {
		const length = span.text.lastIndexOf(" ") + 1;
		const word = sliceText(span.text, length);
		cells += textWidth(word);
		if (cells > most) return [];
		if (length === 0) continue;
		const end = { ...span, text: sliceText(span.text, 0, length) };
		const isBlank = lineText([...row.slice(0, index), end]).trim() === "";
		// A mark stays on its space.
		if (cells === 0 || isBlank || MARK.test(span.text.slice(length))) return [];
		const [, ...later] = row.splice(index, row.length, end);
		return word === "" ? later : [{ ...span, text: word }, ...later];
	}
	return [];
}

interface SplitText {
	readonly text: CleanText;
	readonly rest: CleanText;
}

/** As much of a text as fits in `room` cells; undefined if nothing fits and a whole row has more room. */
function takeCells(text: CleanText, room: number, width: number): SplitText | undefined {
	const fits = beforeMarks(text, fittingLength(text, room));
	if (fits > 0) return { text: sliceText(text, 0, fits), rest: sliceText(text, fits) };
	if (room < width) return undefined;
	const [cluster = "", first = ""] = FIRST.exec(text) ?? [];
	const letter = sliceText(text, 0, first.length);
	// Marks that do not fit get a carrier of their own in the next row, unless they already have one.
	if (textWidth(letter) <= width && first !== MARK_CARRIER)
		return { text: letter, rest: sliceText(text, first.length) };
	return { text: cutText(sliceText(text, 0, cluster.length), width), rest: sliceText(text, cluster.length) };
}

/** The index, or if there is a mark, the index of the letter that it belongs to. */
function beforeMarks(text: string, index: number): number {
	if (text.charCodeAt(index) < FIRST_MARK) return index;
	let start = index;
	while (start > 0 && MARK.test(text.slice(start, start + 2)))
		start -= (text.codePointAt(start - 2) ?? 0) > 0xffff ? 2 : 1;
	return start;
}

/** Puts a line on a ground, filled up with spaces to `width` cells. */
export function onGround(line: Line, width: number, ground: Ground): Line {
	const missing = width - lineWidth(line);
	const grounded = line.map((span) => (span.ground === undefined ? { ...span, ground } : span));
	return missing > 0 ? [...grounded, { text: blanks(missing), ground, isAside: true }] : grounded;
}

/** Breaks a line of prose into rows of at most `width` cells, between words; a character wider than a row is drawn as "…". */
export function wrapProse(line: Line, width: number): Line[] {
	return wrapLine(line, width).flatMap((row) => (lineWidth(row) > width ? fillRows(row, width) : [row]));
}
