import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { RowFacts } from "../../../catalog/query/conditions.ts";
import { asksForText, NO_QUERY, type Query } from "../../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { memoEqual, memoFields, memoLast, sameMembers } from "../../../shared/memo.ts";
import type { Order, Sort } from "../state/list-order.ts";
import type { Scope } from "../state/list-settings.ts";
import type { State } from "../state/state.ts";
import { arrangeFound, arrangeRows, withFirst } from "./arrange-rows.ts";
import { foundRanks, rankIn } from "./found-ranks.ts";
import { belowSections, ItemIndexes, type ListItem, withHeadings } from "./headings.ts";
import {
	type HomeSection,
	homeSections,
	isHome,
	NO_SECTIONS,
	newestFree,
	type SectionName,
	shownOf,
	whyNoHome,
} from "./home.ts";
import { NO_PROJECTS, projectNames } from "./projects.ts";
import { rowFacts } from "./row-facts.ts";
import { archivedCount, countWhere, fitsArchive, inScope, placeOfScope, type ScopePlace } from "./scope.ts";
import type { ThreadedRow } from "./thread.ts";

/** The sessions that the list shows, in its order. */
export interface SessionList {
	/** All of them, those of sections first, including those of folded projects. */
	readonly rows: readonly ThreadedRow[];
	/** The rows on the screen: sessions, and the headings of sections and projects. */
	readonly items: readonly ListItem[];
	/** Key of an item (`keyOf`) → its index in `items`. */
	readonly itemIndexes: ItemIndexes;
	/** The sections above the others. */
	readonly sections: readonly HomeSection[];
	/** Whether the others have headings by project. */
	readonly byProject: boolean;
	/** Number of sessions before filtering, either without the archive or only in it. */
	readonly total: number;
	/** Whether the list shows the results of a query: flat, with snippets. */
	readonly searching: boolean;
}

/** The list for a state; the same object while what it shows does not change. */
export function selectList(state: State): SessionList {
	const { search, namedOnly, settings, stage } = state.list;
	const { rows, counts } = state.catalog;
	const searching = search.query.text !== "";
	const order = orderInUse(state);
	const sections = searching ? NO_SECTIONS : homeSections(state, rowsInScope(state));
	const place = placeOfScope(state);
	const found = arranged({
		all: rows,
		placed: placedIn(sections),
		facts: rowFacts(state, search.query),
		query: search.query,
		results: search.results,
		order,
		place,
		namedOnly,
		only: stage?.paths,
		pinned: searching ? NO_PINS : state.marks.pinned,
		first: settings.hereFirst && !searching ? state.environment.cwd : undefined,
		// Empty unless the order depends on them, so that changes do not matter.
		counts: BY_COUNTS.has(order.sort) ? counts : NO_COUNTS,
		git: order.sort === "git" ? state.places.branches : NO_BRANCHES,
	});
	const total = countWhere(rows, place.inArchive);
	return inItems(found, sections, settings.folded, order.sort === "project", total, searching);
}

/** The section that the cursor is in. */
export function sectionHere(state: State): SectionName | undefined {
	const { selected } = state.list;
	return selectList(state).sections.find(({ rows }) => rows.some(({ row }) => row.path === selected))?.name;
}

/** Why the list can have no sections now. */
export function needsWholeList(state: State): string | undefined {
	return whyNoHome(state, rowsInScope(state));
}

/** Path of the session on which the cursor begins in a list with sections; undefined without. */
export function homeStart(state: State): string | undefined {
	const inScope = rowsInScope(state);
	if (!isHome(state, inScope)) return undefined;
	const here = state.list.settings.hereFirst ? state.environment.cwd : undefined;
	return newestFree(shownOf(state, inScope), state.catalog.live.sessions, here);
}

/** The order in use; search results have their own. */
export function orderInUse({ list: { settings, foundOrder, search } }: State): Order {
	return search.query.text === "" ? settings.order : foundOrder;
}

/** The row under the cursor. */
export function selectedRow(state: State): SessionRow | undefined {
	return state.list.selected === undefined ? undefined : state.catalog.rows.get(state.list.selected);
}

/** The search result for the session under the cursor. */
export function selectedResult(state: State): SearchResult | undefined {
	return state.list.selected === undefined ? undefined : state.list.search.results.get(state.list.selected);
}

/** Why the typed query cannot be used, or why its search did not finish. */
export function queryProblem(state: State): string | undefined {
	const { mistake, error } = state.list.search;
	return mistake?.message ?? error;
}

/** Whether all sessions have been searched for the typed query. */
export function isSearched({ list: { search }, catalog }: State): boolean {
	if (search.query !== search.requested || !catalog.complete) return false;
	// A session that was listed a moment ago may not have reached the search yet.
	const isWhole = search.searched === search.total && search.total > 0 && search.total >= catalog.rows.size;
	return !asksForText(search.query) || isWhole;
}

