import { memoEach } from "../../shared/memo.ts";
import { runNameOf } from "./run-name.ts";
import { hasEnded, type RunReport, type RunState } from "./run-report.ts";

export interface RunSession {
	readonly path: string;
	readonly id: string;
	readonly name?: string | undefined;
	readonly created: Date;
	readonly run?: {
		readonly runId: string | undefined;
		readonly index: number | undefined;
		readonly isFork?: boolean;
		readonly agent?: string | undefined;
		readonly task?: string | undefined;
	};
}

/** A run of a session, of which one part may be missing. */
export interface Run<Session extends RunSession = RunSession> {
	/** What its parent, the session that asked for it, reports. */
	readonly report: RunReport | undefined;
	/** Its own session; undefined if it never had one, or if that is gone. */
	readonly session: Session | undefined;
}

interface RunSessionCounts {
	readonly ending: "" | "asks" | "failed" | "aborted" | "open-call" | "unanswered";
	/** Time of the last message, Unix ms; 0 if unknown. */
	readonly endedMs: number;
	readonly model: string;
}

/** A run, as its parent and its own session together describe it. */
export interface RunFacts {
	/** Empty where it is not known. */
	readonly agent: string;
	/** Empty if only the run's own session has it. */
	readonly task: string;
	/** Undefined if it is not known. */
	readonly state: RunState | undefined;
	/** Unix ms. */
	readonly startedMs: number | undefined;
	/** Unix ms; undefined while it works. */
	readonly endedMs: number | undefined;
	readonly model: string;
	readonly error: string | undefined;
	/** Whether it had a session that no longer exists. */
	readonly isGone: boolean;
}

/** What a session reports about one of its runs; undefined if nothing. */
export function reportOn(session: RunSession, reports: readonly RunReport[]): RunReport | undefined {
	const byKey = reportsByKey(reports);
	return keysOfSession(session)
		.map((key) => byKey.get(key))
		.find((report) => report !== undefined);
}

/** The reports of a session, by every key that identifies the session of a run. */
const reportsByKey = memoEach((reports: readonly RunReport[]): ReadonlyMap<string, RunReport> => {
	const byKey = new Map<string, RunReport>();
	for (const report of reports) for (const key of keysOfReport(report)) if (!byKey.has(key)) byKey.set(key, report);
	return byKey;
});

export function keysOfReport(report: RunReport): readonly string[] {
	return known([report.sessionName, report.file, report.sessionId, placeKey(report)]);
}

/** The keys that may identify a session as the session of a run. Its name comes first, since its file may have been moved. */
export function keysOfSession({ path, id, name = "", run }: RunSession): readonly string[] {
	// The directory of a run is not always named as the run; its session is, where its file is not where it was.
	return known([name.trim(), path, id, placeKey(runNameOf(name) ?? {}), placeKey(run ?? {})]);
}

function known(keys: readonly (string | undefined)[]): readonly string[] {
	return keys.filter((key): key is string => key !== undefined && key !== "");
}

/** The id of a run and its index among those with this id. */
function placeKey({
	runId,
	index = 0,
}: {
	runId?: string | undefined;
	index?: number | undefined;
}): string | undefined {
	return runId === undefined ? undefined : `run ${runId} ${index}`;
}

/**
 * The runs of a session in the order in which they began: those that it reports, and those whose sessions exist. A run that was
 * continued in its session after it had ended counts as two runs with one session. `sessions`: the sessions of the runs.
 */
export function runsOf<Session extends RunSession>(
	sessions: readonly Session[],
	reports: readonly RunReport[],
): readonly Run<Session>[] {
	if (sessions.length === 0 && reports.length === 0) return [];
	const sessionOf = sessionFinder(sessions);
	const reported = reports.map((report) => ({ report, session: sessionOf(report) }));
	const reportedSessions = new Set(reported.map(({ session }) => session));
	const unreported = sessions.filter((session) => !reportedSessions.has(session));
	const began = withSessionsOfCalls(reported, unreported);
	const begunSessions = new Set(began.map(({ session }) => session));
	const otherSessions = unreported.filter((session) => !begunSessions.has(session));
	// The sort is stable: runs without a time stay in the order in which they were started.
	return [...began, ...otherSessions.map((session) => ({ report: undefined, session }))].sort(
		(one, other) => begin(one) - begin(other),
	);
}

/** Finds the session of a reported run. Nearly all are where the report says, so the other keys are collected only when needed. */
function sessionFinder<Session extends RunSession>(
	sessions: readonly Session[],
): (report: RunReport) => Session | undefined {
	const byPath = new Map(sessions.map((session) => [session.path, session]));
	let byKey: ReadonlyMap<string, Session> | undefined;
	return (report) => {
		const { sessionName, file = "" } = report;
		const atFile = sessionName === undefined ? byPath.get(file) : undefined;
		if (atFile !== undefined) return atFile;
		byKey ??= new Map(sessions.flatMap((session) => keysOfSession(session).map((key) => [key, session] as const)));
		for (const key of keysOfReport(report)) {
			const session = byKey.get(key);
			if (session !== undefined) return session;
		}
		return undefined;
	};
}

/** A clock may be this much behind. */
const TOLERANCE_MS = 2000;

/**
 * A call does not name its run until the run has ended, but the session of the run already exists: it is the first one that was
 * begun after the call and, as far as known, belongs to the same agent.
 */
