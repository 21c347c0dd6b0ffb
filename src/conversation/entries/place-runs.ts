import { type Run, type RunSession, runsOf } from "../../catalog/families/run.ts";
import type { RunReport } from "../../catalog/families/run-report.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { roleOf } from "./entry-kind.ts";
import { resultsBelow } from "./tool-call.ts";

/** A run of a subagent at the step of its parent that started it. */
export interface PlacedRun<Of extends RunSession = RunSession> {
	/** Identity of the run among those of its parent: the same while it starts, works and ends. */
	readonly key: string;
	/** Id of the entry below which it stands. */
	readonly entryId: string;
	/** Whether that is the result of the call that started it. */
	readonly isOfCall: boolean;
	readonly run: Run<Of>;
}

/**
 * The runs of a session at the steps that started them, in the order in which they began: below the result of their call,
 * or, while there is none, below the call; a run that the session does not report is below the last entry before it began.
 * `sessions`: the sessions of the runs.
 */
export function placeRuns<Of extends RunSession>(
	session: Session,
	sessions: readonly Of[],
	reports: readonly RunReport[],
): readonly PlacedRun<Of>[] {
	const placed: PlacedRun<Of>[] = [];
	const counts = new Map<string, number>();
	const results = new Map<string, ReadonlyMap<string, string>>();
	for (const run of runsOf(sessions, reports)) {
		const entryId = entryOf(run, session, results);
		if (entryId === undefined) continue;
		// A run that is asked for has no name yet, so its call stands for it.
		const asker = run.report === undefined ? run.session?.path : `${run.report.entryId}\0${run.report.callId ?? ""}`;
		const count = counts.get(asker ?? "") ?? 0;
		counts.set(asker ?? "", count + 1);
		placed.push({ key: `${RUN_KEY}${asker}\0${count}`, entryId, isOfCall: isOfCall(run, entryId, session), run });
	}
	return placed;
}

/** No id of an entry that pi writes begins with it. */
const RUN_KEY = "\0run ";
const GROUP_KEY = "\0runs ";

export function isRunKey(key: string): boolean {
	return key.startsWith(RUN_KEY);
}

/** Id of the step whose runs a key stands for; undefined for other keys. */
export function stepOfGroup(key: string): string | undefined {
	return key.startsWith(GROUP_KEY) ? key.slice(GROUP_KEY.length) : undefined;
}

export function runGroupKey(entryId: string): string {
	return `${GROUP_KEY}${entryId}`;
}

function entryOf(
	{ report, session: own }: Run,
	session: Session,
	keyOfSession: Map<string, ReadonlyMap<string, string>>,
): string | undefined {
	const reporting = report && session.tree.byId.get(report.entryId);
	// It may have been written since the session was read.
	if (reporting === undefined) return saidBefore(session, own?.created.getTime() ?? report?.startedMs ?? 0)?.id;
	if (roleOf(reporting) !== "assistant") return reporting.id;
	let results = keyOfSession.get(reporting.id);
	if (results === undefined) {
		results = resultsBelow(reporting, session);
		keyOfSession.set(reporting.id, results);
	}
	// Of several calls, some have not ended: what has is the row of them all.
	return results.get(report?.callId ?? "") ?? [...results.values()].at(-1) ?? reporting.id;
}

function isOfCall({ report }: Run, entryId: string, { tree }: Session): boolean {
	const entry = tree.byId.get(entryId);
	if (report === undefined || roleOf(entry) !== "toolResult") return false;
	return report.entryId === entryId || fieldsOf(fieldsOf(entry).message).toolCallId === report.callId;
}

/** The last entry that was written before a time, else the first one. */
function saidBefore({ entries }: Session, ms: number): SessionEntry | undefined {
	return entries.findLast(({ timestamp }) => timeOf(timestamp) <= ms) ?? entries[0];
}