/** Number of sessions that the list's query would have found so far in this scope, with or without unnamed sessions. */
export function countMatches(state: State, scope: Scope, namedOnly: boolean): number {
	const { query, results } = state.list.search;
	const { rows } = state.catalog;
	const isShown = candidateTest(rows, placeOfScope(state, scope), namedOnly, query);
	if (query.text === "" && isShown === undefined) return rows.size;
	const found = { query, results, facts: rowFacts(state, query), isShown };
	let count = 0;
	for (const row of rows.values())
		if (query.text === "" ? isShown?.(row) : rankIn(found, row) !== undefined) count += 1;
	return count;
}

/** The orders that depend on counts. */
const BY_COUNTS: ReadonlySet<Sort> = new Set<Sort>([
	"turns",
	"branches",
	"errors",
	"labels",
	"tokens",
	"cost",
	"model",
]);
const NO_COUNTS: ReadonlyMap<string, SessionCounts> = new Map();
const NO_BRANCHES: ReadonlyMap<string, string> = new Map();
const NO_PINS: ReadonlySet<string> = new Set();

/** The sessions of the scope. */
function rowsInScope(state: State): readonly SessionRow[] {
	return scopeOf(state.catalog.rows, placeOfScope(state));
}

const scopeOf = memoLast((all: ReadonlyMap<string, SessionRow>, place: ScopePlace): readonly SessionRow[] => {
	const isInScope = candidateTest(all, place, false, NO_QUERY);
	const rows = [...all.values()];
	return isInScope === undefined ? rows : rows.filter(isInScope);
});

/** Paths of the sessions in sections; the same object while these are the same sessions. */
const placedIn = memoEqual(
	(sections: readonly HomeSection[]): ReadonlySet<string> =>
		new Set(sections.flatMap(({ rows }) => rows.map(({ row }) => row.path))),
	sameMembers,
);

/** What the sessions of the list, and their order, depend on. */
interface ListQuery {
	readonly all: ReadonlyMap<string, SessionRow>;
	/** Paths of the sessions in sections. */
	readonly placed: ReadonlySet<string>;
	readonly facts: RowFacts;
	readonly query: Query;
	readonly results: ReadonlyMap<string, SearchResult>;
	readonly order: Order;
	readonly place: ScopePlace;
	readonly namedOnly: boolean;
	/** Paths of the only sessions that are listed, if these are chosen. */
	readonly only: ReadonlySet<string> | undefined;
	readonly pinned: ReadonlySet<string>;
	/** Directory whose sessions come first. */
	readonly first: string | undefined;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly git: ReadonlyMap<string, string>;
}

const arranged = memoFields((wanted: ListQuery): readonly ThreadedRow[] => {
	const { all, placed, facts, query, results, order, place, namedOnly, only, pinned, first, counts, git } = wanted;
	const isShown = only === undefined ? shownTest(all, place, namedOnly, query) : stagedTest(all, only);
	const projects = order.sort === "project" ? projectNames(all) : NO_PROJECTS;
	const known = { order, pinned, counts, git, projects };
	if (query.text !== "")
		return arrangeFound(all, (items) => foundRanks(items, { query, results, facts, isShown }), known);
	const rows = arrangeRows(all, { ...known, isShown, without: placed });
	return first === undefined ? rows : withFirst(rows, first, order.sort === "project" ? NO_PINS : pinned);
});

const inItems = memoLast(
	(
		others: readonly ThreadedRow[],
		sections: readonly HomeSection[],
		folded: ReadonlySet<string>,
		sortsByProject: boolean,
		total: number,
		searching: boolean,
	): SessionList => {
		// A single heading would only repeat the scope.
		const byProject = sortsByProject && others.some(({ row }) => row.cwd !== others[0]?.row.cwd);
		const below = byProject ? withHeadings(others, folded) : others;
		const isHome = sections.length > 0;
		const items = isHome ? belowSections(sections, below, others.length) : below;
		const rows = isHome ? sections.flatMap((section) => section.rows).concat(others) : others;
		return { rows, items, itemIndexes: new ItemIndexes(items), sections, byProject, total, searching };
	},
);

type RowTest = (row: SessionRow) => boolean;

/** Tests whether the list may show a session, apart from the search; undefined: all of them. */
function candidateTest(
	all: ReadonlyMap<string, SessionRow>,
	place: ScopePlace,
	namedOnly: boolean,
	query: Query,
): RowTest | undefined {
	if (place.scope === "all" && !namedOnly && archivedCount(all) === 0) return undefined;
	return (row) => fitsArchive(row, place.inArchive, query) && (!namedOnly || Boolean(row.name)) && inScope(row, place);
}

/** The same function while its arguments do not change. */
const shownTest = memoLast(candidateTest);

/** Tests whether a session has one of these paths. */
const stagedTest = memoLast((all: ReadonlyMap<string, SessionRow>, only: ReadonlySet<string>): RowTest => {
	const rows = new Set<SessionRow>();
	for (const path of only) {
		const row = all.get(path);
		if (row !== undefined) rows.add(row);
	}
	return (row) => rows.has(row);
});
