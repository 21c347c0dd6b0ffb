import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { say, transition } from "../../world/state/transition.ts";
import { STATS } from "./stats-state.ts";

/** Has the sessions summed up, one time after the other. */
export function syncStats(state: State): Transition {
	const { counting, stale, sum } = STATS.of(state);
	if (counting || !stale) return transition(state);
	const { rows, counted, countable } = state.catalog;
	const gently = sum !== undefined && counted < countable;
	const next = STATS.with(state, { counting: true, stale: false });
	return transition(next, { type: "count", rows: [...rows.values()], gently });
}

/** What was counted, or why that failed; the next opening tries again. */
export function applyStats(
	state: State,
	counted: { readonly stats: CatalogStats } | { readonly error: string },
): State {
	if ("error" in counted) return say(STATS.with(state, { counting: false }), counted.error, "error");
	return STATS.with(state, { counting: false, sum: counted.stats });
}
