import type { SessionRow } from "../../../catalog/model/row.ts";
import { flatConditions } from "../../../catalog/query/conditions.ts";
import { maskOf } from "../../../catalog/query/kinds.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { flatTerms } from "../../../catalog/query/term.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import type { Box } from "../../../ui/view.ts";
import { layoutFor } from "../screen/layout.ts";
import {
	COLUMNS,
	type Column,
	columnOf,
	LEAST_WIDTH,
	type PlacedColumn,
	placeColumns,
	titleCells,
} from "../state/list-columns.ts";
import type { State } from "../state/state.ts";
import { isEverywhere } from "./catalog-rows.ts";
import { type Families, familiesOf, familyDollars } from "./families.ts";
import { isHeading } from "./headings.ts";
import { searchOf } from "./list-search.ts";
import { projectNames } from "./projects.ts";
import { HERE } from "./row-cells.ts";
import { orderInUse, selectList } from "./select-list.ts";
import { placesHeight } from "./select-places.ts";
import { savedHeight } from "./select-saved.ts";
import type { ThreadedRow } from "./thread.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd"]);
const IN_MODEL = maskOf(["model"]);
/** A list at least this high, and not narrow, has a row of column headings. */
const HEAD_HEIGHT = 8;

/** Screen rows per session: search results have a row for the snippet if there can be one. */
export function rowHeight(state: State): 1 | 2 {
	const { terms } = searchOf(state).query;
	return selectList(state).searching && terms.some(({ kinds }) => (kinds & ~IN_ROW) !== 0) ? 2 : 1;
}

/** Screen rows of column headings. */
export function headRows({ width, height }: Box): 0 | 1 {
	return width >= LEAST_WIDTH && height >= HEAD_HEIGHT ? 1 : 0;
}

/** Where the sessions are drawn: below saved queries, places that have failed, and the headings of the columns. */
export function sessionsBox(state: State): Box | undefined {
	const box = layoutFor(state).list;
	if (box === undefined) return undefined;
	const heads = selectList(state).items.length === 0 ? 0 : headRows(box);
	const above = heads + savedHeight(state) + placesHeight(state);
	return { ...box, y: box.y + above, height: Math.max(0, box.height - above) };
}

export function listColumns(state: State, width: number): readonly PlacedColumn[] {
	const { byProject, rows } = selectList(state);
	const isOneProject = state.list.scope === "here" || state.list.scope === "project" || byProject;
	const projectWidth = isOneProject ? 0 : projectNames(state.catalog.rows).width + HERE.length;
	const title = rowTitleCells(state, width);
	const { catalog } = state;
	const nowhereElse = !isEverywhere(catalog);
	const empty = emptyColumns(rows, familiesOf(catalog.rows), catalog.counts, nowhereElse);
	return placed({ width, title, asked: askedColumns(state), empty, projectWidth, hasAhead: hasAhead(rows) });
}

const hasAhead = memoLast((rows: readonly ThreadedRow[]): boolean =>
	rows.some(({ row: { aheadMs } }) => aheadMs !== undefined),
);

/** Cells of a row for its title. */
export function rowTitleCells(state: State, width: number): number {
	return titleCells(width, layoutFor(state).tree !== undefined);
}

const placed = memoFields(placeColumns);

/** The columns that the query and the order are about. */
function askedColumns(state: State): readonly Column[] {
	return askedBy(searchOf(state).query, columnOf(orderInUse(state).sort));
}

const askedBy = memoLast((query: Query, sorted: Column | undefined): readonly Column[] => [
	...(sorted === undefined || sorted === "project" ? [] : [sorted]),
	...COLUMNS.filter((column) => QUERIED.has(column) && isAbout(query, column)),
]);

/** The columns that are called as the fields of a query. */
const QUERIED: ReadonlySet<Column> = new Set(["model", "messages", "turns", "errors", "tokens", "cost", "size"]);

/** Whether a query has a condition on what a column shows, or a word that must be in it. */
function isAbout({ terms, without, conditions }: Query, column: Column): boolean {
	if (column === "model") return flatTerms([...terms, ...without]).some(({ kinds }) => kinds === IN_MODEL);
	return flatConditions(conditions).some(
		({ field, value }) => field === column || (field === "is" && value === "error" && column === "errors"),
	);
}

/** The columns that have nothing in them for any session of the list, once all of these have been counted. */
const emptyColumns = memoLast(
	(
		rows: readonly ThreadedRow[],
		families: Families,
		counts: State["catalog"]["counts"],
		nowhereElse: boolean,
	): ReadonlySet<Column> => {
		const placeless: readonly Column[] = nowhereElse ? ["place"] : [];
		const empty = new Set<Column>(["cost", "model", "tokens", "branches", ...placeless]);
		for (const { row } of rows) {
			const counted = counts.get(row.path);
			if (counted === undefined) return new Set(placeless);
			if (empty.has("cost") && (familyDollars(row, families, counts) ?? 0) > 0) empty.delete("cost");
			if (counted.model !== "") empty.delete("model");
			if (counted.tokens > 0) empty.delete("tokens");
			if (counted.branches > 1) empty.delete("branches");
			if (empty.size === placeless.length) break;
		}
		return empty;
	},
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
