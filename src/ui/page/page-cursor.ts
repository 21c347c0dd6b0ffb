import { memoLast } from "../../shared/memo.ts";
import { type Distance, target } from "./distance.ts";
import { scrollTo } from "./scroll-to.ts";

/** Where the person is in the rows of a page. */
export interface PageCursor {
	/** Key of the row under the cursor; undefined: the first. */
	readonly selected: string | undefined;
	/** Index of the cursor, for when its row is gone. */
	readonly index: number;
	/** First visible row, from 0. */
	readonly top: number;
}

/** What a page must tell of its rows. */
export interface PageRow {
	/** What the row is known by, whatever comes before it. */
	readonly key: string;
	/** The cursor goes over it: a heading. */
	readonly isSkipped?: boolean;
}

export const FIRST_CURSOR: PageCursor = { selected: undefined, index: 0, top: 0 };

/** Index of the cursor: that of its row, or where the row was, or the next one that it may be on; -1 where there is none. */
export function cursorIndex({ selected, index }: PageCursor, rows: readonly PageRow[]): number {
	if (selected === undefined) return nearestRow(rows, 0, 1);
	const at = rows[index]?.key === selected ? index : indexOf(rows, selected);
	return at === -1 ? nearestRow(rows, Math.min(index, rows.length - 1), 1) : at;
}

/** The row under the cursor. */
export function rowAtCursor<Row extends PageRow>(cursor: PageCursor, rows: readonly Row[]): Row | undefined {
	return rows[cursorIndex(cursor, rows)];
}

/** The cursor moved by a distance, in rows of which `height` are visible. */
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

/** The cursor on a row that exists, and in sight; the same object where it is so. */
export function placeCursor(cursor: PageCursor, rows: readonly PageRow[], height: number): PageCursor {
	const index = Math.max(0, cursorIndex(cursor, rows));
	const top = scrollTo(cursor.top, index, height, rows.length);
	return top === cursor.top && index === cursor.index ? cursor : { ...cursor, top, index };
}

/** The row at this index, or where the cursor skips that, the next one that it does not, first in this direction. */
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
