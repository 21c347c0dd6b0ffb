import { leafSteps } from "../../../../conversation/glance/outlook.ts";
import { sumSteps } from "../../../../conversation/glance/session-sum.ts";
import type { Runners } from "../../../world/effects/runners.ts";

/** Computes what the header shows of the session. */
export const GLANCE_EFFECTS: Runners<"count-session" | "read-pi-facts"> = {
	/** Counts one session at a time; its totals are cached with the session. */
	async "count-session"({ session }, { disk, latest }) {
		const isCounted = await latest(async (slice) => {
			// Let the pending frame be drawn first.
			await slice.yieldToEventLoop();
			await slice.run(sumSteps(session, disk.home));
			await slice.run(leafSteps(session));
			return true as const;
		});
		return isCounted && { type: "session-counted", session };
	},
	async "read-pi-facts"({ request }, { pi }) {
		return { type: "pi-facts-read", request, facts: await pi.files.read(request) };
	},
};
