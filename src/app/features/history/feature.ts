import type { Feature } from "../../world/page/feature.ts";
import type { HistoryAction } from "./history-messages.ts";
import { HISTORY_PAGE } from "./history-page.ts";
import { HISTORY as SLICE } from "./history-state.ts";
import { applyHistory, applyOutlooks } from "./reconcile-history.ts";

export const HISTORY: Feature<HistoryAction> = {
	page: HISTORY_PAGE,
	on: {
		"history-read": (state, { request, read }) => applyHistory(state, request, read),
		"history-checked": (state, { ids, outlooks }) => applyOutlooks(state, ids, outlooks),
		changed: (state) => SLICE.with(state, { stale: true }),
	},
};
