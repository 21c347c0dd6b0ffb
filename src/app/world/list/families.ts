import { describeRun, type Run, type RunFacts, runsOf } from "../../../catalog/families/run.ts";
import { agentOf } from "../../../catalog/families/run-agents.ts";
import { hasEnded, hasFailed, type RunReport } from "../../../catalog/families/run-report.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf, latestRuns, runsByParent } from "../../../catalog/model/session-links.ts";
import { type FamilyCost, familyCosts } from "../../../catalog/stats/family-cost.ts";
import { memoEach, memoLast } from "../../../shared/memo.ts";
import { linksOf, type ThreadedRow } from "./thread.ts";

/** Sessions and the runs of subagents that they asked for. */
export interface Families {
	/** Each run whose parent is listed → that parent, which may be a run itself. */
	readonly parents: ReadonlyMap<SessionRow, SessionRow>;
	/** Path of a session → its own runs, in the order in which they began. */
	readonly runs: ReadonlyMap<string, readonly SessionRow[]>;
	/** Path of a session with runs → when one below it was last active, Unix ms. */
	readonly latest: ReadonlyMap<string, number>;
}

/** For what does not depend on them. */
export const NO_FAMILIES: Families = { parents: new Map(), runs: new Map(), latest: new Map() };

/** The families of all sessions; the same object while nothing changes in one. */
export function familiesOf(rows: ReadonlyMap<string, SessionRow>): Families {
	return familiesIn(linksOf(rows).parents);
}

const familiesIn = memoLast(
	(links: ReadonlyMap<SessionRow, SessionRow>): Families => ({
		parents: new Map([...links].filter(([row]) => row.run !== undefined)),
		runs: runsByParent(links),
		latest: latestRuns(links),
	}),
);

/** A run that has a session, as its session and its parent describe it. */
export function factsOfRun(session: SessionRow, facts: RunSources): RunFacts {
	const parent = facts.families.parents.get(session);
	const runs = parent === undefined ? [] : knownRuns(parent.path, facts);
	// A run that was continued in its session is two runs; the last one has the present state.
	const run = bySession(runs).get(session) ?? { report: undefined, session };
	return factsOf(run, parent, facts);
}

/** By their sessions, which may be a hundred thousand; of several in one session the last. */
const bySession = memoEach(
	(runs: readonly Run<SessionRow>[]) => new Map(runs.map((run) => [run.session, run] as const)),
);

export interface RunSources {
	readonly families: Families;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** What shows sessions to be in use, by path. */
	readonly live: LiveReport["sessions"];
}

export function runSources({
	rows,
	counts,
	live,
}: {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly live: LiveReport;
}): RunSources {
	return { families: familiesOf(rows), counts, live: live.sessions };
}

export function factsOf(run: Run<SessionRow>, parent: SessionRow | undefined, sources: RunSources): RunFacts {
	const { report, session } = run;
	const isUsed = session !== undefined && sources.live.has(session.path);
	// The parent may be in use for something else: then only the runs that it still waits for are working.
	const isAwaited = report !== undefined && !hasEnded(report.state) && parent !== undefined && works(parent, sources);
	return describeRun(run, session && sources.counts.get(session.path), { isLive: isUsed || isAwaited });
}

function works(session: SessionRow, sources: RunSources): boolean {
	if (sources.live.has(session.path)) return true;
	const { state } = session.run === undefined ? { state: undefined } : factsOfRun(session, sources);
	return state !== undefined && !hasEnded(state);
}

function knownRuns(path: string, { families, counts }: RunSources): readonly Run<SessionRow>[] {
	const knownRuns = listedRuns(families, counts);
	const lastRuns = knownRuns.get(path);
	if (lastRuns !== undefined) return lastRuns;
	const runs = runsOfSession(path, families, counts);
	knownRuns.set(path, runs);
	return runs;
}

/** By path, for the sessions that were drawn: a session may have thousands of runs. */
const listedRuns = memoLast(
	(_families: Families, _counts: ReadonlyMap<string, SessionCounts>): Map<string, readonly Run<SessionRow>[]> =>
		new Map(),
);

