import { cellWidth } from "./cell-width.ts";
import { largest } from "./largest.ts";

/** The escape sequences that our own texts contain: styles and links. */
const SEQUENCES = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Widths of the rows on the screen now or a few frames ago; Ink asks several times for each, at each frame. */
const known = new Map<string, number>();
const MOST_KNOWN = 5000;

/**
 * Width of a row that already contains its styles. scripts/ink-patches.ts puts `widestRow` in the place of the `widest-line`
 * package that Ink measures with, so that Ink's layout agrees with how we cut.
 */
export function styledWidth(row: string): number {
	const before = known.get(row);
	if (before !== undefined) return before;
	if (known.size >= MOST_KNOWN) known.clear();
	const width = cellWidth(row.includes("\u001b") ? row.replace(SEQUENCES, "") : row);
	known.set(row, width);
	return width;
}

/** Width of the widest row of a text. */
export function widestRow(text: string): number {
	return text.includes("\n") ? largest(text.split("\n").map(styledWidth)) : styledWidth(text);
}
