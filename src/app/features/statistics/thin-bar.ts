import { type Line, span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";

/** A cell of a thin bar, half a cell, and a cell of the highlighted part, which differs in shape as well as in color. */
const CELL = "━";
const HALF = "╸";
export const PART_CELL = "╍";

/**
 * A thin bar in `width` cells: `value` relative to `most`, and its last `part` in another shape. A value above 0 is always visible,
 * and a part smaller than the value never fills the bar.
 */
export function thinBar(value: number, part: number, most: number, width: number): Line {
	if (width <= 0) return [];
	const halves = most > 0 && value > 0 ? Math.max(1, Math.round((Math.min(value, most) / most) * width * 2)) : 0;
	const [start, end] = part > 0 && halves > 1 ? inTwo(Math.round(halves / 2), part / value) : [inHalves(halves), ""];
	return [span(start, "verb"), span(end, "muted"), { text: blanks(width - start.length - end.length) }];
}

function inHalves(halves: number): string {
	return CELL.repeat(Math.floor(halves / 2)) + (halves % 2 === 0 ? "" : HALF);
}

function inTwo(cells: number, share: number): [string, string] {
	const most = share >= 1 ? cells : cells - 1;
	const part = Math.min(most, Math.max(1, Math.round(cells * share)));
	return [CELL.repeat(cells - part), PART_CELL.repeat(part)];
}
