import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-cursor.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** The page of the statistics. It stays as it was left, also while it is closed. */
export interface StatsState {
	/** What the sessions cost and weigh, as far as it was known at the last count; undefined before the first. */
	readonly sum: CatalogStats | undefined;
	/** Whether they are being summed up. */
	readonly counting: boolean;
	/** Whether something may have changed since that began. */
	readonly stale: boolean;
	readonly cursor: PageCursor;
	/** Weeks before the present one of the day under the cursor, while that is on a day. */
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
