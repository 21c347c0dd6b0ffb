import { leafSteps } from "../../../../conversation/glance/outlook.ts";
import { sumSteps } from "../../../../conversation/glance/session-sum.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { LatestWork } from "../../../world/effects/latest-work.ts";

/** Counts one large session at a time, a few milliseconds between two turns of the event loop. */
export interface SessionCounter {
	/** Resolves to whether it is counted: not when a later call came in between. What it comes to is remembered there. */
	count(session: Session): Promise<boolean>;
	close(): void;
}

export function createSessionCounter(home: string): SessionCounter {
	const latest = new LatestWork();
	return {
		async count(session) {
			const isCounted = await latest.run(async (slice) => {
				// The screen that was asked for comes first.
				await slice.yieldToEventLoop();
				await slice.run(sumSteps(session, home));
				await slice.run(leafSteps(session));
				return true;
			});
			return isCounted === true;
		},
		close: () => latest.close(),
	};
}
