import { sanitizeLine } from "./sanitize.ts";
import { cutText } from "./width.ts";

const MAX_WIDTH = 50;

/** A title, name or label for use in a sentence: “Refactor the import parser”; cut to `width` cells, at most 50. */
export function quote(text: string, width = MAX_WIDTH): string {
	return `“${cutText(sanitizeLine(text), Math.min(width, MAX_WIDTH))}”`;
}
