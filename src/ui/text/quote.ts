import { sanitizeLine } from "./sanitize.ts";
import { cutText } from "./width.ts";

/** Cells that a title, name or label gets in a sentence. */
const WIDTH = 50;

/** A title, name or label as part of a sentence: “Refactor the import parser”; cut to `width` cells, at most 50. */
export function quote(text: string, width = WIDTH): string {
	return `“${cutText(sanitizeLine(text), Math.min(width, WIDTH))}”`;
}
