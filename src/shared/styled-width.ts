import { stripVTControlCharacters } from "node:util";
import { cellWidth } from "./cell-width.ts";
import { largest } from "./largest.ts";

/**
 * Widths as Ink asks for them, of texts that already hold their styles. scripts/ink-patches.ts puts these two in the place
 * of the `string-width` and `widest-line` packages that Ink measures with, so that it lays out what we have cut to size.
 */
export function styledWidth(text: string): number {
	return cellWidth(text.includes("\u001b") ? stripVTControlCharacters(text) : text);
}

/** Width of the widest row of a text. */
export function widestRow(text: string): number {
	return text.includes("\n") ? largest(text.split("\n").map(styledWidth)) : styledWidth(text);
}
