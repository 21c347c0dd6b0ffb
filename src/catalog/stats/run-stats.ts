import { addSpent, NOTHING_SPENT, type Spent } from "../branches/branch-tracker.ts";
import { describeRun, type Run } from "../families/run.ts";
import { hasFailed } from "../families/run-report.ts";
import { costsOfFamilies, type OwnCosts, type RunCost, type RunsByParent } from "./family-cost.ts";
import type { SessionNumbers } from "./session-numbers.ts";
import { localDay, tokensOf } from "./usage.ts";

/** The runs of one agent. */
export interface AgentLine {
	/** Name of the agent; "" if it is not known. */
	readonly key: string;
	readonly runs: number;
	readonly failures: number;
	/** How long those took whose beginning and end are known, together, in milliseconds. */
	readonly ms: number;
	/** Without the runs that they have started, which have lines of their own. */
	readonly tokens: number;
	/** In dollars, of the same. */
	readonly cost: number;
}

interface RunStats extends AgentLine {
	/** The session that it counts for: its own or, without one, its parent. */
	readonly path: string;
	/** Directory of its session or, without one, of its parent. */
	readonly cwd: string;
	readonly model: string;
	/** When it ended or, if that is not known, began, in the local time zone: "2026-01-31"; "" if unknown. */
	readonly day: string;
	/** The part of the above that is only reported, and in no session. */
	readonly missing: Spent;
}

const NO_MODEL = "(subagent)";

/** A run, or several that were continued in one session, with the dollars that count for it in sums over all sessions. */
interface CountedRun {
	readonly cost: RunCost;
	/** The session that it counts for: its own or, without one, its parent. */
	readonly path: string;
}

/**
 * The runs of all sessions, each once, even if a copy of a session reports it again. `paths`: of the sessions that may have runs;
 * `runs`: of all sessions.
 */
function countedRuns(
	paths: Iterable<string>,
	runs: RunsByParent,
	countsOf: (path: string) => OwnCosts | undefined,
): readonly CountedRun[] {
	const all: CountedRun[] = [];
	for (const costs of costsOfFamilies(paths, runs, countsOf))
		for (const [parent, { runs: runsOfParent }] of costs)
			for (const cost of runsOfParent) all.push({ cost, path: cost.runs[0]?.session?.path ?? parent });
	// A copy reports runs whose sessions belong to the original: their cost is not missing.
	const first = [...all.filter(hasSession), ...all.filter((one) => !hasSession(one))];
	const reported = new Set<string>();
	return first.flatMap((one) => {
		const { cost, path } = one;
		const keys = cost.runs.flatMap(({ report }) => (report === undefined ? [] : [`${report.entryId} ${report.key}`]));
		const isAgain = keys.length > 0 && keys.every((key) => reported.has(key));
		for (const key of keys) reported.add(key);
		if (!isAgain) return [one];
		// One in the family of a copy has a session of its own, and only that.
		return hasSession(one) ? [{ cost: { ...cost, missing: NOTHING_SPENT }, path }] : [];
	});
}

/**
 * The runs whose sessions are among these, and the runs without a session that these have started. `counted`, `runs`: of all
 * sessions.
 */
export function runsInFamilies(
	all: readonly { readonly path: string; readonly cwd: string }[],
	counted: ReadonlyMap<string, SessionNumbers>,
	runs: RunsByParent,
): readonly RunStats[] {
	const countsOf = (path: string) => counted.get(path)?.counts;
	const cwds = new Map(all.map(({ path, cwd }) => [path, cwd]));
	return countedRuns(new Set([...counted.keys(), ...runs.keys()]), runs, countsOf).flatMap(({ cost, path }) => {
		const cwd = cwds.get(path);
		const spent = spentIn(counted.get(cost.runs[0]?.session?.path ?? ""));
		return cwd === undefined ? [] : [{ ...statsOf(cost, addSpent(spent, cost.missing), cwd, countsOf), path }];
	});
}

/** What runs have cost that is only reported, and in no session, in dollars, by the session that it counts for. Parameters as above. */
export function missingOfRuns(
	paths: Iterable<string>,
	runs: RunsByParent,
	countsOf: (path: string) => OwnCosts | undefined,
): ReadonlyMap<string, number> {
	const dollars = new Map<string, number>();
	for (const { cost, path } of countedRuns(paths, runs, countsOf))
		if (cost.missing.cost > 0) dollars.set(path, (dollars.get(path) ?? 0) + cost.missing.cost);
	return dollars;
}

/** What a session has spent, without entries that were copied from another session and count there. */
function spentIn(numbers: SessionNumbers | undefined): Spent {
	const lines = numbers?.spending ?? [];
	return lines.reduce((sum: Spent, one) => addSpent(sum, { tokens: tokensOf(one), cost: one.cost }), NOTHING_SPENT);
}

function hasSession({ cost }: CountedRun): boolean {
	return cost.runs[0]?.session !== undefined;
}

function statsOf(
	{ runs, missing }: RunCost,
	spent: Spent,
	cwd: string,
	countsOf: (path: string) => SessionNumbers["counts"] | undefined,
): Omit<RunStats, "path"> {
	const facts = runs.map((run: Run) => describeRun(run, countsOf(run.session?.path ?? ""), { isLive: false }));
	const [first] = facts;
	const atMs = first?.endedMs ?? first?.startedMs;
	return {
		key: facts.find(({ agent }) => agent !== "")?.agent ?? "",
		runs: runs.length,
		failures: facts.filter(({ state }) => state !== undefined && hasFailed(state)).length,
		ms: facts.reduce(
			(sum, { startedMs = 0, endedMs = 0 }) => sum + (startedMs > 0 ? Math.max(0, endedMs - startedMs) : 0),
			0,
		),
		...spent,
		cwd,
		model: first?.model || NO_MODEL,
		day: localDay(atMs ?? Number.NaN),
		missing,
	};
}
