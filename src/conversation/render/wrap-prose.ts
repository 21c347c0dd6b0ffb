import { lineWidth } from "../../ui/text/width.ts";
import { wrapLine } from "../../ui/text/wrap.ts";
import type { Line } from "../../ui/view.ts";
import { hardWrap } from "./hard-wrap.ts";

/** A line of prose in rows of at most `width` cells, broken between words; a character wider than a row is drawn as "…". */
export function wrapProse(line: Line, width: number): Line[] {
	return wrapLine(line, width).flatMap((row) => (lineWidth(row) > width ? hardWrap(row, width) : [row]));
}
