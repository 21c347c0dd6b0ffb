import type { Feature } from "../../world/page/feature.ts";
import type { GlanceAction } from "./glance-messages.ts";
import { applyCheck } from "./reconcile-check.ts";
import { applyGlance } from "./reconcile-glance.ts";

export const GLANCE: Feature<GlanceAction> = {
	on: {
		"session-checked": (state, { session, isSound }) => applyCheck(state, session, isSound),
		"session-counted": applyGlance,
		"looked-up": applyGlance,
	},
};
