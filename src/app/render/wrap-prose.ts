import type { Line } from "../model/view.ts";
import { cutLine, lineWidth } from "../text/width.ts";
import { wrapLine } from "../text/wrap.ts";

/** A line of prose in rows of at most `width` cells, broken between words; a character wider than a row is drawn as "…". */
export function wrapProse(line: Line, width: number): Line[] {
	return wrapLine(line, width).map((row) => (lineWidth(row) > width ? cutLine(row, width) : row));
}
