import type { Use } from "../../catalog/model/live.ts";
import { formatLabelTime } from "./format.ts";

/** What was seen that speaks for a session being in use, as a sentence about "it"; `now` in Unix ms. */
export function describeUse(use: Use, now: number): string {
	const time = (ms: number): string => formatLabelTime(new Date(ms).toISOString(), now);
	const who = (name: string, { pid, startedMs }: { pid: number; startedMs: number }): string =>
		`${name} (pid ${pid}, since ${time(startedMs)})`;
	switch (use.kind) {
		case "handed-over":
		case "named":
			return `${who("pi", use)} was started with it.`;
		case "command":
			return `${who("pi", use)} is running a command for it.`;
		case "open":
			return `${who(use.program, use)} has its file open for writing.`;
		case "begun":
			return `${who("pi", use)} began it.`;
		case "wrote":
			return `${who("pi", use)} runs in its directory, and it was written to at ${time(use.wroteMs)}.`;
		case "grew":
			return `It was written to at ${time(use.grewMs)}; by which program cannot be seen.`;
		case "may-have":
			return `${who("pi", use)} runs in its directory; which session it has open cannot be seen.`;
	}
}

/** What to do so that a session is no longer in use. */
export function howToFree(use: Use): string {
	if (use.kind === "open") return "Close it there first.";
	return use.kind === "grew" ? "Wait until nothing was written for half a minute." : "Leave that pi first.";
}
