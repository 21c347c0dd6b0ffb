import type { SessionRow } from "../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import { memoLast } from "../model/memo.ts";
import type { Environment, Scope, Sort, State } from "../model/state.ts";
import { countWhere, fitsArchive } from "./archived.ts";
import { isExcluded, rankRow } from "./match-rows.ts";
import { rowFacts } from "./row-facts.ts";
import { inScope } from "./scope.ts";
import { type ThreadedRow, threadRows } from "./thread.ts";

/** The sessions that the list shows, in its order. */
export interface SessionList {
	readonly rows: readonly ThreadedRow[];
	/** Path → index in `rows`. */
	readonly indexes: ReadonlyMap<string, number>;
	/** How many sessions there are before any filter: without those in the archive, or of these alone. */
	readonly total: number;
	/** Whether the list shows the results of a query: flat, with snippets. */
	readonly searching: boolean;
}

/** The list for a state; the same object as long as the parts of the state that it shows stay the same. */
export function selectList(state: State): SessionList {
	const { search, sort, scope, namedOnly, stage } = state.list;
	return compute(
		state.catalog.rows,
		rowFacts(state, search.query),
		search.query,
		search.results,
		sort,
		scope,
		namedOnly,
		state.marks.pinned,
		state.environment,
		stage?.paths,
	);
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
	const { list, catalog, environment } = state;
	const { query, results } = list.search;
	const candidates = [...catalog.rows.values()].filter(
		(row) => fitsArchive(row, scope, query) && inScope(row, scope, environment) && (!namedOnly || row.name),
	);
	return query.text === ""
		? candidates.length
		: find(candidates, query, results, rowFacts(state, query), list.sort).length;
}

const compute = memoLast(
	(
		all: ReadonlyMap<string, SessionRow>,
		facts: RowFacts,
		query: Query,
		results: ReadonlyMap<string, SearchResult>,
		sort: Sort,
		scope: Scope,
		namedOnly: boolean,
		pinned: ReadonlySet<string>,
		environment: Environment,
		only: ReadonlySet<string> | undefined,
	): SessionList => {
		const candidates = [...all.values()].filter(
			(row) =>
				only?.has(row.path) ??
				(fitsArchive(row, scope, query) && inScope(row, scope, environment) && (!namedOnly || row.name)),
		);
		const searching = query.text !== "";
		const rows = searching ? find(candidates, query, results, facts, sort) : arrange(candidates, sort, pinned);
		const indexes = new Map(rows.map(({ row }, index) => [row.path, index]));
		return { rows, indexes, total: countWhere(all, scope), searching };
	},
);

/** In every order pinned sessions stand first, among themselves in that order. */
function arrange(rows: readonly SessionRow[], sort: Sort, pinned: ReadonlySet<string>): ThreadedRow[] {
	if (sort === "threaded") return threadRows(rows, pinned);
	const sorted = rows.toSorted(COMPARISONS[sort]).map((row) => ({ row, prefix: "" }));
	if (pinned.size === 0) return sorted;
	return [...sorted.filter(({ row }) => pinned.has(row.id)), ...sorted.filter(({ row }) => !pinned.has(row.id))];
}

/** With a query the list is flat: by rank where the order is about relevance, else in the chosen order. */
function find(
	rows: readonly SessionRow[],
	query: Query,
	results: ReadonlyMap<string, SearchResult>,
	facts: RowFacts,
	sort: Sort,
): ThreadedRow[] {
	const ranked = rows.flatMap((row) => {
		if (!rowMeets(row, query.conditions, facts) || isExcluded(row, query)) return [];
		const rank = Math.min(results.get(row.path)?.rank ?? NOWHERE, rankRow(row, query) ?? NOWHERE);
		return rank === NOWHERE ? [] : [{ row, rank }];
	});
	const byRank = sort === "threaded" || sort === "relevance";
	const compare = byRank ? COMPARISONS.recent : COMPARISONS[sort];
	return ranked
		.sort((a, b) => (byRank ? a.rank - b.rank : 0) || compare(a.row, b.row))
		.map(({ row }) => ({ row, prefix: "" }));
}

type Comparison = (a: SessionRow, b: SessionRow) => number;

const recent: Comparison = (a, b) => b.modified.getTime() - a.modified.getTime() || a.path.localeCompare(b.path);

const COMPARISONS: Readonly<Record<Exclude<Sort, "threaded">, Comparison>> = {
	recent,
	relevance: recent,
	created: (a, b) => b.created.getTime() - a.created.getTime() || recent(a, b),
	messages: (a, b) => b.messageCount - a.messageCount || recent(a, b),
	size: (a, b) => b.size - a.size || recent(a, b),
	project: (a, b) => a.cwd.localeCompare(b.cwd) || recent(a, b),
};
