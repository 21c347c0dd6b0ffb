import type { SessionRow } from "../../../catalog/model/row.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { Feature } from "../../world/page/page.ts";
import { STATS_KEYS } from "./stats-keys.ts";
import { STATS_PAGE } from "./stats-page.ts";
import { applyStats, STATS } from "./stats-state.ts";

export const STATISTICS: Feature<StatisticsAction> = {
	page: STATS_PAGE,
	keys: { section: "Statistics", keys: STATS_KEYS },
	on: {
		stats: applyStats,
		// Sessions counted or deleted since are not in the sum.
		catalog: (state, { event }) =>
			event.type === "gone" || event.type === "counting" ? STATS.with(state, { stale: true }) : state,
	},
};

/** Results of its effects. */
type StatisticsAction =
	/** The sum over all sessions, or why counting failed. */
	{ readonly type: "stats"; readonly stats: CatalogStats } | { readonly type: "stats"; readonly error: string };

/** Effects that it requests. */
export type StatisticsEffect =
	/** Sum up these sessions; `gently`: without slowing down the counting, which is still going on. */
	{ readonly type: "count"; readonly rows: readonly SessionRow[]; readonly gently: boolean };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly statistics: StatisticsAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly statistics: StatisticsEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly statistics: true;
	}
}
