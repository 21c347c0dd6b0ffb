import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { type Marks, NO_MARKS } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import {
	type Condition,
	flatConditions,
	isDateCondition,
	type RowFacts,
	rowMeets,
} from "../../../catalog/query/conditions.ts";
import { asksForText, NO_QUERY, type Query } from "../../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import { projectKey } from "../../../shared/paths.ts";
import { type Order, SORTS, type Sort } from "../state/list-columns.ts";
import type { Scope } from "../state/list-state.ts";
import type { State } from "../state/state.ts";
import { arrangeFound, arrangeRows, foundRanks, withFirst } from "./arrange-rows.ts";
import { type FoundFamilies, familiesOf, isRunBelow, NO_FAMILIES, withRuns } from "./families.ts";
import { type ListItem, withHeadings, withOthers } from "./headings.ts";
import { searchOf } from "./list-search.ts";
import { newRowFacts, rowFacts } from "./match-rows.ts";
import { archivedCount, countWhere, extentOfScope, fitsArchive, inScope, isWide, type ScopeExtent } from "./scope.ts";
import { wantedQuery } from "./select-saved.ts";
import type { ThreadedRow } from "./thread.ts";

export interface SessionList {
	/** All of them, including those of folded projects. */
	readonly rows: readonly ThreadedRow[];
	/** The rows on the screen: sessions, and the headings of projects. */
	readonly items: readonly ListItem[];
	/** Number of the last `rows` that have the words of the query only in other forms. */
	readonly others: number;
	/** Number of `rows` that are runs below their parents. */
	readonly runs: number;
	readonly unmatched: ReadonlySet<string>;
	readonly byProject: boolean;
	/** Number of sessions before filtering, either without the archive or only in it. */
	readonly total: number;
	/** Whether the list shows the sessions that contain some words, with the best hit of each. */
	readonly searching: boolean;
}

/** The list for a state; the same object while what it shows does not change. */
export function selectList(state: State): SessionList {
	const { settings, stage, unfolded } = state.list;
	const search = searchOf(state);
	const { rows, counts } = state.catalog;
	const searching = asksForText(search.query);
	const order = orderInUse(state);
	const extent = extentOfScope(state);
	const arrangement = arranged({
		all: rows,
		facts: rowFacts(state, search.query),
		query: search.query,
		results: search.results,
		others: search.others,
		began: search.began,
		order,
		extent,
		unfolded,
		only: stage?.paths,
		pinned: searching ? NO_MARKS.pinned : state.marks.pinned,
		first: settings.hereFirst && !searching ? state.environment.cwd : undefined,
		// Empty unless the order depends on them, so that changes do not matter.
		counts: BY_COUNTS.has(order.sort) ? counts : NO_COUNTS,
		git: order.sort === "git" ? state.git.branches : NO_BRANCHES,
	});
	const total = countWhere(rows, extent.inArchive);
	return inItems(arrangement, settings.folded, order.sort === "project", total, searching);
}

/** The order in use: results for words have their own, and so has what a query asks an amount or a date of. */
export function orderInUse(state: State): Order {
	const { settings, foundOrder, chosenOrder } = state.list;
	if (asksForText(searchOf(state).query)) return foundOrder;
	const implied = impliedOrder(state);
	return implied === undefined ? settings.order : (chosenOrder ?? implied);
}

export function hasOwnOrder(state: State): boolean {
	return asksForText(searchOf(state).query) || impliedOrder(state) !== undefined;
}

/** The order that a query without words implies. */
function impliedOrder(state: State): Order | undefined {
	const { query } = searchOf(state);
	return askedOrder(query) ?? dateOrder(query, state.list.settings.order);
}

/** The largest first, of what a query without words compares with a number. */
const askedOrder = memoLast(({ conditions }: Query): Order | undefined => {
	const sort = SORTS.find((name) => flatConditions(conditions).some((condition) => asksFor(condition, name)));
	return sort === undefined ? undefined : { sort, reversed: false };
});

/** Whether a condition is about what an order goes by. */
function asksFor({ field, value, not }: Condition, sort: Sort): boolean {
	if (field === "is") return value === "error" && !not && sort === "errors";
	return field === sort && field !== "project" && field !== "place";
}

