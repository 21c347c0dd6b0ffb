import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { STATS } from "./stats-state.ts";

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
