import { TimeSlice } from "../../shared/time-slice.ts";
import type { Session } from "../../store/read/read-session.ts";
import { leafSteps } from "../glance/outlook.ts";
import { sumSteps } from "../glance/session-sum.ts";

/** Counts one large session at a time, a few milliseconds between two turns of the event loop. */
export interface SessionCounter {
	/** Resolves to whether it is counted: not when a later call came in between. What it comes to is remembered there. */
	count(session: Session): Promise<boolean>;
	close(): void;
}

export function createSessionCounter(home: string): SessionCounter {
	let current: AbortController | undefined;
	return {
		async count(session) {
			current?.abort();
			const mine = new AbortController();
			current = mine;
			const timeSlice = new TimeSlice(mine.signal);
			try {
				// The screen that was asked for comes first.
				await timeSlice.yieldToEventLoop();
				await timeSlice.run(sumSteps(session, home));
				await timeSlice.run(leafSteps(session));
				return true;
			} catch (error) {
				if (mine.signal.aborted) return false;
				throw error;
			}
		},
		close() {
			current?.abort();
		},
	};
}
