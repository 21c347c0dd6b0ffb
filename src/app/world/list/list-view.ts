import { maskOf } from "../../../catalog/query/kinds.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Box } from "../../../ui/view.ts";
import { layoutFor } from "../layout.ts";
import { LEAST_WIDTH, type PlacedColumn, placeColumns } from "../state/columns.ts";
import type { State } from "../state/state.ts";
import { projectNames } from "./project-names.ts";
import { HERE } from "./row-cells.ts";
import { orderInUse, selectList } from "./select-list.ts";
import { savedHeight } from "./select-saved.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd"]);
/** A list at least this high, and not narrow, has a row that says what its columns are. */
const HEAD_HEIGHT = 8;

/** Screen rows per session: a search result has its snippet below the title, where there can be one. */
export function rowHeight(state: State): 1 | 2 {
	const { terms } = state.list.search.query;
	return selectList(state).searching && terms.some(({ kinds }) => (kinds & ~IN_ROW) !== 0) ? 2 : 1;
}

/** Screen rows above the sessions, for what the columns are. */
export function headRows({ width, height }: Box): 0 | 1 {
	return width >= LEAST_WIDTH && height >= HEAD_HEIGHT ? 1 : 0;
}

/** Screen rows above the sessions in all: the saved queries are further up. */
function aboveSessions(state: State, box: Box): number {
	return headRows(box) + savedHeight(state);
}

/** How many rows of sessions fit in the list; 0 while it is not drawn. */
export function listCapacity(state: State): number {
	const box = layoutFor(state).list;
	return box === undefined ? 0 : Math.floor((box.height - aboveSessions(state, box)) / rowHeight(state));
}

/** The index of the row that is at a screen row of the list; undefined where there is none. */
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
	// In sections there are sessions of all projects.
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
