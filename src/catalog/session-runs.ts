import { dirname } from "../shared/paths.ts";
import { TimeSlice } from "../shared/steps.ts";
import { addSpent, type Spent } from "./branches/branch-tracker.ts";
import { describeRun, type Run, type RunFacts, reportOn } from "./families/run.ts";
import { hasEnded, type RunReport } from "./families/run-report.ts";
import { listAll } from "./list-all.ts";
import { checkUseOnce } from "./live/live-sessions.ts";
import type { SessionCounts } from "./model/counts.ts";
import type { SessionRow } from "./model/row.ts";
import { isSessionPath } from "./model/run-place.ts";
import { runsIn as runsInRows } from "./model/session-links.ts";
import { defaultStateDir, findSessionRoots, type ListOptions, type SessionRoots } from "./model/session-roots.ts";
import { type FamilyCost, familyCosts, type RunCost } from "./stats/family-cost.ts";
import { countSome } from "./stats/stored-counts.ts";

/** A run of a subagent below a session. */
export interface FoundRun {
	/** The path of the session that started it. */
	readonly parent: string;
	/** 0 for a run of the session itself, 1 for one of such a run, … */
	readonly level: number;
	readonly report: RunReport | undefined;
	/** Its own session; undefined if it never had one, or if that is gone. */
	readonly session: SessionRow | undefined;
	readonly facts: RunFacts;
	/** Answers of its model, as the package that ran it counts them; undefined if unknown. */
	readonly answers: number | undefined;
	/**
	 * Without those of its own runs; undefined if unknown, and for a run that went on in the session of another, which has those of
	 * both.
	 */
	readonly tokens: number | undefined;
	/** In dollars, of the same. */
	readonly cost: number | undefined;
}

type Counts = ReadonlyMap<string, SessionCounts>;

interface KnownSessions {
	readonly rows: readonly SessionRow[];
	count(paths: readonly string[]): Promise<Counts>;
	/** Whether one of these sessions is in use; remembers it of each. Asked only where that makes a difference. */
	isLive(paths: readonly string[]): boolean;
}

/**
 * All runs of subagents below a session (an absolute path), each behind the session that started it, in the order in which they began; also
 * those whose sessions are gone, or that never had one, as far as the session tells. The runs of a session outside of all session
 * directories are beside it.
 */
export async function listRuns(path: string, options: ListOptions = {}): Promise<readonly FoundRun[]> {
	const isListed = isSessionPath(path, await findSessionRoots(options));
	const listing = { ...options, archived: true, sessionDir: isListed ? options.sessionDir : dirname(path) };
	const rows = await listAll(listing);
	const count = (paths: readonly string[]) => countSome(paths, listing, new TimeSlice());
	return listRunsBelow(path, { rows, count, isLive: liveTest(await findSessionRoots(listing)) });
}

/** All runs below a session, each behind the session that started it, in the order in which they began. */
export async function listRunsBelow(
	path: string,
	{ rows, count, isLive }: KnownSessions,
): Promise<readonly FoundRun[]> {
	const byParent = runsInRows(rows);
	const paths = new Set([path]);
	// Grows while it is read.
	for (const parent of paths) for (const { path: below } of byParent.get(parent) ?? []) paths.add(below);
	const counts = await count([...paths]);
	const families = { runsOf: (at: string) => byParent.get(at) ?? [], countsOf: (at: string) => counts.get(at) };
	const costs = familyCosts(path, families);
	const runsFound: Omit<FoundRun, "facts">[] = [];
	const stack: Omit<FoundRun, "facts">[] = [];
	const push = (parent: string, level: number): void => {
		const { asked = [], runs = [] } = costs.get(parent) ?? {};
		// Runs that went on in one session have cost that together: the first one says it.
		const paid = new Map(runs.map((cost) => [cost.runs[0], cost]));
		for (const run of asked.toReversed()) {
			const spent = spentIn(paid.get(run), costs);
			stack.push({ parent, level, ...run, answers: run.report?.turns, tokens: spent?.tokens, cost: spent?.cost });
		}
	};
	push(path, 0);
	const visitedPaths = new Set([path]);
	// Not recursive: runs of runs may be of any depth.
	for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
		const { level, session } = run;
		runsFound.push(run);
		// A run that was continued in its session is listed twice, its own runs once.
		if (session === undefined || visitedPaths.has(session.path)) continue;
		visitedPaths.add(session.path);
		push(session.path, level + 1);
	}
	lookOnce(runsFound, isLive);
	return runsFound.map((run) => ({
		...run,
		facts: runFacts(run, run.session && counts.get(run.session.path), run.parent, isLive),
	}));
}

/** The paths of the sessions that may be in use for a run: none if it has ended. */
function usedBy({ report, session }: Run<SessionRow>, parent: string): readonly string[] {
	if (report !== undefined && hasEnded(report.state)) return [];
	return session === undefined ? [parent] : [session.path, parent];
}

/** What runs in one session have cost without their own runs; undefined if nothing is known. */
function spentIn(
	paid: RunCost<SessionRow> | undefined,
	costs: ReadonlyMap<string, FamilyCost<SessionRow>>,
): Spent | undefined {
	if (paid === undefined) return undefined;
	const [first] = paid.runs;
	if (first?.session !== undefined) return addSpent(costs.get(first.session.path)?.own, paid.missing);
	return first?.report?.cost === undefined ? undefined : paid.total;
}

/** The facts about a run; whether it is in use is checked only if nothing shows that it has ended. */
export function runFacts(
	run: Run<SessionRow>,
	counts: SessionCounts | undefined,
	parent: string,
	isLive: KnownSessions["isLive"],
): RunFacts {
	const paths = usedBy(run, parent);
	return describeRun(run, counts, { isLive: paths.length > 0 && isLive(paths) });
}

/** The facts about sessions that are runs, by path. `counts`: at least their own and those of the sessions that started them. */
export function factsOfRuns(
	rows: readonly SessionRow[],
	counts: Counts,
	isLive: KnownSessions["isLive"],
): ReadonlyMap<string, RunFacts> {
	const runs = rows.map((session) => {
		const parent = session.run?.parent ?? "";
		return { report: reportOn(session, counts.get(parent)?.runs ?? []), session, parent };
	});
	lookOnce(runs, isLive);
	return new Map(
		runs.map((run) => [run.session.path, runFacts(run, counts.get(run.session.path), run.parent, isLive)]),
	);
}

/** Asks for all runs at once what is in use, so that the processes of this machine are looked through once. */
function lookOnce(
	runs: readonly (Run<SessionRow> & Pick<FoundRun, "parent">)[],
	isLive: KnownSessions["isLive"],
): void {
	const used = new Set(runs.flatMap((run) => usedBy(run, run.parent)));
	if (used.size > 0) isLive([...used]);
}

/** Looks through the processes of this machine for what is in use, once for all sessions that are asked for together. */
export function liveTest(sessionRoots: SessionRoots): KnownSessions["isLive"] {
	const liveByPath = new Map<string, boolean>();
	return (paths) => {
		const unknown = paths.filter((path) => !liveByPath.has(path));
		if (unknown.length > 0) {
			const { sessions } = checkUseOnce(defaultStateDir(), sessionRoots, unknown);
			for (const path of unknown) liveByPath.set(path, sessions.has(path));
		}
		return paths.some((path) => liveByPath.get(path));
	};
}
