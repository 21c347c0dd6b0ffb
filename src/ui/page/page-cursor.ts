import { memoLast } from "../../shared/memo.ts";
import { type Distance, scrollTo, target } from "./distance.ts";

/** The cursor in the rows of a page, and the scroll position. */
export interface PageCursor {
	/** Key of the row under the cursor; undefined: the first row. */
	readonly selected: string | undefined;
	/** Index of the cursor, used once its row is gone. */
	readonly index: number;
	/** Index of the first visible row. */
	readonly top: number;
}

/** What a page's cursor needs to know of each row. */
export interface PageRow {
	/** Identifies the row, wherever it stands. */
	readonly key: string;
	/** Whether the cursor skips it, as it does headings. */
	readonly isSkipped?: boolean;
}

export const FIRST_CURSOR: PageCursor = { selected: undefined, index: 0, top: 0 };

/** Index of the cursor: that of its row; if the row is gone, of the nearest row where it was; -1 if there is none. */
export function cursorIndex({ selected, index }: PageCursor, rows: readonly PageRow[]): number {
	if (selected === undefined) return nearestRow(rows, 0, 1);
	const at = rows[index]?.key === selected ? index : indexOf(rows, selected);
	return at === -1 ? nearestRow(rows, Math.min(index, rows.length - 1), 1) : at;
}

/** The row under the cursor. */
export function rowAtCursor<Row extends PageRow>(cursor: PageCursor, rows: readonly Row[]): Row | undefined {
	return rows[cursorIndex(cursor, rows)];
}

/** Moves the cursor by a distance, in rows of which `height` are visible. */
export function moveCursor(
	cursor: PageCursor,
	rows: readonly PageRow[],
	distance: Distance,
	height: number,
): PageCursor {
	const from = cursorIndex(cursor, rows);
	const to = target(from, distance, height, rows.length);
	const index = nearestRow(rows, to, to < from ? -1 : 1);
	return { ...cursor, selected: rows[index]?.key, index: Math.max(0, index) };
}

/** Puts the cursor on a row that exists and scrolls to it; the same object if nothing changes. */
export function placeCursor(cursor: PageCursor, rows: readonly PageRow[], height: number): PageCursor {
	const index = Math.max(0, cursorIndex(cursor, rows));
	const top = scrollTo(cursor.top, index, height, rows.length);
	return top === cursor.top && index === cursor.index ? cursor : { ...cursor, top, index };
}

/** Index of the nearest row that the cursor does not skip, first in the direction `by`; -1 if there is none. */
function nearestRow(rows: readonly PageRow[], index: number, by: 1 | -1): number {
	const from = (direction: 1 | -1): number => {
		let at = index;
		while (rows[at]?.isSkipped === true) at += direction;
		return rows[at] === undefined ? -1 : at;
	};
	const first = from(by);
	return first === -1 ? from(by === 1 ? -1 : 1) : first;
}

const indexOf = memoLast((rows: readonly PageRow[], key: string) => rows.findIndex((row) => row.key === key));
