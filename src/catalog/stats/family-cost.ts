import { addSpent, NOTHING_SPENT, type Spent } from "../branches/branch-tracker.ts";
import { type Run, type RunSession, runsOf } from "../families/run.ts";
import type { SessionCounts } from "../model/counts.ts";
import { roundCost } from "./usage.ts";

/** What a session, or a run, and its runs have cost, each dollar once. */
export interface FamilyCost<Session extends RunSession = RunSession> {
	/** Its own entries, without its runs and without entries copied from its parent. */
	readonly own: Spent;
	/** With all runs below it. */
	readonly total: Spent;
	readonly count: number;
	/** Its own runs, those that went on in one session together, in the order in which they began. */
	readonly runs: readonly RunCost<Session>[];
	/** The same, each by itself. */
	readonly asked: readonly Run<Session>[];
}

export interface RunCost<Session extends RunSession = RunSession> {
	/** Several if it was continued in its session; never empty. */
	readonly runs: readonly Run<Session>[];
	/** The larger of what its session and its runs say, and what its parent reports. */
	readonly total: Spent;
	/** The part that is only reported, and in no session. */
	readonly missing: Spent;
}

export type OwnCosts = Pick<SessionCounts, "tokens" | "cost" | "copied" | "runs" | "reported">;

interface FamilyLookup<Session extends RunSession> {
	readonly runsOf: (path: string) => readonly Session[];
	/** Undefined for a session that has not been counted. */
	readonly countsOf: (path: string) => OwnCosts | undefined;
}

/**
 * What a session and all runs below it have cost, by path. A family costs the sum of its parent's own entries, without the usage
 * that results report for runs, and for each run the larger of what its session and its runs say and what the parent reports:
 * either may be missing or incomplete, and where both exist they are about the same dollars. Entries that a run has copied from
 * its parent count for the parent. `head`: not a run of a listed session. No session may be below itself.
 */
export function familyCosts<Session extends RunSession>(
	head: string,
	{ runsOf: sessionsOf, countsOf }: FamilyLookup<Session>,
): ReadonlyMap<string, FamilyCost<Session>> {
	const paths = [head];
	// Grows while it is iterated, so that all runs come after their parents.
	for (const path of paths) for (const session of sessionsOf(path)) paths.push(session.path);
	const costs = new Map<string, FamilyCost<Session>>();
	for (const path of paths.reverse()) {
		const counts = countsOf(path);
		const { tokens = 0, cost = 0, copied = NOTHING_SPENT } = counts ?? {};
		const ownSpent = path === head ? { tokens, cost } : { tokens: tokens - copied.tokens, cost: cost - copied.cost };
		costs.set(path, costOf(ownSpent, counts, sessionsOf(path), costs));
	}
	return costs;
}

/** The sessions of runs, by the path of their parent. */
export type RunsByParent<Session extends RunSession = RunSession> = ReadonlyMap<string, readonly Session[]>;

/** What each of these sessions that has runs, and all runs below it, have cost, by path. */
export function* costsOfFamilies<Session extends RunSession>(
	paths: Iterable<string>,
	runs: RunsByParent<Session>,
	countsOf: (path: string) => OwnCosts | undefined,
): Generator<ReadonlyMap<string, FamilyCost<Session>>> {
	const below = new Set(runs.values().flatMap((some) => some.map(({ path }) => path)));
	const families = { runsOf: (path: string) => runs.get(path) ?? [], countsOf };
	for (const path of paths) {
		const isHead = !below.has(path) && (runs.has(path) || countsOf(path)?.runs !== undefined);
		if (isHead) yield familyCosts(path, families);
	}
}

/** What each session with runs has cost with all runs below it, in dollars, by path; without those of which a part is not counted. */
export function dollarsOfFamilies(
	counts: ReadonlyMap<string, SessionCounts>,
	runs: RunsByParent,
): ReadonlyMap<string, number> {
	const dollars = new Map<string, number>();
	for (const costs of costsOfFamilies(counts.keys(), runs, (path) => counts.get(path)))
		if (costs.keys().every((path) => counts.has(path)))
			for (const [path, { count, total }] of costs) if (count > 0) dollars.set(path, roundCost(total.cost));
	return dollars;
}

/** `below`: what the sessions of its runs have cost. */
function costOf<Session extends RunSession>(
	ownSpent: Spent,
	counts: OwnCosts | undefined,
	sessions: readonly Session[],
	below: ReadonlyMap<string, FamilyCost<Session>>,
): FamilyCost<Session> {
	// Most sessions have no runs, and most runs none of their own.
	if (sessions.length === 0 && counts?.runs === undefined)
		return { own: ownSpent, total: ownSpent, count: 0, runs: [], asked: [] };
	const all = runsOf(sessions, counts?.runs ?? []);
	// A run that is continued in its session is reported again, with the cost of the new part.
	const runs = [...Map.groupBy(all, (run) => run.session ?? run).values()].map((group): RunCost<Session> => {
		const path = group[0]?.session?.path;
		const sessionSpent = path === undefined ? undefined : below.get(path)?.total;
		return { runs: group, ...runCost(sessionSpent, reportedFor(group)) };
	});
	for (const { keys, ...spent } of counts?.reported ?? []) addReported(runs, new Set(keys), spent);
	const total = runs.reduce((sum, run) => addSpent(sum, run.total), ownSpent);
	const deeper = sessions.reduce((count, { path }) => count + (below.get(path)?.count ?? 0), 0);
	return { own: ownSpent, total, count: all.length + deeper, runs, asked: all };
}

function runCost(sessionSpent: Spent | undefined, reported: Spent): Pick<RunCost, "total" | "missing"> {
	if (sessionSpent === undefined) return { total: reported, missing: reported };
	if (!isMore(reported.cost, sessionSpent.cost)) return { total: sessionSpent, missing: NOTHING_SPENT };
	const missing = {
		tokens: Math.max(0, reported.tokens - sessionSpent.tokens),
		cost: reported.cost - sessionSpent.cost,
	};
	return { total: addSpent(sessionSpent, missing), missing };
}

function reportedFor(runs: readonly Run[]): Spent {
	return runs.reduce(
		(sum: Spent, { report }) => addSpent(sum, { tokens: report?.tokens ?? 0, cost: report?.cost ?? 0 }),
		NOTHING_SPENT,
	);
}

/** What is reported for several runs together counts as far as their own costs are less, for the first of them. */
function addReported<Session extends RunSession>(
	runs: RunCost<Session>[],
	keys: ReadonlySet<string>,
	reported: Spent,
): void {
	const meant = runs.filter((one) => one.runs.some(({ report }) => report !== undefined && keys.has(report.key)));
	const [first] = meant;
	const knownSum = meant.reduce((sum, { total }) => addSpent(sum, total), NOTHING_SPENT);
	if (first === undefined || !isMore(reported.cost, knownSum.cost)) return;
	const more = { tokens: Math.max(0, reported.tokens - knownSum.tokens), cost: reported.cost - knownSum.cost };
	const total = addSpent(first.total, more);
	runs[runs.indexOf(first)] = { ...first, total, missing: addSpent(first.missing, more) };
}

/** Whether one sum of dollars is more than another, apart from what rounding leaves. */
export function isMore(one: number, other: number): boolean {
	return one - other > 1e-9;
}
