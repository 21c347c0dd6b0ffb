import { homedir } from "node:os";
import { describeRun, type Run, type RunFacts, reportOn, runsOf } from "../../catalog/families/run.ts";
import { hasEnded, type RunReport } from "../../catalog/families/run-report.ts";
import { checkUseOnce } from "../../catalog/live/live-sessions.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { runsIn as runsInRows } from "../../catalog/model/session-links.ts";
import { defaultStateDir, type SessionRoots } from "../../catalog/model/session-roots.ts";

/** A run below a session. */
export interface FoundRun {
	/** Path of the session that started it. */
	readonly parent: string;
	/** 0 for a run of the session itself, 1 for one of such a run, … */
	readonly level: number;
	readonly report: RunReport | undefined;
	/** Its own session; undefined if it never had one, or if that is gone. */
	readonly session: SessionRow | undefined;
	readonly facts: RunFacts;
	/** Answers of its model, as the package that ran it counts them; undefined if unknown. */
	readonly answers: number | undefined;
	/** The larger of the reported number and that of its session, unless other runs share the session; undefined if unknown. */
	readonly tokens: number | undefined;
	/** In dollars, without what its own runs have cost; the larger, as above; undefined if unknown. */
	readonly cost: number | undefined;
}

type Counts = ReadonlyMap<string, SessionCounts>;

/** What is known of all sessions, to describe runs. */
interface KnownSessions {
	readonly rows: readonly SessionRow[];
	/** Counts the sessions with these paths. */
	count(paths: readonly string[]): Promise<Counts>;
	/** Whether one of these sessions is in use. Asked only where that makes a difference. */
	isLive(paths: readonly string[]): boolean;
}

/**
 * All runs below a session, each behind the session that started it, in the order in which they began. `reports`: those of the
 * session itself.
 */
export async function runsBelow(
	path: string,
	reports: readonly RunReport[],
	{ rows, count, isLive }: KnownSessions,
): Promise<readonly FoundRun[]> {
	const byParent = runsInRows(rows);
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const counts = new Map<string, SessionCounts>();
	const seen = new Set([path]);
	const runsIn = (parent: string, reports: readonly RunReport[]): readonly Run<SessionRow>[] => {
		// Where a directory for runs is configured, only the report says whose they are.
		const named = reports.flatMap(({ file = "" }) => byPath.get(file) ?? []);
		const sessions = new Set([...(byParent.get(parent) ?? []), ...named]);
		return runsOf(
			[...sessions].filter((session) => session.path !== parent),
			reports,
		);
	};
	const found: FoundRun[] = [];
	const stack: {
		readonly parent: string;
		readonly level: number;
		readonly run: Run<SessionRow>;
		/** Whether no other run has gone on in its session. */
		readonly isAlone: boolean;
	}[] = [];
	const push = async (parent: string, level: number, reports: readonly RunReport[]): Promise<void> => {
		const runs = runsIn(parent, reports);
		const paths = runs.flatMap(({ session }) => (session === undefined ? [] : [session.path]));
		const uncounted = paths.filter((one) => !counts.has(one));
		if (uncounted.length > 0) for (const [one, its] of await count(uncounted)) counts.set(one, its);
		const each = Map.groupBy(runs, (run) => run.session);
		for (const run of runs.toReversed())
			stack.push({ parent, level, run, isAlone: each.get(run.session)?.length === 1 });
	};
	await push(path, 0, reports);
	// Not recursive: runs of runs may be of any depth.
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const { parent, level, run, isAlone } = next;
		const its = run.session && counts.get(run.session.path);
		found.push({ parent, level, ...foundRun(run, its, { parent, isAlone }, isLive) });
		// A run that was continued in its session is listed twice, its own runs once.
		if (run.session === undefined || seen.has(run.session.path)) continue;
		seen.add(run.session.path);
		await push(run.session.path, level + 1, its?.runs ?? []);
	}
	return found;
}

function foundRun(
	{ report, session }: Run<SessionRow>,
	counts: SessionCounts | undefined,
	{ parent, isAlone }: { readonly parent: string; readonly isAlone: boolean },
	isLive: KnownSessions["isLive"],
): Omit<FoundRun, "parent" | "level"> {
	const facts = runFacts({ report, session }, counts, parent, isLive);
	// A session with forked context has the entries of its parent, too.
	const { tokens, cost } = counts?.copied ?? { tokens: 0, cost: 0 };
	return {
		report,
		session,
		facts,
		answers: report?.turns,
		tokens: largerOf(report?.tokens, counts && counts.tokens - tokens, isAlone),
		cost: largerOf(report?.cost, counts && counts.cost - cost, isAlone),
	};
}

/** `counted`: in its session, perhaps for several runs. */
function largerOf(reported: number | undefined, counted: number | undefined, isAlone: boolean): number | undefined {
	if (reported === undefined || counted === undefined || !isAlone) return reported ?? counted;
	return Math.max(reported, counted);
}

/** The facts about a run; whether it is in use is checked only if nothing shows that it has ended. */
function runFacts(
	run: Run<SessionRow>,
	counts: SessionCounts | undefined,
	parent: string,
	isLive: KnownSessions["isLive"],
): RunFacts {
	const isEnded = run.report !== undefined && hasEnded(run.report.state);
	const paths = run.session === undefined ? [parent] : [run.session.path, parent];
	return describeRun(run, counts, { isLive: !isEnded && isLive(paths) });
}

/** The facts about a session that is a run. `counts`: at least its own and those of the session that started it. */
export function factsOfRun(row: SessionRow, counts: Counts, isLive: KnownSessions["isLive"]): RunFacts {
	const parent = row.run?.parent ?? "";
	const report = reportOn(row, counts.get(parent)?.runs ?? []);
	return runFacts({ report, session: row }, counts.get(row.path), parent, isLive);
}

/** Looks once at the processes of this machine for what is in use. */
export function liveTest(sessionRoots: SessionRoots): KnownSessions["isLive"] {
	const known = new Map<string, boolean>();
	return (paths) => {
		const unknown = paths.filter((path) => !known.has(path));
		if (unknown.length > 0) {
			const { sessions } = checkUseOnce(defaultStateDir(process.env, homedir()), sessionRoots, unknown);
			for (const path of unknown) known.set(path, sessions.has(path));
		}
		return paths.some((path) => known.get(path));
	};
}
