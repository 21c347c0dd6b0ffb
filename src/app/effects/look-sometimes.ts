import type { LiveReport } from "../../catalog/model/live.ts";

/** What was seen to be in use is believed for so long, in ms: a look takes longer than what is done to most sessions. */
const LOOK_EVERY_MS = 300;

/** Looks at what is in use before each of many sessions is changed, but not at all processes for each of them. */
export function lookSometimes(look: (path: string) => Promise<LiveReport>): (path: string) => Promise<LiveReport> {
	let last: { readonly at: number; readonly report: LiveReport } | undefined;
	return async (path) => {
		if (last === undefined || performance.now() - last.at >= LOOK_EVERY_MS) {
			const report = await look(path);
			last = { at: performance.now(), report };
		}
		return last.report;
	};
}
