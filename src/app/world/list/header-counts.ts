import type { SessionRow } from "../../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { memoLast, memoVersions } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import type { State } from "../state/state.ts";
import { newRowFacts } from "./row-facts.ts";
import { placeOfScope } from "./scope.ts";
import { rowsInScope } from "./select-list.ts";
import { termsQuery } from "./select-saved.ts";

/** What the header counts; each is a query. */
export const COUNTED_TERMS = ["is:running", "is:waiting", "on:today"] as const;
type CountedTerm = (typeof COUNTED_TERMS)[number];

/** How many sessions of the scope each of these queries finds; none in the archive, where nothing goes on. */
export function headerCounts(state: State): Readonly<Record<CountedTerm, number>> {
	if (placeOfScope(state).inArchive) return NONE;
	const { catalog, marks, now } = state;
	return countsIn(rowsInScope(state), catalog, marks, startOfDay(now));
}

const NONE: Readonly<Record<CountedTerm, number>> = { "is:running": 0, "is:waiting": 0, "on:today": 0 };

type Facts = Parameters<ReturnType<typeof newRowFacts>>[0];
type Counter = (candidates: readonly SessionRow[], facts: Facts) => number;

const countsIn = memoLast(
	(candidates: readonly SessionRow[], catalog: State["catalog"], marks: State["marks"], now: number) => {
		const facts = { catalog, marks, now };
		// Only those of the last weeks can be in the others.
		const recent = recentOf(candidates, now);
		return {
			"is:running": COUNTERS["is:running"](candidates, facts),
			"is:waiting": COUNTERS["is:waiting"](recent, facts),
			"on:today": COUNTERS["on:today"](recent, facts),
		};
	},
);

/** Each counts again only when something changes that its query depends on. */
const COUNTERS: Readonly<Record<CountedTerm, Counter>> = {
	"is:running": newCounter("is:running"),
	"is:waiting": newCounter("is:waiting"),
	"on:today": newCounter("on:today"),
};

function newCounter(term: CountedTerm): Counter {
	const query = termsQuery([term]);
	const factsFor = newRowFacts();
	const count = memoLast((rows: readonly SessionRow[], facts: RowFacts): number => {
		let found = 0;
		for (const row of rows) if (rowMeets(row, query.conditions, facts)) found += 1;
		return found;
	});
	return (candidates, facts) => count(candidates, factsFor(facts, query));
}

const DAY_MS = 86_400_000;
/** Days covered by the queries about the last days, and one more for clock changes. */
const RECENT_DAYS = 15;

const recentOf = memoLast((candidates: readonly SessionRow[], today: number): readonly SessionRow[] => {
	const from = today - RECENT_DAYS * DAY_MS;
	return candidates.filter(({ modified }) => modified.getTime() >= from);
});

/** The sessions of which something is lost or cannot be shown. */
export const damagedRows = memoVersions(
	(rows: ReadonlyMap<string, SessionRow>): readonly SessionRow[] => [...rows.values()].filter(isDamagedRow),
	(before, now) => isDamagedRow(before) || isDamagedRow(now),
);

function isDamagedRow(row: SessionRow | undefined): boolean {
	return row !== undefined && isDamaged(row.diagnostics);
}
