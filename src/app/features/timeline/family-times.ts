import { describeRun, type Run } from "../../../catalog/families/run.ts";
import type { RunState } from "../../../catalog/families/run-report.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { hasLiveRun } from "../../../catalog/query/conditions.ts";
import { type Families, familyCostOf, runsOfSession } from "../../world/list/families.ts";
import type { BarEnd } from "./draw-bar.ts";
import { type Period, possibleTime } from "./period.ts";
import type { TurnsRead } from "./timeline-state.ts";

/** A session, or a run of one, and when it worked as far as that is known. */
export interface TimedSession {
	/** The session, or for a run without one its parent and report. */
	readonly key: string;
	/** 0 for a session that the page was opened for, 1 for its runs. */
	readonly depth: number;
	/** Index of the one that asked for it; undefined at depth 0. */
	readonly parent: number | undefined;
	readonly row: SessionRow | undefined;
	/** Undefined at depth 0. */
	readonly run: RunDetails | undefined;
	/** Unix ms; undefined where it is not known. It does not end before it begins. */
	readonly startMs: number | undefined;
	/** Undefined also while it works. */
	readonly endMs: number | undefined;
	/** Whether it works now, or waits to begin: its bar grows. */
	readonly grows: boolean;
	/** Whether what was written of its times cannot be true, or is not all. */
	readonly isDoubtful: boolean;
	readonly end: BarEnd;
	/** Its turns, at depth 0, once they are read. */
	readonly turns: readonly Period[] | undefined;
	/** Why they cannot be read. */
	readonly why: string | undefined;
	/** What it and its runs have cost, in dollars, each once; undefined if nothing is known, or nothing was spent. */
	readonly cost: number | undefined;
	/** How many runs it has, and these have. */
	readonly runCount: number;
	readonly counts: SessionCounts | undefined;
}

/** What is known of a run besides its times. */
interface RunDetails {
	readonly agent: string;
	readonly task: string;
	readonly state: RunState | undefined;
	readonly model: string;
	readonly error: string | undefined;
	readonly isGone: boolean;
	/** Whether its parent does not wait for it. */
	readonly isBackground: boolean;
}

/** What the times of families are found from. */
export interface FamilyFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly families: Families;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly live: LiveReport["sessions"];
	/** By path, as far as they were read. */
	readonly turns: ReadonlyMap<string, TurnsRead>;
	/** Present time, Unix ms: later times are not believed. */
	readonly now: number;
}

/** The sessions in the order in which they began, each followed by its runs and theirs, as they began. `shown`: paths. */
export function familyTimes(shown: readonly string[], facts: FamilyFacts): readonly TimedSession[] {
	const times: TimedSession[] = [];
	const keys = new Set<string>();
	for (const head of headsOf(shown, facts)) {
		const first = timeHead(head, facts);
		const own = { parent: times.length, depth: 1, row: head, isLive: isUsed(head, facts) };
		keys.add(first.key);
		times.push(first);
		// Not recursive: runs of runs may be of any depth.
		const stack = runsBelow(own, facts);
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			const { run, parent } = next;
			const reported = run.report && `${parent.row.path}\n${run.report.key}`;
			const isFirst = run.session !== undefined && !keys.has(run.session.path);
			const key = isFirst ? (run.session?.path ?? "") : (reported ?? `${parent.row.path}\n${times.length}`);
			keys.add(key);
			const isLive = isWorking(run, parent.isLive, facts);
			const at = times.push(timeRun(key, next, isLive, facts)) - 1;
			if (isFirst && run.session !== undefined)
				stack.push(...runsBelow({ parent: at, depth: parent.depth + 1, row: run.session, isLive }, facts));
		}
	}
	return times;
}

/** A session whose runs follow. */
interface Parent {
	readonly parent: number;
	/** Of its runs. */
	readonly depth: number;
	readonly row: SessionRow;
	/** Whether it is in use, or reported as running by its own parent. */
	readonly isLive: boolean;
}

/** A run, and what it has cost with its runs. */
interface RunBelow {
	readonly run: Run<SessionRow>;
	/** Undefined if nothing, or for one that only went on in the session of another. */
	readonly cost: number | undefined;
	readonly parent: Parent;
}

/** The runs of a session, the first one last. */
function runsBelow(parent: Parent, { families, counts }: FamilyFacts): RunBelow[] {
	const costs = new Map(
		familyCostOf(parent.row, families, counts)?.runs.map(({ runs, total }) => [
			runs[0]?.report ?? runs[0]?.session,
			total.cost,
		]),
	);
	return runsOfSession(parent.row.path, families, counts)
		.map((run) => ({ run, cost: costs.get(run.report ?? run.session) || undefined, parent }))
		.toReversed();
}

