import { type PageRow, rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { markTo, NO_MARKED, toggleMarks } from "../../../ui/page/page-marks.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { State } from "../../world/state/state.ts";
import { say } from "../../world/state/transition.ts";
import { openedPage } from "./pages.ts";

/** The row under the cursor of a page whose rows can be marked. */
export function rowToMark(state: State): PageRow | undefined {
	const page = openedPage(state);
	const rows = page?.marking?.rows(state);
	return page && rows && rowAtCursor(page.cursor(state), rows);
}

export function hasMarks(state: State): boolean {
	const marks = openedPage(state)?.marking?.of(state);
	return marks !== undefined && marks.marked.size > 0;
}

/** Marks the row under the cursor, or takes its mark away, and goes to the next one; of a heading, all of its group. */
export function markRow(state: State): State {
	const page = openedPage(state);
	const row = rowToMark(state);
	if (page?.marking === undefined || row === undefined) return state;
	const { marking } = page;
	const keys = marking.marksOf?.(state, row.key) ?? [row.key];
	const marked = marking.withMarks(state, toggleMarks(marking.of(state), keys, row.key));
	return keys.includes(row.key) ? page.move(marked, { rows: 1 }) : marked;
}

/** Marks all from the row that was marked last to the one under the cursor. */
export function markRows(state: State): State {
	const page = openedPage(state);
	if (page?.marking === undefined) return state;
	const { marking } = page;
	const next = markTo(marking.of(state), marking.rows(state), page.cursor(state));
	const marked = marking.marksOf === undefined ? next.marked : next.marked.intersection(new Set(marking.all(state)));
	return marking.withMarks(state, { ...next, marked });
}

/** Marks all; once all are marked, takes the marks away. */
export function markAllRows(state: State): State {
	const marking = openedPage(state)?.marking;
	if (marking === undefined) return state;
	const all = marking.all(state);
	if (all.length === 0) return say(state, "There is nothing that all would mark", "warning");
	const marks = marking.of(state);
	const next = toggleMarks(marks, all, marks.lastMarked);
	const said =
		next.marked.size === 0 ? "All marks taken away" : `${formatCounted(next.marked.size, ...marking.what)} marked`;
	return say(marking.withMarks(state, next), said);
}

export function unmarkRows(state: State): State {
	const marking = openedPage(state)?.marking;
	return marking === undefined ? state : marking.withMarks(state, NO_MARKED);
}
