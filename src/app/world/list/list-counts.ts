import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { memoEqual, memoLast, sameItems } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import type { ChipTerm } from "../state/list-state.ts";
import type { State } from "../state/state.ts";
import { type Families, familiesOf } from "./families.ts";
import { newRowFacts } from "./match-rows.ts";
import { countWhere, extentOfScope, isWide } from "./scope.ts";
import { rowsInScope } from "./select-list.ts";
import { termsQuery } from "./select-saved.ts";

export function leftByChips(state: State): number {
	const { list, catalog } = state;
	if (list.stage !== undefined) return countOf(list.stage.paths, catalog.rows);
	if (list.terms.length === 0 && isWide(list.scope)) return countWhere(catalog.rows, false);
	return countByChips(rowsInScope(state), state, termsQuery(list.terms));
}

const countOf = memoLast((paths: ReadonlySet<string>, rows: ReadonlyMap<string, SessionRow>): number => {
	let count = 0;
	for (const path of paths) if (rows.has(path)) count += 1;
	return count;
});

const countByChips = newCounter();

/** Counts the sessions that a query finds; counts again only when something changes that its conditions depend on. */
function newCounter(): (rows: readonly SessionRow[], state: State, query: Query) => number {
	const factsFor = newRowFacts();
	const count = memoLast(
		(rows: readonly SessionRow[], { conditions }: Query, facts: RowFacts, families: Families): number => {
			if (conditions.length === 0) return rows.length;
			// A session is listed for its runs, too.
			const heads = new Set<SessionRow>();
			for (const run of families.parents.keys()) if (rowMeets(run, conditions, facts)) heads.add(headOf(run, families));
			return rows.reduce((found, row) => (heads.has(row) || rowMeets(row, conditions, facts) ? found + 1 : found), 0);
		},
	);
	return (rows, state, query) => count(rows, query, factsFor(state, query), familiesOf(state.catalog.rows));
}

/** What the header counts; each is a query. */
export const COUNTED_TERMS = ["is:running", "is:waiting", "on:today"] as const satisfies readonly ChipTerm[];
type CountedTerm = (typeof COUNTED_TERMS)[number];

const NONE: Readonly<Record<CountedTerm, number>> = { "is:running": 0, "is:waiting": 0, "on:today": 0 };
const QUERIES = COUNTED_TERMS.map((term) => ({ term, query: termsQuery([term]), count: newCounter() }));

/** How many sessions of the scope each of these queries finds; 0 in the archive, whose sessions are not in use. */
export function headerCounts(state: State): Readonly<Record<CountedTerm, number>> {
	if (extentOfScope(state).inArchive) return NONE;
	const all = rowsInScope(state);
	// Only sessions of the last weeks can wait or be of today.
	const recent = recentOf(all, startOfDay(state.now));
	const counts = QUERIES.map(({ term, query, count }) => [
		term,
		count(term === "is:running" ? all : recent, state, query),
	]);
	return { ...NONE, ...Object.fromEntries(counts) };
}

const DAY_MS = 86_400_000;
/** Days covered by the queries about the last days, and one more for clock changes. */
const RECENT_DAYS = 15;

const recentOf = memoLast((candidates: readonly SessionRow[], today: number): readonly SessionRow[] => {
	const from = today - RECENT_DAYS * DAY_MS;
	return candidates.filter(({ modified }) => modified.getTime() >= from);
});

export const damagedRows = memoEqual(
	(rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] =>
		[...rows.values()].filter(({ diagnostics }) => isDamaged(diagnostics)),
	sameItems,
);
