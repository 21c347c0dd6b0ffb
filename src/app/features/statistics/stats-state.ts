import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice, type State, say, type Transition, transition } from "../../world/state/state.ts";

/** The page of the statistics. It keeps its state while it is closed. */
interface StatsState {
	/** The last sum over all sessions; undefined before the first. */
	readonly sum: CatalogStats | undefined;
	/** Whether a sum is being computed. */
	readonly counting: boolean;
	/** Whether something may have changed since that started. */
	readonly stale: boolean;
	readonly cursor: PageCursor;
	/** The week of the day under the cursor, counted back from the current one. */
	readonly weeksAgo: number;
}

export const STATS = defineSlice<StatsState>("stats", {
	sum: undefined,
	counting: false,
	stale: true,
	cursor: FIRST_CURSOR,
	weeksAgo: 0,
});

/** Requests a new sum when something has changed, one at a time. */
export function syncStats(state: State): Transition {
	const { counting, stale, sum } = STATS.of(state);
	if (counting || !stale) return transition(state);
	const { rows, counted, countable } = state.catalog;
	const gently = sum !== undefined && counted < countable;
	const next = STATS.with(state, { counting: true, stale: false });
	return transition(next, { type: "count", rows: [...rows.values()], gently });
}

/** Stores the sum, or reports why counting failed; opening the page tries again. */
export function applyStats(
	state: State,
	counted: { readonly stats: CatalogStats } | { readonly error: string },
): State {
	if ("error" in counted) return say(STATS.with(state, { counting: false }), counted.error, "error");
	return STATS.with(state, { counting: false, sum: counted.stats });
}
