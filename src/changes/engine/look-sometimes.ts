import type { LiveReport } from "../../catalog/model/live.ts";

/** What was seen to be in use is believed for so long, in ms: a look takes longer than what is done to most sessions. */
const LOOK_EVERY_MS = 300;
/** No more than this part of the time is spent on looking. */
const MOST_LOOKING = 1 / 10;

/** Has the catalog look anew at what is in use, and at who has these sessions open. */
export type LookAtUse = (paths: readonly string[]) => Promise<LiveReport>;

/**
 * Looks at what is in use before each of many sessions is changed: at all of them at once, and every now and then, since
 * a look goes through all processes, however many sessions it is about.
 */
export function lookSometimes(look: LookAtUse, paths: readonly string[]): () => Promise<LiveReport> {
	let last: LiveReport | undefined;
	let until = 0;
	return async () => {
		const began = performance.now();
		if (last === undefined || began >= until) {
			last = await look(paths);
			const now = performance.now();
			until = now + Math.max(LOOK_EVERY_MS, (now - began) / MOST_LOOKING);
		}
		return last;
	};
}
