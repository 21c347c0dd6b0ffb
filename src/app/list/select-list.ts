import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import { countWhere, fitsArchive } from "./archived.ts";
import { arrangeRanked, arrangeRows, type RankedRow, withFirst } from "./arrange-rows.ts";
import { belowSections, keyOf, type ListItem, withHeadings } from "./headings.ts";
import { type HomeSection, homeSections, isHome, newestFree, type SectionName, whyNoHome } from "./home.ts";
import type { Order, Sort } from "./list-order.ts";
import { isExcluded, rankRow } from "./match-rows.ts";
import { NO_PROJECTS, projectNames } from "./project-names.ts";
import { rowFacts } from "./row-facts.ts";
import { inScope, placeOfScope, type Scope, type ScopePlace } from "./scope.ts";
import type { ThreadedRow } from "./thread.ts";

/** The sessions that the list shows, in its order. */
export interface SessionList {
	/** All of them, those of the sections first, also those of folded projects. */
	readonly rows: readonly ThreadedRow[];
	/** The rows on the screen: sessions, and the headings of sections and projects. */
	readonly items: readonly ListItem[];
	/** What a row on the screen is known by (a session by its path) → index in `items`. */
	readonly itemIndexes: ReadonlyMap<string, number>;
	/** The sections above the others. */
	readonly sections: readonly HomeSection[];
	/** Whether the projects of the others stand in headings. */
	readonly byProject: boolean;
	/** How many sessions there are before any filter: without those in the archive, or of these alone. */
	readonly total: number;
	/** Whether the list shows the results of a query: flat, with snippets. */
	readonly searching: boolean;
}

/** The list for a state; the same object as long as the parts of the state that it shows stay the same. */
export function selectList(state: State): SessionList {
	const { search, settings } = state.list;
	const { rows, counts } = state.catalog;
	const searching = search.query.text !== "";
	const order = orderInUse(state);
	const candidates = candidatesFor(state);
	const sections = homeSections(state, candidates);
	const found = arranged(
		rows,
		candidates,
		placedIn(sections),
		rowFacts(state, search.query),
		search.query,
		search.results,
		order,
		searching ? NO_PINS : state.marks.pinned,
		settings.hereFirst && !searching ? state.environment.cwd : undefined,
		// The same of what only some orders go by.
		BY_COUNTS.has(order.sort) ? counts : NO_COUNTS,
		order.sort === "git" ? state.places.branches : NO_BRANCHES,
	);
	const total = countWhere(rows, placeOfScope(state).inArchive);
	return inItems(found, sections, settings.folded, order.sort === "project", total, searching);
}

/** The section in which the cursor is. */
export function sectionHere(state: State): SectionName | undefined {
	const { selected } = state.list;
	return selectList(state).sections.find(({ rows }) => rows.some(({ row }) => row.path === selected))?.name;
}

/** Why the list can have no sections now. */
export function needsWholeList(state: State): string | undefined {
	return whyNoHome(state, candidatesFor(state));
}

/** Path of the session on which the cursor begins where the list has sections; undefined where it has none. */
export function homeStart(state: State): string | undefined {
	const candidates = candidatesFor(state);
	const here = state.list.settings.hereFirst ? state.environment.cwd : undefined;
	return isHome(state, candidates) ? newestFree(candidates, state.catalog.live.sessions, here) : undefined;
}

/** The order in use: that of the results of a search is its own. */
export function orderInUse({ list: { settings, foundOrder, search } }: State): Order {
	return search.query.text === "" ? settings.order : foundOrder;
}

/** The row under the cursor. */
export function selectedRow(state: State): SessionRow | undefined {
	return state.list.selected === undefined ? undefined : state.catalog.rows.get(state.list.selected);
}

/** What the search found in the session under the cursor. */
export function selectedResult(state: State): SearchResult | undefined {
	return state.list.selected === undefined ? undefined : state.list.search.results.get(state.list.selected);
}

/** Why the query as typed cannot be used or its search did not finish; undefined when neither is so. */
export function queryProblem(state: State): string | undefined {
	const { mistake, error } = state.list.search;
	return mistake?.message ?? error;
}

/** Whether all sessions have been searched for what is typed. */
export function isSearched({ list: { search }, catalog }: State): boolean {
	if (search.query !== search.requested || !catalog.complete) return false;
	// A session that was listed a moment ago may not have reached the search yet.
	const isWhole = search.searched === search.total && search.total > 0 && search.total >= catalog.rows.size;
	return !asksForText(search.query) || isWhole;
}

