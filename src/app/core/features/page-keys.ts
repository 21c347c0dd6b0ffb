import { markTo, NO_MARKED, type PageRow, rowAtCursor, toggleMarks } from "../../../ui/page/page-rows.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { change, type Key } from "../../world/keys/key.ts";
import type { PageKind } from "../../world/state/overlays.ts";
import { type State, say, transition } from "../../world/state/state.ts";
import { MARKED_PAGES, openedPage } from "./features.ts";

/** Pages that change sessions. */
const CHANGING = ["maintenance"] as const satisfies readonly PageKind[];

/** The keys that pages have in common; their own keys come first. */
// biome-ignore format: a table
export const PAGE_KEYS: readonly Key[] = [
	{ id: "mark", keys: [" ", "ctrl+space", "insert", "shift+down"], contexts: MARKED_PAGES, short: "mark", needs: needsRow,
		help: "mark or unmark the row under the cursor; on a heading, its whole group", run: change(markRow) },
	{ id: "mark-range", keys: [], contexts: MARKED_PAGES, needs: needsRow,
		help: "mark all rows from the last marked one to this one", run: change(markRows) },
	{ id: "mark-all", keys: [], contexts: MARKED_PAGES, needs: needsRow,
		help: "mark all rows; if all are marked, unmark them", run: change(markAllRows) },
	{ id: "unmark-rows", keys: ["escape"], contexts: MARKED_PAGES, short: "unmark", pi: "tui.select.cancel",
		when: (state) => state.progress === undefined && hasMarks(state), help: "clear all marks", run: change(unmarkRows) },
	{ id: "undo", keys: ["ctrl+_"], contexts: CHANGING, help: "undo the last change",
		run: (state) => transition(state, { type: "undo", inSight: true }) },
];

function needsRow(state: State): string | undefined {
	return rowToMark(state) === undefined ? "There is nothing to mark" : undefined;
}

/** The row under the cursor of a page whose rows can be marked. */
function rowToMark(state: State): PageRow | undefined {
	const page = openedPage(state);
	const rows = page?.marking?.rows(state);
	return page && rows && rowAtCursor(page.cursor(state), rows);
}

function hasMarks(state: State): boolean {
	const marks = openedPage(state)?.marking?.of(state);
	return marks !== undefined && marks.marked.size > 0;
}

/** Marks or unmarks the row under the cursor and moves to the next one; for a heading, its whole group. */
function markRow(state: State): State {
	const page = openedPage(state);
	const row = rowToMark(state);
	if (page?.marking === undefined || row === undefined) return state;
	const { marking } = page;
	const keys = marking.marksOf?.(state, row.key) ?? [row.key];
	const marked = marking.withMarks(state, toggleMarks(marking.of(state), keys, row.key));
	return keys.includes(row.key) ? page.move(marked, { rows: 1 }) : marked;
}

/** Marks all rows from the last marked one to the one under the cursor. */
function markRows(state: State): State {
	const page = openedPage(state);
	if (page?.marking === undefined) return state;
	const { marking } = page;
	const next = markTo(marking.of(state), marking.rows(state), page.cursor(state));
	const marked = marking.marksOf === undefined ? next.marked : next.marked.intersection(new Set(marking.all(state)));
	return marking.withMarks(state, { ...next, marked });
}

/** Marks all rows, or unmarks them if all are marked. */
function markAllRows(state: State): State {
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

function unmarkRows(state: State): State {
	const marking = openedPage(state)?.marking;
	return marking === undefined ? state : marking.withMarks(state, NO_MARKED);
}
