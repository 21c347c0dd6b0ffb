import { openPage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { withStats } from "./reconcile-stats.ts";
import { selectedStatsRow, selectStats, weekOf } from "./stats-rows.ts";

/** The page of the statistics, as it was left; they are counted anew. */
export function openStats(state: State): State {
	return openPage(withStats(state, { stale: true }), "stats");
}

/** Moves from day to day of the same weekday; never past the weeks in sight. */
export function moveWeeks(state: State, weeks: number): State {
	const heatmap = selectStats(state)?.heatmap;
	if (heatmap === undefined || selectedStatsRow(state)?.kind !== "weekday") return state;
	const weeksAgo = Math.max(0, Math.min(weekOf(state, heatmap) - weeks, heatmap.weeks - 1));
	return withStats(state, { weeksAgo });
}
