import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { missingOfRuns } from "../../../catalog/stats/run-stats.ts";
import { largest } from "../../../shared/columns.ts";
import { sameEntries } from "../../../shared/maps.ts";
import { memoEqual, memoLast } from "../../../shared/memo.ts";
import { projectKey } from "../../../shared/paths.ts";
import type { State } from "../state/state.ts";
import { type Families, familiesOf, isRunBelow, lastActive, runsBelow } from "./families.ts";
import { waitingRows } from "./list-counts.ts";
import { type SessionList, selectList } from "./select-list.ts";
import type { ThreadedRow } from "./thread.ts";

type Counts = ReadonlyMap<string, SessionCounts>;

/** What some sessions come to with all runs below them, by the rule of the statistics: each dollar and each hour once. */
export interface ListedSum {
	/** In dollars. */
	readonly cost: number;
	/** Working time of the model and its tools, without that of the runs. */
	readonly workedMs: number;
	/** Sessions that have been counted, and those that have not; without runs. */
	readonly counted: number;
	readonly uncounted: number;
	/** Whether the price of some answer is not known. */
	readonly isUnpriced: boolean;
}

/** The sum of what the query and the scope leave; remembered, for each key and frame needs it. */
export function listedSum(state: State): ListedSum {
	return sumListed(state, listedFamilies(state));
}

export function sumOfMarked(state: State): ListedSum {
	const { list, catalog } = state;
	return sumMarked(state, markedFamilies(list.marked, catalog.rows));
}

/** The sessions that the query and the scope leave, with all runs below them. */
export function listedFamilies(state: State): readonly SessionRow[] {
	return familiesIn(selectList(state), familiesOf(state.catalog.rows));
}

const familiesIn = memoLast(({ rows, others }: SessionList, families: Families) =>
	withRuns(
		rows.slice(0, rows.length - others).map(({ row }) => row),
		families,
	),
);

const markedFamilies = memoLast((marked: ReadonlySet<string>, rows: State["catalog"]["rows"]) => {
	const heads = [...marked].flatMap((path) => rows.get(path) ?? []);
	return withRuns(heads, familiesOf(rows));
});

function withRuns(heads: readonly SessionRow[], families: Families): readonly SessionRow[] {
	if (families.runs.size === 0) return heads;
	return [...new Set(heads.flatMap((row) => [row, ...runsBelow(row, families)]))];
}

/** By row: each other list of 30,000 sessions takes 2 ms by their rows, and 18 ms by their paths. */
function newByRow<Value>() {
	return memoLast((rows: State["catalog"]["rows"], values: ReadonlyMap<string, Value>) => {
		const valuesByRow = new Map<SessionRow, Value>();
		for (const [path, value] of values) {
			const row = rows.get(path);
			if (row !== undefined) valuesByRow.set(row, value);
		}
		return valuesByRow;
	});
}

const countsByRow = newByRow<SessionCounts>();
const missingByRow = newByRow<number>();

function sumOf(all: readonly SessionRow[], families: Families, counts: CountsByRow, missing: CostsByRow): ListedSum {
	const members = families.runs.size === 0 ? NO_ROWS : new Set(all);
	const sums = { cost: 0, workedMs: 0, counted: 0, uncounted: 0, isUnpriced: false };
	for (const row of all) {
		const counted = counts.get(row);
		const parent = members.size === 0 ? undefined : families.parents.get(row);
		const isHead = parent === undefined || !members.has(parent);
		if (counted === undefined) {
			if (isHead && isSession(row)) sums.uncounted += 1;
			continue;
		}
		sums.cost += counted.cost - (counted.elsewhere?.cost ?? 0) + (missing.get(row) ?? 0);
		if (counted.unpriced !== undefined) sums.isUnpriced = true;
		// The time of a run is part of the time that its session waited for it.
		if (!isHead) continue;
		sums.workedMs += counted.workedMs ?? 0;
		sums.counted += 1;
	}
	return sums;
}

type CountsByRow = ReadonlyMap<SessionRow, SessionCounts>;
type CostsByRow = ReadonlyMap<SessionRow, number>;

function sumFacts({ catalog: { rows, counts } }: State): [Families, CountsByRow, CostsByRow] {
	const families = familiesOf(rows);
	const missing = missingDollars(countsOfFamilies(families.runs, counts), families.runs);
	return [families, countsByRow(rows, counts), missingByRow(rows, missing)];
}

/** Sums up families; remembers the last ones. */
function newSum(): (state: State, all: readonly SessionRow[]) => ListedSum {
	const sum = memoLast(sumOf);
	return (state, all) => sum(all, ...sumFacts(state));
}

export interface ProjectSum {
	/** In dollars. */
	readonly cost: number;
	/** Their latest activity, Unix ms. */
	readonly latestMs: number;
	/** How many of them wait for the person. */
	readonly waiting: number;
}

/** The sums of the projects in the list, by `projectKey`. */
export function projectSums(state: State): ReadonlyMap<string, ProjectSum> {
	return sumProjects(selectList(state).rows, waitingRows(state), ...sumFacts(state));
}

const sumProjects = memoLast(
	(
		rows: readonly ThreadedRow[],
		waiting: ReadonlySet<SessionRow>,
		...[families, counts, missing]: ReturnType<typeof sumFacts>
	): ReadonlyMap<string, ProjectSum> => {
		const heads = rows.flatMap((item) => (isRunBelow(item) ? [] : [item.row]));
		const sums = [...Map.groupBy(heads, ({ cwd }) => projectKey(cwd))].map(([project, some]) => {
			const { cost } = sumOf(withRuns(some, families), families, counts, missing);
			const latestMs = largest(some.map((row) => lastActive(row, families)));
			return [project, { cost, latestMs, waiting: some.filter((row) => waiting.has(row)).length }] as const;
		});
		return new Map(sums);
	},
);

const sumListed = newSum();
const sumMarked = newSum();

const NO_ROWS: ReadonlySet<SessionRow> = new Set();

/** The counts of the sessions in families; the same object while these are the same, whatever else has been counted. */
const countsOfFamilies = memoEqual((runs: Families["runs"], counts: Counts): Counts => {
	const below = pathsBelow(runs);
	const all = new Map<string, SessionCounts>();
	for (const [path, one] of counts) if (one.runs !== undefined || runs.has(path) || below.has(path)) all.set(path, one);
	return all;
}, sameEntries);

const pathsBelow = memoLast(
	(runs: Families["runs"]): ReadonlySet<string> =>
		new Set(runs.values().flatMap((some) => some.map(({ path }) => path))),
);

/** What is only reported of runs, by the session that it counts for, in dollars. */
const missingDollars = memoLast((counts: Counts, runs: Families["runs"]) =>
	missingOfRuns(new Set([...counts.keys(), ...runs.keys()]), runs, (path) => counts.get(path)),
);
