import {
	evidenceOf,
	isByProcess,
	keyOf,
	type LiveReport,
	type RunningPi,
	type UsedSession,
	type UseEvidence,
} from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";

/**
 * What an action does to a session that a pi may have open:
 * - "take": takes its file from its place (trash, archive, back from the archive), or copies it to go on elsewhere;
 * - "move-leaf": appends a line that changes where pi goes on;
 * - "move-back": undoes that, which is refused anyway where somebody has said something since;
 * - "append": appends a line that changes nothing of that (a name, a label);
 * - "resume": starts another pi with it.
 */
export type Act = "take" | "move-leaf" | "move-back" | "append" | "resume";

/** Whether an action may be done now, and what speaks for the session being in use. */
export interface Verdict {
	/** "ask": only when a person agrees, who is shown `uses`. */
	readonly decision: "free" | "ask" | "refuse";
	/** Certain evidence first. */
	readonly uses: readonly UseEvidence[];
}

/** What is decided where a process is known to have the session, where it only grows, and where a pi may have it. */
const POLICY: Readonly<Record<Act, Readonly<Record<ReturnType<typeof certaintyOf>, Verdict["decision"]>>>> = {
	// pi would go on in a file without a header at the old place.
	take: { "in-use": "refuse", grew: "refuse", "may-have": "ask" },
	// Nobody may agree to a line in the middle of what a pi writes.
	"move-leaf": { "in-use": "refuse", grew: "refuse", "may-have": "ask" },
	// What was written since is known: a pi that was resumed and left has noted its settings.
	"move-back": { "in-use": "refuse", grew: "free", "may-have": "ask" },
	// The line is whole and pi goes on from its own leaf: nothing is lost, and pi reads the line when it next opens the file.
	append: { "in-use": "free", grew: "free", "may-have": "free" },
	// Two writers lose nothing, but neither sees what the other writes.
	resume: { "in-use": "ask", grew: "ask", "may-have": "ask" },
};

/** The one place that decides whether an action may be done to a session that is in use, or may be. */
export function guard(act: Act, report: LiveReport, session: UsedSession): Verdict {
	const evidence = evidenceOf(report, session);
	return verdictOn(act, [...evidence, ...possibleUses(act, report, session, evidence)]);
}

/** What is decided about an action by what was seen. */
export function verdictOn(act: Act, uses: readonly UseEvidence[]): Verdict {
	const policy = POLICY[act];
	const counting = uses.filter(({ kind }) => kind !== "grew" || policy.grew !== "free");
	return { decision: counting.length === 0 ? "free" : policy[certaintyOf(counting)], uses };
}

/** What the person was shown of a session before they chose; it is looked at again before it is acted on. */
export interface Shown {
	readonly row: SessionRow;
	/** What spoke for its being in use, as far as they were asked about it. */
	readonly uses: readonly UseEvidence[];
}

/** The same at the moment of the act: nobody is asked again about what they were shown and have agreed to. */
export function guardAgain(
	act: Act,
	report: LiveReport,
	{ row, uses: shown }: Pick<Shown, "uses"> & { readonly row: UsedSession },
): Verdict {
	const verdict = guard(act, report, row);
	if (verdict.decision !== "ask") return verdict;
	const known = new Set(shown.map(keyOf));
	return verdict.uses.every((use) => known.has(keyOf(use))) ? { ...verdict, decision: "free" } : verdict;
}

/**
 * The pis that may have the session: those in its directory that do not say which one they have. Before a file is taken away
 * that is every one of them, since a pi can change to another session without a trace. Otherwise only those count that are
 * not known to have another session, or were there when this one was last used, so that a person who works in a directory
 * is not asked about each of its sessions. pi does not list what is archived.
 */
function possibleUses(
	act: Act,
	{ pis }: LiveReport,
	{ cwd, modified, archived }: UsedSession,
	evidence: readonly UseEvidence[],
): readonly UseEvidence[] {
	if (archived === true) return [];
	const seen = new Set(evidence.map((use) => ("pid" in use ? use.pid : undefined)));
	const mayHave = (pi: RunningPi): boolean =>
		pi.cwd === cwd &&
		!pi.tells &&
		!seen.has(pi.pid) &&
		(act === "take" || pi.sessions.length === 0 || modified.getTime() >= pi.startedMs);
	return pis.filter(mayHave).map(({ pid, startedMs }) => ({ kind: "may-have", pid, startedMs }));
}

/** Whether an action may be done whatever is in use: then nobody has to look. */
export function isAlwaysFree(act: Act): boolean {
	return Object.values(POLICY[act]).every((decision) => decision === "free");
}

/** How certain it is that a session is in use. */
export function certaintyOf(uses: readonly UseEvidence[]): "in-use" | "grew" | "may-have" {
	if (uses.some(isByProcess)) return "in-use";
	return uses.some(({ kind }) => kind === "grew") ? "grew" : "may-have";
}