/** The sessions that are there, without those that are runs below another one of them. */
function headsOf(shown: readonly string[], { rows, families }: FamilyFacts): readonly SessionRow[] {
	const heads = new Set(shown.flatMap((path) => rows.get(path) ?? []));
	const isBelow = (row: SessionRow): boolean => {
		for (let above = families.parents.get(row); above !== undefined; above = families.parents.get(above))
			if (heads.has(above)) return true;
		return false;
	};
	return [...heads]
		.filter((row) => !isBelow(row))
		.sort((one, other) => one.created.getTime() - other.created.getTime() || (one.path < other.path ? -1 : 1));
}

function isUsed({ path }: SessionRow, { live }: FamilyFacts): boolean {
	return (live.get(path)?.length ?? 0) > 0;
}

/** Whether a run may be working: a report alone counts as long as the parent is in use. */
function isWorking({ report, session }: Run<SessionRow>, isParentLive: boolean, facts: FamilyFacts): boolean {
	return (session !== undefined && isUsed(session, facts)) || (report !== undefined && isParentLive);
}

function timeHead(row: SessionRow, facts: FamilyFacts): TimedSession {
	const { counts: all, turns, now } = facts;
	const counts = all.get(row.path);
	const family = familyCostOf(row, facts.families, all);
	const read = turns.get(row.path);
	const periods = read?.file?.turns.periods.filter(
		({ startMs, endMs }) => possibleTime(startMs, now) !== undefined && possibleTime(endMs, now) !== undefined,
	);
	// Nothing waits for the first prompt.
	const first = periods?.reduce((earliest, period) => Math.min(earliest, period.startMs), Number.POSITIVE_INFINITY);
	const startMs = possibleTime(first, now) ?? possibleTime(row.created.getTime(), now);
	const last = periods?.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
	// A fork without messages of its own has the times of its parent's.
	const ended = Math.max(row.modified.getTime(), last ?? 0, startMs ?? 0);
	const isOpen = counts?.ending === "open-call" || counts?.ending === "unanswered";
	// A pi writes nothing to the session while it waits for runs.
	const waits = counts?.ending === "open-call" && hasLiveRun(row.path, facts.families.runs, facts.live);
	const grows = waits || (isOpen && isUsed(row, facts));
	return {
		key: row.path,
		depth: 0,
		parent: undefined,
		row,
		run: undefined,
		startMs: startMs ?? possibleTime(ended, now),
		endMs: grows ? undefined : possibleTime(ended, now),
		grows,
		isDoubtful: startMs === undefined,
		end: grows ? "works" : endOfSession(counts),
		turns: periods,
		why: read?.why,
		cost: family?.total.cost || undefined,
		runCount: family?.count ?? 0,
		counts,
	};
}

function endOfSession(counts: SessionCounts | undefined): BarEnd {
	if (counts === undefined || counts.ending === "" || counts.ending === "asks") return "done";
	return counts.ending === "failed" ? "failed" : "stopped";
}

function timeRun(
	key: string,
	{ run, cost, parent: { parent, depth } }: RunBelow,
	isLive: boolean,
	{ families, counts: all, now }: FamilyFacts,
): TimedSession {
	const { report, session } = run;
	const counts = session && all.get(session.path);
	const { agent, task, state, startedMs, endedMs, model, error, isGone } = describeRun(run, counts, { isLive });
	const grows = state === "running" || state === "queued";
	// Without a reported end, its last message is the end.
	const written = grows ? undefined : (endedMs ?? session?.modified.getTime());
	const startMs = possibleTime(startedMs, now);
	const endMs = possibleTime(written, now);
	const isBackwards = startMs !== undefined && endMs !== undefined && endMs < startMs;
	const isDoubtful = !(state === "queued") && (startMs === undefined || isBackwards || (!grows && endMs === undefined));
	const end = END_OF_STATE[state ?? "unknown"];
	return {
		key,
		depth,
		parent,
		row: session,
		run: { agent, task, state, model, error, isGone, isBackground: report?.isBackground === true },
		startMs: startMs ?? endMs,
		endMs: isBackwards ? startMs : (endMs ?? (grows ? undefined : startMs)),
		grows,
		isDoubtful,
		end: isDoubtful && end === "done" ? "unknown" : end,
		turns: undefined,
		why: undefined,
		cost,
		runCount: session === undefined ? 0 : (familyCostOf(session, families, all)?.count ?? 0),
		counts,
	};
}

const END_OF_STATE: Readonly<Record<RunState | "unknown", BarEnd>> = {
	queued: "done",
	running: "works",
	done: "done",
	failed: "failed",
	"timed out": "failed",
	"turn limit": "failed",
	stopped: "stopped",
	interrupted: "stopped",
	unknown: "unknown",
};
