import { isByProcess, type LiveEvidence, type LiveReport, type UseEvidence } from "../../catalog/model/live.ts";
import { formatDayTime } from "../../ui/text/format.ts";
import { type Act, certaintyOf, guardAgain, type SeenSession, type Verdict } from "./guard.ts";

/** The words for the session that is open in the pi that started the browser. */
export const OPEN_HERE = "open here";

/** How certain it is that a session is in use, as a predicate: "it is in use". */
const STATES: Readonly<Record<ReturnType<typeof certaintyOf>, string>> = {
	"in-use": "is in use",
	grew: "was written to just now",
	"may-have": "may be in use",
};

/** "is in use", "was written to just now", "may be in use". */
export function stateOfUse(uses: readonly UseEvidence[]): string {
	return STATES[certaintyOf(uses)];
}

/** The same at the beginning of a title: "In use". */
export function titleOfUse(uses: readonly UseEvidence[]): string {
	const certainty = certaintyOf(uses);
	if (certainty === "in-use") return "In use";
	return certainty === "grew" ? "Written to just now" : "It may be in use";
}

/** A sign with a few words for a title: "●" in use, "○" only written to. */
export interface BriefUse {
	readonly sign: "●" | "○";
	readonly words: string;
}

/** What the list and the title of a session show of its use; undefined if there is no evidence of any. `now` in Unix ms. */
export function briefUse(evidence: readonly LiveEvidence[], now: number): BriefUse | undefined {
	if (evidence.length === 0) return undefined;
	const by = evidence.find((one) => one.kind !== "grew");
	if (by === undefined) {
		const grewMs = Math.max(...evidence.map((one) => (one.kind === "grew" ? one.grewMs : 0)));
		return { sign: "○", words: `written to at ${formatDayTime(grewMs, now)}` };
	}
	if (by.kind === "host") return { sign: "●", words: OPEN_HERE };
	if (by.kind === "there") return { sign: "●", words: `in use on ${by.place}` };
	return { sign: "●", words: `in use by ${by.kind === "open" ? by.program : "pi"} ${by.pid}` };
}

/** The evidence and what to do about it, in sentences: "pi (pid 4711, since 14:05) was started with it. Leave that pi first." */
export function evidenceWords(uses: readonly UseEvidence[], now: number): string {
	const use = uses.find(isByProcess) ?? uses.find(({ kind }) => kind === "grew") ?? uses[0];
	return use === undefined ? "" : `${describeUse(use, now)} ${howToFree(use)}`;
}

/**
 * Why an action is not allowed, with the evidence and what to do, as text that follows a colon; undefined if it is allowed.
 * `now` in Unix ms.
 */
export function whyNot({ decision, uses }: Verdict, now: number): string | undefined {
	return decision === "free" ? undefined : `it ${stateOfUse(uses)}. ${evidenceWords(uses, now)}`;
}

/** Decides again right before an action, as `guardAgain` does, and throws the reason if it is not allowed. `now` in Unix ms. */
export function requireFree(act: Act, report: LiveReport, seenSession: SeenSession, now: number): void {
	const refused = whyNot(guardAgain(act, report, seenSession), now);
	if (refused !== undefined) throw new Error(refused);
}

/** The addition to the message about a line appended to a session that a pi has open; "" if none has. */
export function alsoOpen({ uses }: Verdict, now: number): string {
	const use = uses.find((one) => isByProcess(one) && one.kind !== "host");
	return use === undefined ? "" : `. ${describeUse(use, now)} It shows there once the session is opened again.`;
}

/** The evidence that a person needs to know: if a process has the session, it is clear who writes to it. */
export function relevantUses(uses: readonly UseEvidence[]): readonly UseEvidence[] {
	const isKnown = uses.some(isByProcess);
	return uses.filter(({ kind }) => kind !== "grew" || !isKnown);
}

/** The evidence that a session is in use, as a sentence about "it"; `now` in Unix ms. */
export function describeUse(use: UseEvidence, now: number): string {
	const time = (ms: number): string => formatDayTime(ms, now);
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
		case "there":
			return `It is in use on ${use.place}.`;
		case "grew":
			return `It was written to at ${time(use.grewMs)}; by which program cannot be seen.`;
		case "may-have":
			return `${who("pi", use)} runs in its directory; which session it has open cannot be seen.`;
	}
}

/** How to end the use of a session, as a sentence. */
function howToFree(use: UseEvidence): string {
	if (use.kind === "host") return "Open another one there first.";
	if (use.kind === "open" || use.kind === "there") return "Close it there first.";
	if (use.kind === "noted") return "Leave that pi first, or open another session there.";
	return use.kind === "grew" ? "Wait until nothing has been written for half a minute." : "Leave that pi first.";
}
