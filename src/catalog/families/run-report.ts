/**
 * How a run stands. `queued` and `running` are what was known when the entry was written: whether the run still works, or
 * its program has ended meanwhile, is not in the session. `turn limit`: it was cut off when its turns were used up.
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
	/** The entry that says it; of reports that were merged, the first one. */
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
	/** At most 1000 characters; empty where the package keeps it to itself. */
	readonly task: string;
	readonly context?: "fresh" | "fork";
	readonly state: RunState;
	/** At most 1000 characters. */
	readonly error?: string;
	readonly startedMs?: number;
	readonly endedMs?: number;
	readonly turns?: number;
	readonly tokens?: number;
	/** In dollars. */
	readonly cost?: number;
	readonly model?: string;
	/** The session file of the run, as the report names it. */
	readonly file?: string;
	/** The id of the run's session. */
	readonly sessionId?: string;
	/** How the session of the run is named, where only that identifies it. */
	readonly sessionName?: string;
	readonly isBackground?: true;
	/** A call asks for it, or a notice tells its end without naming it: `joinReports` finds the run that is meant. */
	readonly isUnnamed?: true;
}

/** What the parts of a report have in common. */
export type Reported = Omit<RunReport, "entryId">;

/** Whether a run with this state has ended. */
export function hasEnded(state: RunState): boolean {
	return state !== "queued" && state !== "running";
}

/**
 * One of these is in each line that can report a run, whatever else is in it: parts of "subagent", "Agent" and "bg_wait" in the names
 * of tools and types. Node finds short ones that begin with a rare letter several times as fast.
 */
const MARKS = ["bagent", 'Agent"', '_wait"'].map((mark) => ({ mark, bytes: Buffer.from(mark) }));
const TOOLS = ["subagent", "subagent_wait", "bg_wait", "Agent", "get_subagent_result"];
/** A tool's result as pi writes it: the name of the tool comes before everything long, and decides alone. */
const RESULT =
	/^\{"type":"message","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"[^"\\]*","message":\{"role":"toolResult","toolCallId":"[^"\\]*","toolName":"([^"\\]*)"/;
/** Ids of calls have some hundred letters at some providers. */
const HEAD_BYTES = 1024;

/**
 * Whether a line of a session can say something about runs of subagents: false only if `reportsIn` finds nothing in its
 * entry. Much cheaper than parsing it: of most tool results only the first bytes are looked at. (Names that are written with
 * escapes, as no JSON writer does, are not recognized.)
 */
export function mayReport(line: Buffer | string): boolean {
	const isText = typeof line === "string";
	const head = isText ? line.slice(0, HEAD_BYTES) : line.toString("latin1", 0, HEAD_BYTES);
	const tool = RESULT.exec(head)?.[1];
	if (tool !== undefined) return TOOLS.includes(tool);
	return MARKS.some(({ mark, bytes }) => (isText ? line.includes(mark) : line.includes(bytes)));
}
