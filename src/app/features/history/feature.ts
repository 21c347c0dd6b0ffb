import type { HistoryPart } from "../../../changes/journal/history-reader.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import type { Feature } from "../../world/page/page.ts";
import { HISTORY_KEYS } from "./history-keys.ts";
import { HISTORY_PAGE } from "./history-page.ts";
import { HISTORY as SLICE } from "./history-state.ts";
import { applyHistory, applyOutlooks } from "./reconcile-history.ts";

export const HISTORY: Feature<HistoryAction> = {
	page: HISTORY_PAGE,
	keys: { section: "History", keys: HISTORY_KEYS },
	on: {
		"history-read": (state, { request, read }) => applyHistory(state, request, read),
		"history-checked": (state, { ids, outlooks }) => applyOutlooks(state, ids, outlooks),
		changed: (state) => SLICE.with(state, { stale: true }),
	},
};

/** Results of its effects. */
type HistoryAction =
	/** The changes read from the journal, or why it cannot be read. */
	| { readonly type: "history-read"; readonly request: number; readonly read: HistoryPart | { readonly error: string } }
	/** Whether these changes can be undone or redone. */
	| {
			readonly type: "history-checked";
			readonly ids: readonly string[];
			readonly outlooks: ReadonlyMap<string, Outlook>;
	  };

/** Effects that it requests. */
export type HistoryEffect =
	/** Read what was added to the journal, and at least `wanted` of its changes. */
	| { readonly type: "read-history"; readonly request: number; readonly wanted: number }
	/** Check whether these changes can be undone or redone. */
	| { readonly type: "check-history"; readonly ids: readonly string[] };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly history: HistoryAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly history: HistoryEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly history: true;
	}
}
