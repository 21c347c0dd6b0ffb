import { memoLast } from "../../shared/memo.ts";
import { span, type Tone } from "../text/line.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { wrapText } from "../text/wrap.ts";
import type { Box, RowView } from "../view.ts";

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
	readonly key: string;
	/** Whether the cursor skips it, as it does headings. */
	readonly isSkipped?: boolean;
}

export const FIRST_CURSOR: PageCursor = { selected: undefined, index: 0, top: 0 };

/** Index of the cursor: that of its row; if the row is gone, of the nearest row where it was; -1 if there is none. */
export function cursorIndex({ selected, index }: PageCursor, rows: readonly PageRow[]): number {
	if (selected === undefined) return nearestRow(rows, 0, 1);
	const at = indexOfKey(rows, selected, index);
	return at === -1 ? nearestRow(rows, Math.min(index, rows.length - 1), 1) : at;
}

export function rowAtCursor<Row extends PageRow>(cursor: PageCursor, rows: readonly Row[]): Row | undefined {
	return rows[cursorIndex(cursor, rows)];
}

/** `height`: the number of visible rows. */
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

/** Puts the cursor on a row that exists and, if any are visible, scrolls to it; the same object if nothing changes. */
export function placeCursor(cursor: PageCursor, rows: readonly PageRow[], height: number): PageCursor {
	const index = Math.max(0, cursorIndex(cursor, rows));
	const top = height === 0 ? cursor.top : scrollTo(cursor.top, index, height, rows.length);
	return top === cursor.top && index === cursor.index ? cursor : { ...cursor, top, index };
}

/** The index, or that of the nearest row that the cursor does not skip, first in the direction `by`; -1 if there is none. */
export function nearestRow(rows: readonly PageRow[], index: number, by: 1 | -1): number {
	return nearestIndex(rows, index, by, ({ isSkipped }) => isSkipped !== true);
}

/** The index, or that of the nearest item on which the cursor may be, first in the direction `by`; -1 if there is none. */
export function nearestIndex<Item extends object>(
	items: readonly Item[],
	index: number,
	by: 1 | -1,
	isSelectable: (item: Item) => boolean,
): number {
	for (const direction of [by, -by]) {
		let at = index;
		for (let item = items[at]; item !== undefined; item = items[at]) {
			if (isSelectable(item)) return at;
			at += direction;
		}
	}
	return -1;
}

/** The index of the row with a key; -1 if there is none. `near`: a likely index, which is checked first. */
export function indexOfKey(rows: readonly PageRow[], key: string, near = 0): number {
	return rows[near]?.key === key ? near : searchKey(rows, key);
}

const searchKey = memoLast((rows: readonly PageRow[], key: string) => rows.findIndex((row) => row.key === key));

/** How far a key moves a cursor or scrolls: rows, pages (fractions too), or to an end. */
export type Distance = { readonly rows: number } | { readonly pages: number } | { readonly end: "first" | "last" };

/** The index that a distance leads to from `index`, in `count` rows; `height`: the number of visible ones. */
export function target(index: number, distance: Distance, height: number, count: number): number {
	if ("end" in distance) return distance.end === "first" ? 0 : count - 1;
	const rows = "rows" in distance ? distance.rows : distance.pages * Math.max(1, height - 1);
	return Math.max(0, Math.min(index + rows, count - 1));
}

/** Rows shown above and below a cursor if there is room. */
const MARGIN = 2;

/** The first visible row that shows `index` with a margin and scrolls as little as possible. */
export function scrollTo(top: number, index: number, height: number, count: number): number {
	const margin = Math.min(MARGIN, Math.floor((height - 1) / 2));
	const lowest = index - height + 1 + margin;
	const highest = index - margin;
	return Math.max(0, Math.min(Math.max(lowest, Math.min(top, highest)), count - height));
}

export interface PageMarks {
	readonly marked: ReadonlySet<string>;
}

export const NO_MARKED: PageMarks = { marked: new Set() };

/** Marks these rows, or unmarks them if all are marked. */
export function toggleMarks({ marked }: PageMarks, keys: readonly string[]): PageMarks {
	const next = new Set(marked);
	const isAll = keys.every((key) => next.has(key));
	for (const key of keys) {
		if (isAll) next.delete(key);
		else next.add(key);
	}
	return { marked: next };
}

/** The marks without those of rows that are gone; the same object if none is. */
export function keepMarks(marks: PageMarks, rows: readonly PageRow[]): PageMarks {
	if (marks.marked.size === 0) return marks;
	const keys = new Set(rows.map(({ key }) => key));
	const keptKeys = [...marks.marked].filter((key) => keys.has(key));
	return keptKeys.length === marks.marked.size ? marks : { ...marks, marked: new Set(keptKeys) };
}

/** A sentence in place of rows that says why there are none. */
export function noticeRows(text: string, tone: Tone, { width, height }: Pick<Box, "width" | "height">): RowView[] {
	return wrapText(sanitizeLine(text), width - 2)
		.slice(0, height)
		.map((line, index) => ({ key: `notice ${index}`, line: [span(` ${line}`, tone)], selected: false }));
}
