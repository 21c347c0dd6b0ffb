import type { PiFacts, PiRequest } from "../../../conversation/glance/pi-facts.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Feature } from "../../world/page/feature.ts";
import { applyCheck, applyGlance } from "./reconcile-glance.ts";

export const GLANCE: Feature<GlanceAction> = {
	on: {
		"session-checked": (state, { session, isSound }) => applyCheck(state, session, isSound),
		"session-counted": applyGlance,
		"pi-facts-read": applyGlance,
	},
};

/** What can happen to it. */
type GlanceAction =
	/** All lines of a large session were looked at: whether it is what it was taken for. */
	| { readonly type: "session-checked"; readonly session: Session; readonly isSound: boolean }
	/** A large session has been counted; what it comes to is remembered there. */
	| { readonly type: "session-counted"; readonly session: Session }
	/** What pi's files tell about going on with a session. */
	| { readonly type: "pi-facts-read"; readonly request: PiRequest; readonly facts: PiFacts };

/** What it wants done outside. */
type GlanceEffect =
	/** Look at every line of a large session, and end the looking that is running. */
	| { readonly type: "check-session"; readonly session: Session }
	/** Count what a large session comes to, and what going on from its leaf means; ends the counting that is running. */
	| { readonly type: "count-session"; readonly session: Session }
	/** Read in pi's files what they tell about going on with a session. */
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
