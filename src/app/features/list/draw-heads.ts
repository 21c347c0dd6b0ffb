import type { Line } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";
import { joinEnds } from "../../../ui/text/width.ts";
import { COLUMN_GAP, COLUMN_INFO, type PlacedColumn, pathRoom, sortOf } from "../../world/state/columns.ts";
import type { Order } from "../../world/state/list-order.ts";

/** In front of the head of the column that the list is ordered by: largest or newest first, and the other way round. */
const ARROWS = ["▾", "▴"] as const;

/** The row above the sessions: what the columns are, and which one they are ordered by. A click on one orders by it. */
export function drawHeads(title: Line, columns: readonly PlacedColumn[], order: Order, width: number): Line {
	return joinEnds(title, [...columns.flatMap((column) => drawHead(column, order)), span(" ")], width);
}

/** The same where the paths of the files stand in place of the columns. */
export function drawPathHeads(title: Line, columns: readonly PlacedColumn[], order: Order, width: number): Line {
	const age = columns.filter(({ column }) => column === "age");
	const room = pathRoom(width);
	if (room <= 0) return drawHeads(title, columns, order, width);
	const file = span(`${" ".repeat(COLUMN_GAP)}${"file".padEnd(room)}`, "muted");
	return joinEnds(title, [file, ...age.flatMap((column) => drawHead(column, order)), span(" ")], width);
}

function drawHead({ column, width }: PlacedColumn, { sort, reversed }: Order): Line {
	const info = COLUMN_INFO[column];
	const isSorted = sortOf(column) === sort;
	const text = `${isSorted ? ARROWS[reversed ? 1 : 0] : ""}${info.heading}`;
	const aligned = info.align === "left" ? text.slice(0, width).padEnd(width) : text.padStart(width);
	// An arrow may stand in the gap.
	const gap = " ".repeat(Math.max(0, COLUMN_GAP + width - aligned.length));
	return [span(gap), { ...span(aligned, isSorted ? "accent" : "muted"), press: `sort-${sortOf(column)}` }];
}
