import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { memoEqual, memoLast, sameItems } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import type { State } from "../state/state.ts";
import { type Families, familiesOf } from "./families.ts";
import { newRowFacts } from "./match-rows.ts";
import { extentOfScope } from "./scope.ts";
import { rowsInScope } from "./select-list.ts";
import { termsQuery } from "./select-saved.ts";

const WAITING = termsQuery(["is:waiting"]);
const factsFor = newRowFacts();

/** How many sessions of the scope wait for the person. */
export function waitingCount(state: State): number {
	return waitingRows(state).size;
}

/** The sessions of the scope that wait for the person; none in the archive. */
export function waitingRows(state: State): ReadonlySet<SessionRow> {
	if (extentOfScope(state).inArchive) return NONE;
	// Only sessions of the last weeks can wait.
	const recent = recentOf(rowsInScope(state), startOfDay(state.now));
	return waitingAmong(recent, factsFor(state, WAITING), familiesOf(state.catalog.rows));
}

const NONE: ReadonlySet<SessionRow> = new Set();

/** Looks again only when something changes that the answer depends on. */
const waitingAmong = memoLast((rows: readonly SessionRow[], facts: RowFacts, families: Families) => {
	// A session is listed for its runs, too.
	const heads = new Set<SessionRow>();
	for (const run of families.parents.keys())
		if (rowMeets(run, WAITING.conditions, facts)) heads.add(headOf(run, families));
	return new Set(rows.filter((row) => heads.has(row) || rowMeets(row, WAITING.conditions, facts)));
});

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

/** How many damaged sessions have changed since the person last looked at these. */
export function freshlyDamaged({ catalog, list }: State): number {
	return damagedRows(catalog.here).filter(({ modified }) => modified.getTime() > (list.settings.damageSeen ?? 0))
		.length;
}

/** Once the person looks at the damaged sessions, only later ones are news. */
export function withDamageSeen(state: State): State {
	const { settings } = state.list;
	const newest = Math.max(0, ...damagedRows(state.catalog.here).map(({ modified }) => modified.getTime()));
	if (newest <= (settings.damageSeen ?? 0)) return state;
	return { ...state, list: { ...state.list, settings: { ...settings, damageSeen: newest } } };
}