/** The name of the agent of a run; empty if it is not known. */
export function agentOfRun(run: SessionRow, { parents }: Families, counts: ReadonlyMap<string, SessionCounts>): string {
	return agentOf(run, counts.get(parents.get(run)?.path ?? "")?.runs);
}

/** The runs of a session in the order in which they began, with or without a session. */
export function runsOfSession(
	path: string,
	{ runs }: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): readonly Run<SessionRow>[] {
	return runsOf(runs.get(path) ?? [], counts.get(path)?.runs ?? []);
}

/** When a session, or a run below it, was last active, Unix ms. */
export function lastActive({ path, modified }: SessionRow, { latest }: Families): number {
	const ownTime = modified.getTime();
	const below = latest.size === 0 ? undefined : latest.get(path);
	return below === undefined ? ownTime : Math.max(ownTime, below);
}

/** What a session has cost with its runs, each dollar once; undefined until it has been counted. */
export function familyCostOf(
	row: SessionRow,
	families: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): FamilyCost<SessionRow> | undefined {
	const counted = counts.get(row.path);
	if (counted === undefined) return undefined;
	const costs = knownCosts(families, counts);
	const knownCost = costs.get(row.path);
	if (knownCost !== undefined) return knownCost;
	const facts = {
		runsOf: (path: string) => families.runs.get(path) ?? [],
		countsOf: (path: string) => counts.get(path),
	};
	for (const [path, cost] of familyCosts(headOf(row, families).path, facts)) costs.set(path, cost);
	return costs.get(row.path);
}

/**
 * What each run of a session has cost with its runs, in dollars, by its session or, without one, by its report. Runs that were
 * continued in one session have that cost together.
 */
export function runDollars(
	row: SessionRow,
	families: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): ReadonlyMap<SessionRow | RunReport, number> {
	const dollars = new Map<SessionRow | RunReport, number>();
	for (const { runs, total } of familyCostOf(row, families, counts)?.runs ?? []) {
		const key = runs[0]?.session ?? runs[0]?.report;
		if (key !== undefined) dollars.set(key, total.cost);
	}
	return dollars;
}

/** By path, for the families that were asked for. */
const knownCosts = memoLast(
	(_families: Families, _counts: ReadonlyMap<string, SessionCounts>): Map<string, FamilyCost<SessionRow>> => new Map(),
);

export function familyDollars(
	row: SessionRow,
	families: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): number | undefined {
	const counted = counts.get(row.path);
	// Most sessions have no runs, and the list asks for all.
	const isAlone = row.run === undefined && counted?.runs === undefined && !families.runs.has(row.path);
	return isAlone ? counted?.cost : familyCostOf(row, families, counts)?.total.cost;
}

/** The number of runs below a session and of those in each state, as far as they have been counted. */
export interface RunCounts {
	/** Including reported runs without a session. */
	readonly count: number;
	readonly running: number;
	readonly failed: number;
	/** Runs whose session no longer exists. */
	readonly gone: number;
}

const NO_RUNS: RunCounts = { count: 0, running: 0, failed: 0, gone: 0 };

/** The runs below a session: its own, and theirs. */
export function runCounts(row: SessionRow, sources: RunSources): RunCounts {
	const { path } = row;
	const { families, counts, live } = sources;
	if (!families.runs.has(path) && counts.get(path)?.runs === undefined) return NO_RUNS;
	const knownCounts = countedRuns(families, counts, live);
	const lastCounts = knownCounts.get(path);
	if (lastCounts !== undefined) return lastCounts;
	const sum = { count: 0, running: 0, failed: 0, gone: 0 };
	const parents = new Set([row]);
	// Grows while it is read. A run that was continued in its session has its runs once.
	for (const parent of parents) {
		for (const run of knownRuns(parent.path, sources)) {
			const { state, isGone } = factsOf(run, parent, sources);
			sum.count += 1;
			if (state !== undefined && hasFailed(state)) sum.failed += 1;
			if (state !== undefined && !hasEnded(state)) sum.running += 1;
			if (isGone) sum.gone += 1;
			if (run.session !== undefined) parents.add(run.session);
		}
	}
	knownCounts.set(path, sum);
	return sum;
}