/** By time, of what a query asks by date, if the list is in the order that it starts with: one without threads. */
function dateOrder({ conditions }: Query, { sort, reversed }: Order): Order | undefined {
	if (sort !== "threaded" || !flatConditions(conditions).some(isDateCondition)) return undefined;
	return reversed ? OLDEST_FIRST : NEWEST_FIRST;
}

const NEWEST_FIRST: Order = { sort: "recent", reversed: false };
const OLDEST_FIRST: Order = { sort: "recent", reversed: true };

export function selectedRow(state: State): SessionRow | undefined {
	return state.list.selected === undefined ? undefined : state.catalog.rows.get(state.list.selected);
}

export function selectedResult(state: State): SearchResult | undefined {
	return state.list.selected === undefined ? undefined : searchOf(state).results.get(state.list.selected);
}

/** Whether all sessions have been searched for the typed query. */
export function isSearched(state: State): boolean {
	const { catalog } = state;
	const search = searchOf(state);
	if (search.query !== search.requested || !catalog.complete) return false;
	// A session that was listed a moment ago may not have reached the search yet.
	const isWhole = search.searched === search.total && search.total > 0 && search.total >= catalog.rows.size;
	return !asksForText(search.query) || isWhole;
}

/** Number of sessions that the list would show in a scope for a query. `paths`: those that have its words. @default all */
export function countSessions(state: State, scope: Scope, query: Query, paths?: Iterable<string>): number {
	const { rows } = state.catalog;
	const isShown = candidateTest(rows, extentOfScope(state, scope), query);
	const facts = countedFacts(state, query);
	const families = familiesOf(rows);
	const heads = new Set<SessionRow>();
	for (const path of paths ?? rows.keys()) {
		const row = rows.get(path);
		if (row !== undefined && isShown?.(row) !== false && rowMeets(row, query.conditions, facts))
			heads.add(headOf(row, families));
	}
	return heads.size;
}

/** Apart from those of the list, which is not to be made again because something else is counted. */
const countedFacts = newRowFacts();

const BY_COUNTS: ReadonlySet<Sort> = new Set(["turns", "errors", "tokens", "cost", "model"]);
const NO_COUNTS: ReadonlyMap<string, SessionCounts> = new Map();
const NO_BRANCHES: ReadonlyMap<string, string> = new Map();

export function rowsInScope(state: State): readonly SessionRow[] {
	return scopeOf(state.catalog.rows, extentOfScope(state));
}

const scopeOf = memoLast((all: ReadonlyMap<string, SessionRow>, extent: ScopeExtent): readonly SessionRow[] => {
	const isInScope = candidateTest(all, extent, NO_QUERY);
	const rows = [...all.values()];
	return isInScope === undefined ? rows : rows.filter(isInScope);
});

interface ListQuery {
	readonly all: ReadonlyMap<string, SessionRow>;
	readonly facts: RowFacts;
	readonly query: Query;
	readonly results: ReadonlyMap<string, SearchResult>;
	readonly others: ReadonlySet<string>;
	readonly began: number;
	readonly order: Order;
	readonly extent: ScopeExtent;
	readonly unfolded: ReadonlySet<string>;
	/** Paths of the only sessions that are listed, if these are chosen. */
	readonly only: ReadonlySet<string> | undefined;
	readonly pinned: Marks["pinned"];
	/** Directory whose sessions come first. */
	readonly first: string | undefined;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly git: ReadonlyMap<string, string>;
}

interface Arranged extends Pick<FoundFamilies, "unmatched" | "others"> {
	readonly rows: readonly ThreadedRow[];
	/** Whether runs are listed as sessions, one by one. */
	readonly isFlat: boolean;
}