/** Rank of a session without a hit. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** How many sessions the list's query has found so far, with this scope and with or without those that have no name. */
export function countMatches(state: State, scope: Scope, namedOnly: boolean): number {
	const { query, results } = state.list.search;
	const candidates = candidatesIn(state.catalog.rows, placeOfScope(state, scope), namedOnly, query);
	return query.text === "" ? candidates.length : find(candidates, query, results, rowFacts(state, query)).length;
}

/** The orders that go by what was counted. */
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

/** The sessions that the list may show, before it is searched. */
function candidatesFor(state: State): readonly SessionRow[] {
	const { search, namedOnly, stage } = state.list;
	return candidatesOf(state.catalog.rows, placeOfScope(state), namedOnly, search.query, stage?.paths);
}

const candidatesOf = memoLast(
	(
		all: ReadonlyMap<string, SessionRow>,
		place: ScopePlace,
		namedOnly: boolean,
		query: Query,
		only: ReadonlySet<string> | undefined,
	): readonly SessionRow[] =>
		only === undefined
			? candidatesIn(all, place, namedOnly, query)
			: [...all.values()].filter(({ path }) => only.has(path)),
);

/** Paths of the sessions in sections; the same object while no other one comes or goes. */
const placedIn = memoLast((sections: readonly HomeSection[]): ReadonlySet<string> => {
	return setOf(JSON.stringify(sections.flatMap(({ rows }) => rows.map(({ row }) => row.path)).sort()));
});

// Written by `placedIn`.
const setOf = memoLast((paths: string): ReadonlySet<string> => new Set(JSON.parse(paths) as readonly string[]));

const arranged = memoLast(
	(
		all: ReadonlyMap<string, SessionRow>,
		candidates: readonly SessionRow[],
		placed: ReadonlySet<string>,
		facts: RowFacts,
		query: Query,
		results: ReadonlyMap<string, SearchResult>,
		order: Order,
		pinned: ReadonlySet<string>,
		first: string | undefined,
		counts: ReadonlyMap<string, SessionCounts>,
		git: ReadonlyMap<string, string>,
	): readonly ThreadedRow[] => {
		const known = { counts, git, pinned, projects: order.sort === "project" ? projectNames(all) : NO_PROJECTS };
		if (query.text !== "") return arrangeRanked(find(candidates, query, results, facts), order, known);
		const others = placed.size === 0 ? candidates : candidates.filter(({ path }) => !placed.has(path));
		const rows = arrangeRows(others, order, known);
		return first === undefined ? rows : withFirst(rows, first, order.sort === "project" ? NO_PINS : pinned);
	},
);

const inItems = memoLast(
	(
		others: readonly ThreadedRow[],
		sections: readonly HomeSection[],
		folded: ReadonlySet<string>,
		sortsByProject: boolean,
		total: number,
		searching: boolean,
	): SessionList => {
		// One heading above all would only say what the scope says.
		const byProject = sortsByProject && others.some(({ row }) => row.cwd !== others[0]?.row.cwd);
		const below = byProject ? withHeadings(others, folded) : others;
		const items = sections.length === 0 ? below : belowSections(sections, below, others.length);
		const itemIndexes = new Map<string, number>();
		for (const [index, item] of items.entries()) itemIndexes.set(keyOf(item), index);
		return {
			rows: sections.length === 0 ? others : sections.flatMap(({ rows }) => rows).concat(others),
			items,
			itemIndexes,
			sections,
			byProject,
			total,
			searching,
		};
	},
);

/** The same with this scope, and with or without those that have no name. */
function candidatesIn(
	all: ReadonlyMap<string, SessionRow>,
	place: ScopePlace,
	namedOnly: boolean,
	query: Query,
): SessionRow[] {
	const candidates: SessionRow[] = [];
	for (const row of all.values()) {
		if (fitsArchive(row, place.inArchive, query) && (!namedOnly || row.name) && inScope(row, place))
			candidates.push(row);
	}
	return candidates;
}

/** The sessions in which a query was found, with their ranks. */
function find(
	rows: readonly SessionRow[],
	query: Query,
	results: ReadonlyMap<string, SearchResult>,
	facts: RowFacts,
): RankedRow[] {
	return rows.flatMap((row) => {
		if (!rowMeets(row, query.conditions, facts) || isExcluded(row, query)) return [];
		const rank = Math.min(results.get(row.path)?.rank ?? NOWHERE, rankRow(row, query) ?? NOWHERE);
		return rank === NOWHERE ? [] : [{ row, rank }];
	});
}