/** By path, for the sessions that were drawn. */
const countedRuns = memoLast(
	(
		_families: Families,
		_counts: ReadonlyMap<string, SessionCounts>,
		_live: LiveReport["sessions"],
	): Map<string, RunCounts> => new Map(),
);

export function isRunBelow({ row, level }: ThreadedRow): boolean {
	return row.run !== undefined && level !== undefined;
}

/** Paths of the sessions above a run, the nearest first. */
export function pathsAbove(row: SessionRow, { parents }: Families): readonly string[] {
	const above: string[] = [];
	for (let parent = parents.get(row); parent !== undefined; parent = parents.get(parent)) above.push(parent.path);
	return above;
}

/** All runs below a session: its own, and theirs. */
export function runsBelow({ path }: SessionRow, { runs }: Families): readonly SessionRow[] {
	const below = [...(runs.get(path) ?? [])];
	// Grows while it is read.
	for (const run of below) below.push(...(runs.get(run.path) ?? []));
	return below;
}

/** Puts the runs that are shown below their parents, as they began. */
export function withRuns(
	rows: readonly ThreadedRow[],
	{ runs }: Families,
	isShown: (run: SessionRow, parent: SessionRow) => boolean,
): readonly ThreadedRow[] {
	const listed: ThreadedRow[] = [];
	for (const [at, head] of rows.entries()) {
		const next = rows[at + 1]?.level;
		const hasForks = next !== undefined && next.above === head.level;
		// Not recursive: runs of runs may be of any depth.
		const stack = [head];
		for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
			listed.push(item);
			const { row, level: above } = item;
			const ownRuns = runs.get(row.path);
			if (ownRuns === undefined) continue;
			const shownRuns = ownRuns.filter((run) => isShown(run, row));
			const isFollowed = item === head && hasForks;
			for (const [below, run] of shownRuns.toReversed().entries())
				stack.push({ key: run.path, row: run, level: { above, isLast: below === 0 && !isFollowed } });
		}
	}
	return listed;
}

export interface FoundFamilies {
	/** The best rank of each family in which something was found, by its head. */
	readonly ranks: ReadonlyMap<SessionRow, number>;
	/** The runs to show: runs that match, and the runs above them. */
	readonly runs: ReadonlySet<SessionRow>;
	/** Paths of the sessions and runs that are shown only for the runs below them. */
	readonly unmatched: ReadonlySet<string>;
	/** Paths of the heads of families that have the words of the query only in other forms, in themselves and in their runs. */
	readonly others: ReadonlySet<string>;
}

/**
 * Moves the ranks of runs to the heads of their families. `found`: the ranks of the sessions in which something was found;
 * `others`: the paths of those that have the words of the query only in other forms.
 */
export function ranksByFamily(
	found: ReadonlyMap<SessionRow, number>,
	families: Families,
	others: ReadonlySet<string>,
): FoundFamilies {
	const { parents } = families;
	if (parents.size === 0) return { ranks: found, runs: new Set(), unmatched: new Set(), others };
	const ranks = new Map<SessionRow, number>();
	const runs = new Set<SessionRow>();
	const unmatched = new Set<string>();
	const typed = new Set<string>();
	const inForms = new Set<string>();
	for (const [row, rank] of found) {
		const head = headOf(row, families);
		ranks.set(head, Math.min(ranks.get(head) ?? rank, rank));
		for (let run = row, above = parents.get(run); above !== undefined; run = above, above = parents.get(run)) {
			runs.add(run);
			if (!found.has(above)) unmatched.add(above.path);
		}
		if (head !== row && others.size > 0) (others.has(row.path) ? inForms : typed).add(head.path);
	}
	if (others.size === 0) return { ranks, runs, unmatched, others };
	const headsInForms = [...inForms].filter((path) => !typed.has(path) && unmatched.has(path));
	const below = new Set(parents.keys().map(({ path }) => path));
	const keptPaths = [...others].filter((path) => !typed.has(path) && !below.has(path));
	return { ranks, runs, unmatched, others: new Set([...keptPaths, ...headsInForms]) };
}
