import type { Feature } from "../../world/page/feature.ts";
import { applyStats } from "./reconcile-stats.ts";
import type { StatisticsAction } from "./statistics-messages.ts";
import { STATS_PAGE } from "./stats-page.ts";
import { STATS } from "./stats-state.ts";

export const STATISTICS: Feature<StatisticsAction> = {
	page: STATS_PAGE,
	on: {
		stats: applyStats,
		// What is counted, and what is gone, is not what was summed up.
		catalog: (state, { event }) =>
			event.type === "gone" || event.type === "counting" ? STATS.with(state, { stale: true }) : state,
	},
};