function withSessionsOfCalls<Session extends RunSession>(
	reported: readonly Run<Session>[],
	unreported: readonly Session[],
): readonly Run<Session>[] {
	const calls = reported.filter(
		({ report, session }) => session === undefined && report?.isUnnamed === true && !hasEnded(report.state),
	);
	if (calls.length === 0 || unreported.length === 0) return reported;
	const sessions = new UnreportedSessions(unreported);
	const runs = new Map<Run<Session>, Run<Session>>();
	for (const run of calls.toSorted((one, other) => begin(one) - begin(other)))
		if (run.report !== undefined) runs.set(run, { report: run.report, session: sessions.take(run.report) });
	return reported.map((run) => runs.get(run) ?? run);
}

/** Positions of sessions, in the order in which those began. Those before `at` are passed over for good. */
interface Queue {
	readonly positions: readonly number[];
	at: number;
}

/**
 * The sessions of runs that no report names. Calls take theirs in the order in which they began: what began too early for one is too
 * early for all after it, so that every session is passed over once.
 */
class UnreportedSessions<Session extends RunSession> {
	readonly #sessions: readonly Session[];
	readonly #taken = new Set<number>();
	readonly #all: Queue;
	readonly #forks: Queue;
	readonly #ofAgent: ReadonlyMap<string, Queue>;

	constructor(unreported: readonly Session[]) {
		this.#sessions = unreported.toSorted((one, other) => one.created.getTime() - other.created.getTime());
		const positions = [...this.#sessions.keys()];
		const byAgent = Map.groupBy(positions, (position) => this.#agentAt(position));
		this.#all = { positions, at: 0 };
		this.#forks = { positions: positions.filter((position) => this.#sessions[position]?.run?.isFork === true), at: 0 };
		this.#ofAgent = new Map([...byAgent].map(([agent, some]) => [agent, { positions: some, at: 0 }]));
	}

	#agentAt(position: number): string {
		const session = this.#sessions[position];
		return session === undefined ? "" : agentIn(session);
	}

	/** The session of the run of a call, which no other call gets; undefined if there is none yet. */
	take({ agent, context, startedMs = 0 }: RunReport): Session | undefined {
		const isAny = agent === "" || agent === "workflow";
		const queues = isAny ? [this.#all] : [this.#ofAgent.get(agent), this.#ofAgent.get("")];
		const firsts = queues.map((queue) => this.#first(queue, startedMs - TOLERANCE_MS));
		// A fork may have copied the name of its parent, and the time of the header.
		if (context === "fork") firsts.push(this.#first(this.#forks, Number.NEGATIVE_INFINITY));
		const position = Math.min(...firsts);
		this.#taken.add(position);
		return this.#sessions[position];
	}

	/** The position of the first one in a queue that began then or later and that no call has; infinite if there is none. */
	#first(queue: Queue | undefined, sinceMs: number): number {
		if (queue === undefined) return Number.POSITIVE_INFINITY;
		for (; queue.at < queue.positions.length; queue.at += 1) {
			const position = queue.positions[queue.at] ?? Number.POSITIVE_INFINITY;
			const session = this.#sessions[position];
			if (session !== undefined && !this.#taken.has(position) && session.created.getTime() >= sinceMs) return position;
		}
		return Number.POSITIVE_INFINITY;
	}
}

/** The agent that a session itself says has worked in it; "" if it does not. */
export function agentIn({ name = "", run }: RunSession): string {
	return run?.agent || (runNameOf(name)?.agent ?? "");
}

function begin({ report, session }: Run): number {
	return report?.startedMs ?? session?.created.getTime() ?? 0;
}

/**
 * What is known of a run. `counts`: of its own session, if that was counted. `isLive`: whether it, or the session that asked
 * for it, is in use. If not, a run that is reported as running has ended with its program.
 */
export function describeRun(
	{ report, session }: Run,
	counts: RunSessionCounts | undefined,
	{ isLive }: { readonly isLive: boolean },
): RunFacts {
	const state = stateOf(report, counts, isLive);
	const ended = report?.endedMs ?? (counts?.endedMs || undefined);
	return {
		agent: report?.agent || (session === undefined ? "" : agentIn(session)),
		task: report?.task || (session?.run?.task ?? ""),
		state,
		startedMs: report?.startedMs ?? session?.created.getTime(),
		endedMs: state !== undefined && hasEnded(state) ? ended : undefined,
		// Reports name the provider, too, answers do not.
		model: counts?.model || (report?.model ?? ""),
		error: report?.error,
		// A name alone does not prove that there was a session: agents in memory have such names, too.
		isGone: session === undefined && (report?.file ?? report?.sessionId) !== undefined,
	};
}

/** How long a run took, in milliseconds; undefined while it works, and where its times are not known or cannot be true. */
export function tookMs({ startedMs, endedMs }: Pick<RunFacts, "startedMs" | "endedMs">): number | undefined {
	return startedMs === undefined || endedMs === undefined || endedMs < startedMs ? undefined : endedMs - startedMs;
}

function stateOf(
	report: RunReport | undefined,
	counts: RunSessionCounts | undefined,
	isLive: boolean,
): RunState | undefined {
	if (report !== undefined && (hasEnded(report.state) || isLive)) return report.state;
	if (isLive) return "running";
	if (counts === undefined) return report && "interrupted";
	if (counts.ending === "" || counts.ending === "asks") return "done";
	return counts.ending === "failed" ? "failed" : "interrupted";
}
