import type { Ground, Line, Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, MARK_CARRIER, sliceText } from "../../ui/text/sanitize.ts";
import { cutText, fittingLength, lineWidth, textWidth } from "../../ui/text/width.ts";
import { wrapLine } from "../../ui/text/wrap.ts";

const MARK = /^\p{M}/u;
const FIRST_MARK = 0x300;
/** A character with its marks; the group is the character alone. */
const FIRST = /^(.)\p{M}*/su;

/**
 * Breaks a line into rows of at most `width` cells where they are full, as a terminal does; nothing is dropped, not even
 * spaces. A character wider than a row is drawn as "…".
 */
export function hardWrap(line: Line, width: number): Line[] {
	const rows: Line[] = [];
	let row: Span[] = [];
	let room = width;
	for (const span of line) {
		let { text } = span;
		while (text !== "") {
			const part = takeCells(text, room, width);
			if (part === undefined) {
				rows.push(row);
				row = [];
				room = width;
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

interface Taken {
	readonly text: CleanText;
	readonly rest: CleanText;
}

/** As much of a text as fits in `room` cells; undefined if nothing fits and a whole row has more room. */
function takeCells(text: CleanText, room: number, width: number): Taken | undefined {
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
	return missing > 0 ? [...grounded, { text: blanks(missing), ground }] : grounded;
}

/** Breaks a line of prose into rows of at most `width` cells, between words; a character wider than a row is drawn as "…". */
export function wrapProse(line: Line, width: number): Line[] {
	return wrapLine(line, width).flatMap((row) => (lineWidth(row) > width ? hardWrap(row, width) : [row]));
}
