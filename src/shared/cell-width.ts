import { eastAsianWidth } from "get-east-asian-width";
import { largest } from "./columns.ts";

/** Printable ASCII takes one cell per character. */
const ASCII = /^[ -~]*$/;

/** A character that takes cells at all. */
const VISIBLE =
	/[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;

/** Widths of characters by code point, plus one; 0: not computed yet. */
const widths = new Uint8Array(0x110000);

/**
 * Width of one row of text in terminal cells: the sum over its code points, 0 for combining marks and invisible characters,
 * 2 for East Asian wide characters and emoji, 1 for all others. This is how a terminal without grapheme clusters counts
 * (xterm, tmux, most others), and it is additive: however a text is cut, the widths of its pieces add up to its own.
 * Padding, cutting, Ink's layout and column positions all use this width and no other.
 */
export function cellWidth(text: string): number {
	if (ASCII.test(text)) return text.length;
	let width = 0;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		if (codePoint > 0xffff) index++;
		width += codePointWidth(codePoint);
	}
	return width;
}

/** Width of one character in terminal cells: 0, 1 or 2. */
export function codePointWidth(codePoint: number): number {
	const cached = widths[codePoint];
	if (cached) return cached - 1;
	const width = VISIBLE.test(String.fromCodePoint(codePoint)) ? eastAsianWidth(codePoint) : 0;
	widths[codePoint] = width + 1;
	return width;
}

/** The escape sequences that our own texts contain: styles and links. */
const SEQUENCES = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Widths of the rows on the screen now or a few frames ago; Ink asks several times for each, at each frame. */
const rowWidths = new Map<string, number>();
const MOST_KNOWN = 5000;

/**
 * Width of a row that already contains its styles. scripts/ink-patches.ts puts `widestRow` in the place of the `widest-line`
 * package that Ink measures with, so that Ink's layout agrees with how we cut.
 */
export function styledWidth(row: string): number {
	const cached = rowWidths.get(row);
	if (cached !== undefined) return cached;
	if (rowWidths.size >= MOST_KNOWN) rowWidths.clear();
	const width = cellWidth(row.includes("\u001b") ? row.replace(SEQUENCES, "") : row);
	rowWidths.set(row, width);
	return width;
}

export function widestRow(text: string): number {
	return text.includes("\n") ? largest(text.split("\n").map(styledWidth)) : styledWidth(text);
}
