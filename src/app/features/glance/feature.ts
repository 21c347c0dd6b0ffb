import type { PiFacts, PiRequest } from "../../../conversation/glance/pi-facts.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Feature } from "../../world/page/page.ts";
import { applyCheck, applyGlance } from "./reconcile-glance.ts";

export const GLANCE: Feature<GlanceAction> = {
	on: {
		"session-checked": (state, { session, isSound }) => applyCheck(state, session, isSound),
		"session-counted": applyGlance,
		"pi-facts-read": applyGlance,
	},
};

/** Actions of the header's summary. */
type GlanceAction =
	/** All lines of a large session have been checked. `isSound`: whether the quick reading was right. */
	| { readonly type: "session-checked"; readonly session: Session; readonly isSound: boolean }
	/** A large session has been counted; its totals are cached with it. */
	| { readonly type: "session-counted"; readonly session: Session }
	/** What pi's files say about continuing a session. */
	| { readonly type: "pi-facts-read"; readonly request: PiRequest; readonly facts: PiFacts };

/** Effects of the header's summary. */
type GlanceEffect =
	/** Check every line of a large session, cancelling the running check. */
	| { readonly type: "check-session"; readonly session: Session }
	/** Count a large session, and what continuing from its leaf means, cancelling the running count. */
	| { readonly type: "count-session"; readonly session: Session }
	/** Read what pi's files say about continuing a session. */
	| { readonly type: "read-pi-facts"; readonly request: PiRequest };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly glance: GlanceAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly glance: GlanceEffect;
	}
}
