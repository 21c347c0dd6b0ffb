import type { SessionRow } from "../../../catalog/model/row.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { Feature } from "../../world/page/feature.ts";
import { applyStats } from "./reconcile-stats.ts";
import { STATS_KEYS } from "./stats-keys.ts";
import { STATS_PAGE } from "./stats-page.ts";
import { STATS } from "./stats-state.ts";

export const STATISTICS: Feature<StatisticsAction> = {
	page: STATS_PAGE,
	keys: { section: "Statistics", keys: STATS_KEYS },
	on: {
		stats: applyStats,
		// What is counted, and what is gone, is not what was summed up.
		catalog: (state, { event }) =>
			event.type === "gone" || event.type === "counting" ? STATS.with(state, { stale: true }) : state,
	},
};

/** What can happen to it. */
type StatisticsAction =
	/** What the sessions cost and weigh. */
	{ readonly type: "stats"; readonly stats: CatalogStats } | { readonly type: "stats"; readonly error: string };

/** What it wants done outside. */
export type StatisticsEffect =
	/** Count what these sessions cost and weigh. */
	/** Sum up what the sessions come to; `gently`: they are still being counted, which must not take longer for it. */
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

declare module "../../world/state/page-kind.ts" {
	interface Pages {
		readonly statistics: true;
	}
}