const arranged = memoFields((wanted: ListQuery): Arranged => {
	const { all, facts, query, results, began, order, extent, only, pinned, first, counts, git, unfolded } = wanted;
	const isShown = only === undefined ? shownTest(all, extent, query) : stagedTest(all, only);
	const facets = { order, pinned, counts, families: familiesOf(all), git };
	// Marked runs are listed one by one.
	const families = only === undefined ? familiesOf(all) : NO_FAMILIES;
	const inOrder = (rows: readonly ThreadedRow[]): readonly ThreadedRow[] =>
		first === undefined ? rows : withFirst(rows, first, order.sort === "project" ? NO_MARKS.pinned : pinned);
	if (query.text === "") {
		const rows = inOrder(arrangeRows(all, { ...facets, isShown }));
		const isOpen = unfolded.size > 0 && families.runs.size > 0;
		return {
			rows: isOpen ? withRuns(rows, families, (_, parent) => unfolded.has(parent.path)) : rows,
			unmatched: NO_PATHS,
			others: wanted.others,
			isFlat: only !== undefined,
		};
	}
	const ranks = foundRanks(all, { query, results, began, facts, isShown });
	const { rows, runs, ...found } = arrangeFound(all, ranks, facets, { families, others: wanted.others });
	const heads = inOrder(rows);
	const isFlat = only !== undefined;
	return { rows: runs.size === 0 ? heads : withRuns(heads, families, (run) => runs.has(run)), ...found, isFlat };
});

const NO_PATHS: ReadonlySet<string> = new Set();

const inItems = memoLast(
	(
		{ rows, others, unmatched, isFlat }: Arranged,
		folded: ReadonlySet<string>,
		sortsByProject: boolean,
		total: number,
		searching: boolean,
	): SessionList => {
		// A single heading would only repeat the scope.
		const byProject =
			sortsByProject &&
			rows.some((item) => !isRunBelow(item) && projectKey(item.row.cwd) !== projectKey(rows[0]?.row.cwd ?? ""));
		const last = others.size === 0 ? -1 : rows.findIndex(({ row }) => others.has(row.path));
		const typed = last === -1 ? rows.length : last;
		const items = withOthers(rows, typed, (some) => (byProject ? withHeadings(some, folded, !searching) : some));
		const runs = isFlat ? 0 : countRuns(rows.slice(0, typed));
		return { rows, items, others: rows.length - typed, runs, unmatched, byProject, total, searching };
	},
);

function countRuns(rows: readonly ThreadedRow[]): number {
	return rows.reduce((count, item) => (isRunBelow(item) ? count + 1 : count), 0);
}

type RowTest = (row: SessionRow) => boolean;

/**
 * Tests whether the list may show a session, apart from the search; undefined: all of them. A run is listed wherever its
 * parent is, and without a query only below that.
 */
function candidateTest(all: ReadonlyMap<string, SessionRow>, extent: ScopeExtent, query: Query): RowTest | undefined {
	const families = familiesOf(all);
	if (isWide(extent.scope) && archivedCount(all) === 0 && families.parents.size === 0) return undefined;
	return (row) => {
		const head = headOf(row, families);
		return (head === row || query.text !== "") && fitsArchive(head, extent.inArchive, query) && inScope(head, extent);
	};
}

const shownTest = memoLast(candidateTest);

const stagedTest = memoLast((all: ReadonlyMap<string, SessionRow>, only: ReadonlySet<string>): RowTest => {
	const rows = new Set<SessionRow>();
	for (const path of only) {
		const row = all.get(path);
		if (row !== undefined) rows.add(row);
	}
	return (row) => rows.has(row);
});

/** Whether everything is listed and searched for the typed query, so that no other row can become the first one. */
export function isListAnswered(state: State): boolean {
	if (!isListCurrent(state)) return false;
	if (searchOf(state).error !== undefined || state.catalog.rows.size === 0) return state.catalog.complete;
	const { query, settled, inForms } = searchOf(state);
	if (!asksForText(query)) return isSearched(state);
	// Results that are not settled may still get a better rank and another best hit.
	if (!isSearched(state) || settled !== state.watched) return false;
	// Sessions with other forms of the words come behind those that have them as typed, but one can come before another.
	const { rows, others } = selectList(state);
	return !inForms || others < rows.length;
}

/** Whether the list shows results of the typed query, complete or not. */
export function isListCurrent(state: State): boolean {
	const { requested, query } = searchOf(state);
	return wantedQuery(state) === requested.text && query === requested;
}
