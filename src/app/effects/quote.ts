import { sanitizeLine } from "../text/sanitize.ts";
import { cutText } from "../text/width.ts";

/** Cells that a title, name or label gets in a sentence. */
const WIDTH = 50;

/** A title, name or label as part of a sentence: “Refactor the import parser”. */
export function quote(text: string): string {
	return `“${cutText(sanitizeLine(text), WIDTH)}”`;
}
