import {
	evidenceOf,
	isByProcess,
	type LiveReport,
	type RunningPi,
	type UsedSession,
	type UseEvidence,
	useKey,
} from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { projectKey } from "../../shared/paths.ts";

/**
 * What an action does to a session that a pi may have open:
 * - "take": takes its file from its place (trash, archive, back from the archive), or copies it to go on elsewhere;
 * - "move-leaf": appends a line that changes where pi goes on;
 * - "move-back": undoes that, which is refused anyway where somebody has said something since;
 * - "append": appends a line that changes nothing of that (a name, a label);
 * - "resume": starts another pi with it.
 */
export type Act = "take" | "move-leaf" | "move-back" | "append" | "resume";

export interface Verdict {
	/** "ask": allowed if the person agrees, who is shown `uses`. */
	readonly decision: "free" | "ask" | "refuse";
	/** Certain evidence first. */
	readonly uses: readonly UseEvidence[];
}

/** The decisions if a process has the session, if the file only grew, and if a pi may have it. */
const POLICY: Readonly<Record<Act, Readonly<Record<ReturnType<typeof certaintyOf>, Verdict["decision"]>>>> = {
	// pi would go on writing to a file without a header at the old path.
	take: { "in-use": "refuse", grew: "refuse", "may-have": "ask" },
	// A line must never land in the middle of what a pi is writing.
	"move-leaf": { "in-use": "refuse", grew: "refuse", "may-have": "ask" },
	// What was written since has been checked: a pi that was resumed and left wrote its settings.
	"move-back": { "in-use": "refuse", grew: "free", "may-have": "ask" },
	// pi goes on from its own leaf and reads the line when it next opens the file: nothing is lost.
	append: { "in-use": "free", grew: "free", "may-have": "free" },
	// Two writers lose nothing, but neither sees what the other writes.
	resume: { "in-use": "ask", grew: "ask", "may-have": "ask" },
};

/** Decides whether an action is allowed on a session that is or may be in use; nothing else decides that. */
export function guard(act: Act, report: LiveReport, session: UsedSession): Verdict {
	const evidence = evidenceOf(report, session);
	return verdictOn(act, [...evidence, ...possibleUses(act, report, session, evidence)]);
}

export function verdictOn(act: Act, uses: readonly UseEvidence[]): Verdict {
	const policy = POLICY[act];
	const counting = uses.filter(({ kind }) => kind !== "grew" || policy.grew !== "free");
	return { decision: counting.length === 0 ? "free" : policy[certaintyOf(counting)], uses };
}

/** A session as the person saw it before they chose; it is checked again before anything is done to it. */
export interface SeenSession {
	readonly row: UsedSession;
	/** The evidence of use that they were asked about. */
	readonly uses: readonly UseEvidence[];
}

export interface ShownSession extends SeenSession {
	readonly row: SessionRow;
}

/** The sessions that may be taken from their place, with the evidence that a pi may have them open. */
export function takeable(rows: readonly SessionRow[], report: LiveReport): readonly ShownSession[] {
	return rows.flatMap((row): ShownSession[] => {
		const { decision, uses } = guard("take", report, row);
		return decision === "refuse" ? [] : [{ row, uses }];
	});
}

/** Decides again right before the action: no one is asked again about evidence that they have seen and agreed to. */
export function guardAgain(act: Act, report: LiveReport, { row, uses: shown }: SeenSession): Verdict {
	const verdict = guard(act, report, row);
	if (verdict.decision !== "ask") return verdict;
	const agreedKeys = new Set(shown.map(useKey));
	return verdict.uses.every((use) => agreedKeys.has(useKey(use))) ? { ...verdict, decision: "free" } : verdict;
}

/**
 * The pis that may have the session open: those in its directory that do not report which one they have. Before a file is
 * taken away all of them count, since a pi can change to another session without a trace. Otherwise a pi counts only if it is
 * not known to have another session, or was there when this one was last used, so that a person who works in a directory is
 * not asked about each of its sessions. Archived sessions are not in pi's list.
 */
function possibleUses(
	act: Act,
	{ pis }: LiveReport,
	{ cwd, modified, archived }: UsedSession,
	evidence: readonly UseEvidence[],
): readonly UseEvidence[] {
	if (archived === true) return [];
	const pids = new Set(evidence.map((use) => ("pid" in use ? use.pid : undefined)));
	const mayHave = (pi: RunningPi): boolean =>
		projectKey(pi.cwd) === projectKey(cwd) &&
		!pi.reportsSession &&
		!pids.has(pi.pid) &&
		(act === "take" || pi.sessions.length === 0 || modified.getTime() >= pi.startedMs);
	return pis.filter(mayHave).map(({ pid, startedMs }) => ({ kind: "may-have", pid, startedMs }));
}

/** Whether an action is allowed whatever is in use, so that the use need not be read. */
export function isAlwaysFree(act: Act): boolean {
	return Object.values(POLICY[act]).every((decision) => decision === "free");
}

export function certaintyOf(uses: readonly UseEvidence[]): "in-use" | "grew" | "may-have" {
	if (uses.some(isByProcess)) return "in-use";
	return uses.some(({ kind }) => kind === "grew") ? "grew" : "may-have";
}
