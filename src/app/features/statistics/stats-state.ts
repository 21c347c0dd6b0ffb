import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";

/** The page of the statistics. It keeps its state while it is closed. */
export interface StatsState {
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

const FIRST_STATS: StatsState = {
	sum: undefined,
	counting: false,
	stale: true,
	cursor: FIRST_CURSOR,
	weeksAgo: 0,
};

export const STATS = defineSlice("stats", FIRST_STATS);
