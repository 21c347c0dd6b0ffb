import type { Size } from "../model/state.ts";
import type { Box } from "../model/view.ts";

/** From this width on, the tree of a session is beside the list; from this many rows on, below it. */
const BESIDE_COLUMNS = 140;
const BELOW_ROWS = 20;
const LIST_SHARE = 0.55;
const LIST_ROWS_SHARE = 0.5;

/** The boxes of the page; the title of each is in the row above. */
interface TrashLayout {
	readonly list: Box;
	/** Where the tree of the session under the cursor is shown. */
	readonly preview: Box | undefined;
	/** The column between them. */
	readonly divider: Box | undefined;
}

export function trashLayout({ columns, rows }: Size): TrashLayout {
	const list = { x: 0, y: 2, width: columns, height: Math.max(0, rows - 3) };
	if (columns >= BESIDE_COLUMNS) {
		const width = Math.floor(columns * LIST_SHARE);
		const divider = { x: width, y: 2, width: 1, height: list.height };
		return { list: { ...list, width }, preview: { ...list, x: width + 1, width: columns - width - 1 }, divider };
	}
	if (rows < BELOW_ROWS) return { list, preview: undefined, divider: undefined };
	const height = Math.floor(list.height * LIST_ROWS_SHARE);
	const below = { ...list, y: list.y + height + 1, height: list.height - height - 1 };
	return { list: { ...list, height }, preview: below, divider: undefined };
}

/** From this many rows on, the columns have heads. */
const HEAD_FROM_ROWS = 8;

/** Rows above those of the items. */
export function headRows(height: number): number {
	return height >= HEAD_FROM_ROWS ? 1 : 0;
}
