import { type Run, reportOn, runsOf } from "../../../catalog/families/run.ts";
import { runNameOf } from "../../../catalog/families/run-name.ts";
import { hasFailed, type RunReport } from "../../../catalog/families/run-report.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { Ending } from "../../../catalog/model/ending.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { linksOf, type ThreadedRow } from "./thread.ts";

/** Sessions and the runs of subagents that they asked for. */
export interface Families {
	/** Each run whose parent is listed → that parent, which may be a run itself. */
	readonly parents: ReadonlyMap<SessionRow, SessionRow>;
	/** Path of a session → its own runs, in the order in which they began. */
	readonly runs: ReadonlyMap<string, readonly SessionRow[]>;
}

/** The families of all sessions; the same object while nothing changes in one. */
export function familiesOf(rows: ReadonlyMap<string, SessionRow>): Families {
	return familiesIn(linksOf(rows).parents);
}

const familiesIn = memoLast((links: ReadonlyMap<SessionRow, SessionRow>): Families => {
	const parents = new Map([...links].filter(([row]) => row.run !== undefined));
	const runs = new Map<string, SessionRow[]>();
	for (const [run, parent] of parents) {
		const siblings = runs.get(parent.path);
		if (siblings === undefined) runs.set(parent.path, [run]);
		else siblings.push(run);
	}
	for (const siblings of runs.values()) siblings.sort(byBegin);
	return { parents, runs };
});

function byBegin(one: SessionRow, other: SessionRow): number {
	return one.created.getTime() - other.created.getTime() || (one.path < other.path ? -1 : 1);
}

/** What the session that asked for a run tells of it; undefined if it does not, or has not been counted. */
export function reportOf(
	run: SessionRow,
	{ parents }: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): RunReport | undefined {
	const parent = parents.get(run);
	const reports = parent && counts.get(parent.path)?.runs;
	return reports && reportOn(run, reports);
}

/** The name of the agent of a run; empty where nobody says it. */
export function agentOf(run: SessionRow, families: Families, counts: ReadonlyMap<string, SessionCounts>): string {
	return reportOf(run, families, counts)?.agent || (runNameOf(run.name ?? "")?.agent ?? "");
}

/** The runs of a session in the order in which they began, also those that have no session (any more). */
export function runsOfSession(
	path: string,
	{ runs }: Families,
	counts: ReadonlyMap<string, SessionCounts>,
): readonly Run<SessionRow>[] {
	return runsOf(runs.get(path) ?? [], counts.get(path)?.runs ?? []);
}

/** How many runs a session has, and how many of them failed, as far as they have been counted. */
export interface RunCounts {
	readonly count: number;
	readonly failed: number;
}

const NO_RUNS: RunCounts = { count: 0, failed: 0 };
const FAILED: ReadonlySet<Ending> = new Set<Ending>(["failed", "aborted"]);

/** The runs below a session. */
export function runCounts(row: SessionRow, families: Families, counts: ReadonlyMap<string, SessionCounts>): RunCounts {
	if (!families.runs.has(row.path)) return NO_RUNS;
	const known = countedRuns(families, counts);
	const before = known.get(row.path);
	if (before !== undefined) return before;
	const below = runsBelow(row, families);
	const failed = below.filter((run) => {
		const report = reportOf(run, families, counts);
		return report === undefined ? FAILED.has(counts.get(run.path)?.ending ?? "") : hasFailed(report.state);
	});
	const found = { count: below.length, failed: failed.length };
	known.set(row.path, found);
	return found;
}

/** By path, for the sessions that were drawn: a session may have thousands of runs. */
const countedRuns = memoLast(
	(_families: Families, _counts: ReadonlyMap<string, SessionCounts>): Map<string, RunCounts> => new Map(),
);

/** Whether a row of the list is a run below the session that asked for it. */
export function isRunBelow({ row, level }: ThreadedRow): boolean {
	return row.run !== undefined && level !== undefined;
}

/** The session at the head of a run's family; any other session itself. */
export function headOf(row: SessionRow, { parents }: Families): SessionRow {
	let head = row;
	for (let parent = parents.get(head); parent !== undefined; parent = parents.get(head)) head = parent;
	return head;
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
			const shown = runs.get(row.path)?.filter((run) => isShown(run, row)) ?? [];
			const isFollowed = item === head && hasForks;
			for (const [below, run] of shown.toReversed().entries())
				stack.push({ row: run, level: { above, isLast: below === 0 && !isFollowed } });
		}
	}
	return listed;
}

/** What a search has found, by family. */
export interface FoundFamilies {
	/** A rank for each session: the best one of its family for its head, none for the runs below. */
	readonly ranks: Float64Array;
	/** The runs to show: those found, and the parents of those found. */
	readonly runs: ReadonlySet<SessionRow>;
	/** Paths of the sessions and runs that are shown only for the runs below them. */
	readonly unmatched: ReadonlySet<string>;
	/** Paths of the heads of families that have the words of the query only in other forms, in themselves and in their runs. */
	readonly others: ReadonlySet<string>;
}

/** Moves the ranks of runs to the heads of their families. `nowhere`: the rank of a session in which nothing was found. */
export function ranksByFamily(
	ranks: Float64Array,
	indexes: ReadonlyMap<string, number>,
	families: Families,
	others: ReadonlySet<string>,
	nowhere: number,
): FoundFamilies {
	if (families.parents.size === 0) return { ranks, runs: new Set(), unmatched: new Set(), others };
	const rankOf = ({ path }: SessionRow): number => ranks[indexes.get(path) ?? -1] ?? nowhere;
	const moved = ranks.slice();
	const runs = new Set<SessionRow>();
	const unmatched = new Set<string>();
	const typed = new Set<string>();
	const inForms = new Set<string>();
	for (const run of families.parents.keys()) {
		const at = indexes.get(run.path);
		const rank = rankOf(run);
		if (at === undefined || rank === nowhere) continue;
		moved[at] = nowhere;
		runs.add(run);
		for (let parent = families.parents.get(run); parent !== undefined; parent = families.parents.get(parent)) {
			if (families.parents.has(parent)) runs.add(parent);
			if (rankOf(parent) === nowhere) unmatched.add(parent.path);
		}
		const head = headOf(run, families);
		const top = indexes.get(head.path);
		if (top !== undefined) moved[top] = Math.min(moved[top] ?? nowhere, rank);
		(others.has(run.path) ? inForms : typed).add(head.path);
	}
	const headsInForms = [...inForms].filter((path) => !typed.has(path) && unmatched.has(path));
	const below = new Set(families.parents.keys().map(({ path }) => path));
	const kept = [...others].filter((path) => !typed.has(path) && !below.has(path));
	return { ranks: moved, runs, unmatched, others: new Set([...kept, ...headsInForms]) };
}
