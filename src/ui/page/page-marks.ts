import { cursorIndex, type PageCursor, type PageRow } from "./page-cursor.ts";

/** The marked rows of a page. */
export interface PageMarks {
	/** Keys of the marked rows. */
	readonly marked: ReadonlySet<string>;
	/** Key of the row that was marked last, where a range begins. */
	readonly lastMarked: string | undefined;
}

export const NO_MARKED: PageMarks = { marked: new Set(), lastMarked: undefined };

/** Marks these rows, or unmarks them if all are marked; `last`: key of the row under the cursor. */
export function toggleMarks({ marked }: PageMarks, keys: readonly string[], last: string | undefined): PageMarks {
	const next = new Set(marked);
	const isAll = keys.every((key) => next.has(key));
	for (const key of keys) {
		if (isAll) next.delete(key);
		else next.add(key);
	}
	return { marked: next, lastMarked: last };
}

/** Marks the rows from the one marked last to the one under the cursor; only the latter if the former is gone. */
export function markTo({ marked, lastMarked }: PageMarks, rows: readonly PageRow[], cursor: PageCursor): PageMarks {
	const end = cursorIndex(cursor, rows);
	const from = rows.findIndex(({ key }) => key === lastMarked);
	const start = from === -1 ? end : from;
	const range = rows
		.slice(Math.min(start, end), Math.max(start, end) + 1)
		.filter(({ isSkipped }) => isSkipped !== true);
	return { marked: new Set([...marked, ...range.map(({ key }) => key)]), lastMarked: rows[end]?.key };
}

/** The marks without those of rows that are gone; the same object if none is. */
export function keepMarks(marks: PageMarks, rows: readonly PageRow[]): PageMarks {
	if (marks.marked.size === 0) return marks;
	const keys = new Set(rows.map(({ key }) => key));
	const kept = [...marks.marked].filter((key) => keys.has(key));
	return kept.length === marks.marked.size ? marks : { ...marks, marked: new Set(kept) };
}
