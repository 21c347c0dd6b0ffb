import type { Size } from "../model/state.ts";
import type { Box } from "../model/view.ts";

/** From this many rows on, what there is to say of the change under the cursor stands below the list. */
const DETAIL_FROM_ROWS = 16;
/** Rows of that. */
const DETAIL_ROWS = 5;

/** The boxes of the page; the title of each is in the row above. */
export interface HistoryLayout {
	readonly list: Box;
	readonly detail: Box | undefined;
}

export function historyLayout({ columns, rows }: Size): HistoryLayout {
	const list = { x: 0, y: 2, width: columns, height: Math.max(0, rows - 3) };
	if (rows < DETAIL_FROM_ROWS) return { list, detail: undefined };
	const height = list.height - DETAIL_ROWS - 1;
	return { list: { ...list, height }, detail: { ...list, y: list.y + height + 1, height: DETAIL_ROWS } };
}
