import { messageOf } from "../../../../changes/reason.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { StatisticsEffect } from "../feature.ts";

/** Effects of the statistics. */
export const STATS_EFFECTS: Runners<StatisticsEffect["type"]> = {
	async count({ rows, gently }, { store }) {
		try {
			return { type: "stats", stats: await store.count(rows, gently) };
		} catch (error) {
			return { type: "stats", error: messageOf(error) };
		}
	},
};
