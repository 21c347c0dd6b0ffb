import type { Box, Size } from "../../../ui/view.ts";

/** From this width on, the second part is beside the rows; from this many screen rows on, it is below them. */
const BESIDE_COLUMNS = 140;
const BELOW_ROWS = 20;
const LIST_SHARE = 0.55;
const LIST_ROWS_SHARE = 0.5;
/** From this many screen rows on, a few lines below the rows describe the one under the cursor. */
const DETAIL_FROM_ROWS = 16;
const DETAIL_ROWS = 5;

/** The boxes of a page: its rows, and a part about the one under the cursor; the title of each is in the row above. */
export interface PageLayout {
	readonly list: Box;
	readonly second: Box | undefined;
}

/** Rows with a tree or a longer text beside or below them. */
export function layoutWithPreview(size: Size): PageLayout {
	const list = wholePage(size);
	if (size.columns >= BESIDE_COLUMNS) {
		const width = Math.floor(size.columns * LIST_SHARE);
		return { list: { ...list, width }, second: { ...list, x: width + 1, width: size.columns - width - 1 } };
	}
	if (size.rows < BELOW_ROWS) return { list, second: undefined };
	const height = Math.floor(list.height * LIST_ROWS_SHARE);
	return { list: { ...list, height }, second: { ...list, y: list.y + height + 1, height: list.height - height - 1 } };
}

/** Rows with a few lines below them. */
export function layoutWithDetail(size: Size): PageLayout {
	const list = wholePage(size);
	if (size.rows < DETAIL_FROM_ROWS) return { list, second: undefined };
	const height = list.height - DETAIL_ROWS - 1;
	return { list: { ...list, height }, second: { ...list, y: list.y + height + 1, height: DETAIL_ROWS } };
}

/** Everything between the title and the footer, for a page of one part. */
export function wholePage({ columns, rows }: Size): Box {
	return { x: 0, y: 2, width: columns, height: Math.max(0, rows - 3) };
}
