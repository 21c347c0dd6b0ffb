import type { SessionRow } from "../../../catalog/model/row.ts";
import { maskOf } from "../../../catalog/query/kinds.ts";
import { flatTerms, hasWords, type Term } from "../../../catalog/query/term.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Box } from "../../../ui/view.ts";
import { layoutFor } from "../screen/layout.ts";
import {
	type Column,
	LEAST_WIDTH,
	type PlacedColumn,
	placeColumns,
	type Sort,
	wantedColumns,
} from "../state/list-columns.ts";
import type { State } from "../state/state.ts";
import { isHeading } from "./headings.ts";
import { searchOf } from "./list-search.ts";
import { hasChips } from "./scope.ts";
import { hasOwnOrder, selectList } from "./select-list.ts";
import { offerLines } from "./select-offers.ts";
import { placesHeight } from "./select-places.ts";
import { savedHeight } from "./select-saved.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd", "model"]);
/** In a terminal at least this high, a list that is not narrow has a row of column headings. */
const HEADS_FROM_ROWS = 11;

/** Screen rows per session: search results have a row for the snippet if there can be one. */
export function rowHeight(state: State): 1 | 2 {
	const { terms } = searchOf(state).query;
	return selectList(state).searching && terms.some(hasSnippet) ? 2 : 1;
}

/** Whether a hit says more than the row does: not the name of a tool that was asked for. */
function hasSnippet(term: Term): boolean {
	return (term.kinds & ~IN_ROW) !== 0 && (hasWords(term) || flatTerms([term]).some(({ tool }) => tool === undefined));
}

export function headRows({ size }: State, { width }: Pick<Box, "width">): 0 | 1 {
	return width >= LEAST_WIDTH && size.rows >= HEADS_FROM_ROWS ? 1 : 0;
}

/** Whether a query, a chip or the scope leaves only a part of the sessions. */
export function isNarrowed(state: State): boolean {
	return state.list.query.text !== "" || hasChips(state);
}

/** Where the sessions are drawn: below saved queries, what a word may stand for, places that have failed, and the headings of the columns. */
export function sessionsBox(state: State): Box | undefined {
	const box = layoutFor(state).list;
	if (box === undefined) return undefined;
	const heads = selectList(state).items.length === 0 ? 0 : headRows(state, box);
	const above = heads + savedHeight(state) + offerLines(state, box).length + placesHeight(state);
	return { ...box, y: box.y + above, height: Math.max(0, box.height - above) };
}

export function listColumns(state: State, width: number): readonly PlacedColumn[] {
	const { settings, foundOrder, chosenOrder } = state.list;
	// An order that a query implies moves no column; one that was chosen for its results does.
	const ownOrder = !hasOwnOrder(state) ? undefined : selectList(state).searching ? foundOrder : chosenOrder;
	const { sort } = ownOrder === undefined || ownOrder.sort === "relevance" ? settings.order : ownOrder;
	return placed(width, state.size.columns, settings.columns, sort);
}

const placed = memoLast(
	(width: number, terminal: number, chosen: readonly Column[] | undefined, sort: Sort): readonly PlacedColumn[] =>
		placeColumns(width, wantedColumns(terminal, chosen, sort), { sort }),
);

/** Paths of the visible sessions; if the list is not drawn, only the session under the cursor. */
export function selectVisiblePaths(state: State): readonly string[] {
	const { items } = selectList(state);
	const { index, top } = state.list;
	const capacity = Math.floor((sessionsBox(state)?.height ?? 0) / rowHeight(state));
	const visible = capacity === 0 ? items.slice(index, index + 1) : items.slice(top, top + capacity);
	return visible.flatMap((item) => (isHeading(item) ? [] : [item.row.path]));
}

/** Whether a session is a fork of one that is not listed. */
function isOrphan({ parentSession, run }: SessionRow, { rows }: State["catalog"]): boolean {
	return run === undefined && parentSession !== undefined && parentSession !== "" && !rows.has(parentSession);
}

/** Whether a session is a fork of one in the trash, as far as the trash has been read. */
export function isForkOfDeleted(row: SessionRow, { catalog, trashed }: State): boolean {
	return isOrphan(row, catalog) && trashed.has(row.parentSession ?? "");
}

/** Whether the trash may have the parent of a visible session. */
export function hasOrphansInSight(state: State): boolean {
	const { catalog } = state;
	if (!catalog.complete) return false;
	return selectVisiblePaths(state).some((path) => {
		const row = catalog.rows.get(path);
		return row !== undefined && isOrphan(row, catalog);
	});
}
