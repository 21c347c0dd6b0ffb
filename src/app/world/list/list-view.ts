import { maskOf } from "../../../catalog/query/kinds.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type Distance, target } from "../../../ui/page/distance.ts";
import type { Box } from "../../../ui/view.ts";
import { layoutFor } from "../screen/layout.ts";
import { LEAST_WIDTH, type PlacedColumn, placeColumns } from "../state/columns.ts";
import type { State } from "../state/state.ts";
import { isHeading, keyOf, selectableAt } from "./headings.ts";
import { projectNames } from "./projects.ts";
import { HERE } from "./row-cells.ts";
import { orderInUse, selectList } from "./select-list.ts";
import { savedHeight } from "./select-saved.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd"]);
/** A list at least this high, and not narrow, has a row of column headings. */
const HEAD_HEIGHT = 8;

/** Screen rows per session: search results have a row for the snippet if there can be one. */
export function rowHeight(state: State): 1 | 2 {
	const { terms } = state.list.search.query;
	return selectList(state).searching && terms.some(({ kinds }) => (kinds & ~IN_ROW) !== 0) ? 2 : 1;
}

/** Screen rows of column headings. */
export function headRows({ width, height }: Box): 0 | 1 {
	return width >= LEAST_WIDTH && height >= HEAD_HEIGHT ? 1 : 0;
}

/** Screen rows above the sessions: saved queries, then column headings. */
function aboveSessions(state: State, box: Box): number {
	return headRows(box) + savedHeight(state);
}

/** Number of items that fit in the list; 0 while it is not drawn. */
export function listCapacity(state: State): number {
	const box = layoutFor(state).list;
	return box === undefined ? 0 : Math.floor((box.height - aboveSessions(state, box)) / rowHeight(state));
}

/** The index of the item at a screen row of the list; undefined if there is none. */
export function itemAtRow(state: State, box: Box, row: number): number | undefined {
	const { items } = selectList(state);
	const below = row - aboveSessions(state, box);
	const index = state.list.top + Math.floor(below / rowHeight(state));
	return below < 0 || index >= items.length ? undefined : index;
}

/** The columns that are drawn beside the titles. */
export function listColumns(state: State, width: number): readonly PlacedColumn[] {
	const { hidden } = state.list.settings;
	const { sort } = orderInUse(state);
	const { byProject, sections } = selectList(state);
	// Sections contain sessions of all projects.
	const isInHeading = byProject && sections.length === 0;
	const isOneProject = state.list.scope === "here" || state.list.scope === "project" || isInHeading;
	return placed(width, hidden, sort, isOneProject ? 0 : projectNames(state.catalog.rows).width + HERE.length);
}

const placed = memoLast(
	(
		width: number,
		hidden: State["list"]["settings"]["hidden"],
		sort: ReturnType<typeof orderInUse>["sort"],
		projectWidth: number,
	) => placeColumns({ width, hidden, sort, projectWidth }),
);

/** Paths of the visible sessions; if the list is not drawn, that of the session under the cursor. */
export function selectVisiblePaths(state: State): readonly string[] {
	const { items } = selectList(state);
	const { index, top } = state.list;
	const capacity = listCapacity(state);
	const visible = capacity === 0 ? items.slice(index, index + 1) : items.slice(top, top + capacity);
	return visible.flatMap((item) => (isHeading(item) ? [] : [item.row.path]));
}

/** Moves the cursor in the list, never past an end. */
export function moveInList(state: State, distance: Distance): State {
	const { items } = selectList(state);
	const from = state.list.index;
	const to = target(from, distance, Math.max(1, listCapacity(state)), items.length);
	const item = items[selectableAt(items, to, to < from ? -1 : 1)];
	const selected = item && keyOf(item);
	// After moving the cursor to a row, the person means that row, however soon the next key comes.
	const seen = { path: selected, query: state.list.search.query, since: 0 };
	return { ...state, list: { ...state.list, selected, seen, cursorSet: true, pendingSelection: undefined } };
}
