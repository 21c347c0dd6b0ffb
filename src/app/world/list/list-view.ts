import type { SessionRow } from "../../../catalog/model/row.ts";
import { flatConditions } from "../../../catalog/query/conditions.ts";
import { maskOf } from "../../../catalog/query/kinds.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { flatTerms, hasWords, type Term } from "../../../catalog/query/term.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import { textWidth } from "../../../ui/text/width.ts";
import type { Box } from "../../../ui/view.ts";
import { layoutFor, PREVIEW_COLUMNS } from "../screen/layout.ts";
import {
	COLUMNS,
	type Column,
	columnOf,
	LEAST_TITLE,
	LEAST_WIDTH,
	type PlacedColumn,
	placeColumns,
	wantedColumns,
} from "../state/list-columns.ts";
import type { State } from "../state/state.ts";
import { isEverywhere } from "./catalog-rows.ts";
import { type Families, familiesOf, familyDollars } from "./families.ts";
import { isHeading } from "./headings.ts";
import { searchOf } from "./list-search.ts";
import { projectNames } from "./projects.ts";
import { HERE, placeBadge } from "./row-cells.ts";
import { hasChips } from "./scope.ts";
import { isListAnswered, orderInUse, selectList } from "./select-list.ts";
import { offerLines } from "./select-offers.ts";
import { failedPlaces, placesHeight } from "./select-places.ts";
import { savedChoices, savedHeight } from "./select-saved.ts";
import type { ThreadedRow } from "./thread.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd", "model"]);
const IN_MODEL = maskOf(["model"]);
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

/** Rows that the list and the preview below it have at least, titles included. */
const LEAST_LIST = 4;
const LEAST_PREVIEW = 8;

/**
 * With so many rows of its own where what is under its cursor is shown below it: in a narrow terminal, in the rows that it does
 * not need, or in half of them for what was searched; in a wider one if what a query or a chip leaves fits into half of it. While a search
 * goes on the list may grow, but does not shrink.
 */
export function withOwnRows(state: State): State {
	const nextRows = ownRows(state);
	const { ownRows: lastRows } = state.list;
	if (nextRows === lastRows) return state;
	// With half of the screen more results change nothing.
	const isGrown =
		nextRows === mostRows(state) || (lastRows !== undefined && (nextRows === undefined || nextRows > lastRows));
	return isGrown || isListAnswered(state) ? { ...state, list: { ...state.list, ownRows: nextRows } } : state;
}

/** Half of the screen without header and footer. */
function mostRows({ size }: State): number {
	return Math.floor((size.rows - 2) / 2);
}

/** Whether a query, a chip or the scope leaves only a part of the sessions. */
export function isNarrowed(state: State): boolean {
	return state.list.query.text !== "" || hasChips(state);
}

function ownRows(state: State): number | undefined {
	const { size } = state;
	const { items } = selectList(state);
	const isNarrow = size.columns < PREVIEW_COLUMNS;
	if (items.length === 0 || !(isNarrow || isNarrowed(state))) return undefined;
	const area = size.rows - 2;
	const offers = offerLines(state, { width: size.columns, height: area });
	const extraRows =
		headRows(state, { width: size.columns }) + savedChoices(state).length + offers.length + failedPlaces(state).length;
	const needed = Math.max(LEAST_LIST, 1 + extraRows + items.length * rowHeight(state));
	const most = isNarrow && !isNarrowed(state) ? area : mostRows(state);
	const rows = Math.min(needed, most);
	return (rows < needed && !isNarrow) || area - rows < LEAST_PREVIEW ? undefined : rows;
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
	const { byProject, rows } = selectList(state);
	const { catalog, size } = state;
	const placeWidth = isEverywhere(catalog) ? widestBadge(rows) : 0;
	const isOneProject = state.list.scope === "here" || state.list.scope === "project" || byProject;
	const projectWidth = isOneProject && placeWidth === 0 ? 0 : projectNames(catalog.rows).width + HERE.length;
	const empty = emptyColumns(catalog.rows, familiesOf(catalog.rows), catalog.counts);
	const columns = wantedHere(size.columns, askedColumns(state));
	return placed({
		width,
		title: LEAST_TITLE,
		wanted: columns,
		empty,
		projectWidth,
		placeWidth,
		hasAhead: hasAhead(rows),
	});
}

const wantedHere = memoLast(wantedColumns);

const hasAhead = memoLast((rows: readonly ThreadedRow[]): boolean =>
	rows.some(({ row: { aheadMs } }) => aheadMs !== undefined),
);

const widestBadge = memoLast((rows: readonly ThreadedRow[]): number =>
	rows.reduce((widest, { row }) => Math.max(widest, textWidth(placeBadge(row))), 0),
);

const placed = memoFields(placeColumns);

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

/**
 * The columns that have nothing in them for any session at all, once all of these have been counted: what a query leaves does not move
 * the columns.
 */
const emptyColumns = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		families: Families,
		counts: State["catalog"]["counts"],
	): ReadonlySet<Column> => {
		const empty = new Set<Column>(["cost", "errors"]);
		for (const row of rows.values()) {
			const counted = counts.get(row.path);
			if (counted === undefined) return NO_COLUMNS;
			if (empty.has("cost") && (familyDollars(row, families, counts) ?? 0) > 0) empty.delete("cost");
			if (counted.errors > 0) empty.delete("errors");
			if (empty.size === 0) break;
		}
		return empty;
	},
);

const NO_COLUMNS: ReadonlySet<Column> = new Set();

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
