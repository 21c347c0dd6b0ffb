import type { Feature } from "../../world/page/page.ts";
import { applyProgress, applyTurns } from "./reconcile-timeline.ts";
import { TIMELINE_KEYS } from "./timeline-keys.ts";
import { TIMELINE_PAGE } from "./timeline-page.ts";
import type { TurnsRead, TurnsRequest } from "./timeline-state.ts";

export const TIMELINE: Feature<TimelineAction> = {
	page: TIMELINE_PAGE,
	keys: { section: "Timeline", keys: TIMELINE_KEYS },
	on: {
		"turns-read": (state, { request, found }) => applyTurns(state, request, found),
		"turns-progress": (state, { request, part }) => applyProgress(state, request, part),
	},
};

/** Results of its effects. */
type TimelineAction =
	/** When these sessions worked, by path. */
	| { readonly type: "turns-read"; readonly request: number; readonly found: ReadonlyMap<string, TurnsRead> }
	/** How much of a reading is done, from 0 to 1. */
	| { readonly type: "turns-progress"; readonly request: number; readonly part: number };

/** Effects that it requests. */
export type TimelineEffect =
	/** Read when these sessions worked, and end the reading that is under way. */
	{ readonly type: "read-turns"; readonly request: number; readonly sessions: readonly TurnsRequest[] };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly timeline: TimelineAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly timeline: TimelineEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly timeline: true;
	}
}
