import { leafSteps } from "../../../../conversation/glance/outlook.ts";
import { sumSteps } from "../../../../conversation/glance/session-sum.ts";
import type { Runners } from "../../../world/effects/runners.ts";

/** What the header tells about the session. */
export const GLANCE_EFFECTS: Runners<"count-session" | "read-pi-facts"> = {
	/** What one large session at a time comes to is remembered there. */
	async "count-session"({ session }, { disk, latest }) {
		const isCounted = await latest(async (slice) => {
			// The screen that was asked for comes first.
			await slice.yieldToEventLoop();
			await slice.run(sumSteps(session, disk.home));
			await slice.run(leafSteps(session));
			return true as const;
		});
		return isCounted && { type: "session-counted", session };
	},
	async "read-pi-facts"({ request }, { pi }) {
		return { type: "pi-facts-read", request, facts: await pi.files.look(request) };
	},
};
