import type { LiveEvidence, UseEvidence } from "../../catalog/model/live.ts";
import { formatLabelTime } from "../../ui/text/format.ts";

/** What was seen that speaks for a session being in use, as a sentence about "it"; `now` in Unix ms. */
export function describeUse(use: UseEvidence, now: number): string {
	const time = (ms: number): string => timeOf(ms, now);
	const who = (name: string, { pid, startedMs }: { pid: number; startedMs: number }): string =>
		`${name} (pid ${pid}, since ${time(startedMs)})`;
	switch (use.kind) {
		case "noted":
			return `${who("pi", use)} has it open.`;
		case "handed-over":
		case "named":
			return `${who("pi", use)} was started with it.`;
		case "continued":
			return `${who("pi", use)} was started to continue the last session of its directory, which is this one.`;
		case "command":
			return `${who("pi", use)} is running a command for it.`;
		case "open":
			return `${who(use.program, use)} has its file open for writing.`;
		case "host":
			return "It is open in the pi that you came from.";
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

/** The sign of a session in use, and of one that merely grows, and the same in a few words for a title. */
export function briefUse(evidence: readonly LiveEvidence[], now: number): BriefUse | undefined {
	const [first] = evidence;
	if (first === undefined) return undefined;
	const by = evidence.find((one) => one.kind !== "grew");
	if (by === undefined) return { sign: "◐", words: `written to at ${timeOf(grewAt(evidence), now)}` };
	if (by.kind === "host") return { sign: "●", words: OPEN_HERE };
	return { sign: "●", words: `in use by ${by.kind === "open" ? by.program : "pi"} ${by.pid}` };
}

/** What is said of the session that is open in the pi that started the browser. */
export const OPEN_HERE = "open here";

export interface BriefUse {
	readonly sign: "●" | "◐";
	readonly words: string;
}

function grewAt(evidence: readonly LiveEvidence[]): number {
	return Math.max(...evidence.map((one) => (one.kind === "grew" ? one.grewMs : 0)));
}

function timeOf(ms: number, now: number): string {
	return formatLabelTime(new Date(ms).toISOString(), now);
}

/** What to do so that a session is no longer in use. */
export function howToFree(use: UseEvidence): string {
	if (use.kind === "host") return "Open another one there first.";
	if (use.kind === "open") return "Close it there first.";
	if (use.kind === "noted") return "Leave that pi first, or open another session there.";
	return use.kind === "grew" ? "Wait until nothing was written for half a minute." : "Leave that pi first.";
}
