/**
 * The state of a run. `queued` and `running` are what was known when the entry was written: the session does not say whether the
 * run is still working or its program has ended since. `turn limit`: it was cut off when it had used up its turns.
 */
export type RunState =
	| "queued"
	| "running"
	| "done"
	| "failed"
	| "stopped"
	| "timed out"
	| "turn limit"
	| "interrupted";

/** What an entry of a session says about one run of a subagent. */
export interface RunReport {
	/** Identifies the run among all reports of a session. */
	readonly key: string;
	/** The entry with the report; of merged reports, the first one. */
	readonly entryId: string;
	/** The tool call that started the run, where it is known. */
	readonly callId?: string;
	/** The package's id of the run: names its directory (foreground runs), its session and its artifacts. */
	readonly runId?: string;
	/** Which of the sessions of `runId` it is: N in `run-N`. */
	readonly index?: number;
	/** The workflow whose step this is. */
	readonly workflowId?: string;
	/** Empty where it is not known. */
	readonly agent: string;
	/** At most 1000 characters; empty if the package does not write it. */
	readonly task: string;
	readonly context?: "fresh" | "fork";
	readonly state: RunState;
	/** At most 1000 characters. */
	readonly error?: string;
	readonly startedMs?: number;
	readonly endedMs?: number;
	/** Answers of its model, which the packages call turns; the turns of a session are its prompts. */
	readonly turns?: number;
	readonly tokens?: number;
	/** In dollars. */
	readonly cost?: number;
	readonly model?: string;
	/** The session file of the run, as the report names it. */
	readonly file?: string;
	readonly sessionId?: string;
	/** The name of the run's session, if only that identifies it. */
	readonly sessionName?: string;
	readonly isBackground?: true;
	/** It comes from a call, or from a notice that does not name its run: `joinReports` finds the run that is meant. */
	readonly isUnnamed?: true;
}

export type ReportFacts = Omit<RunReport, "entryId">;

/** A report without the fields that are undefined. */
export function withoutGaps<Report extends ReportFacts>(report: Report): Report {
	// The fields that are left out may be missing in the type, too.
	return Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined)) as unknown as Report;
}

/** Whether a run with this state has ended without a result. */
export function hasFailed(state: RunState): boolean {
	return state === "failed" || state === "timed out" || state === "turn limit";
}

export function hasEnded(state: RunState): boolean {
	return state !== "queued" && state !== "running";
}

export const REPORTING_TOOLS = ["subagent", "subagent_wait", "bg_wait", "Agent", "get_subagent_result"];

/** How the types of messages and entries begin that report them. */
export const REPORTING_TYPES = ["subagent", "pi-web:subagent"];
