import type { Run } from "../../../catalog/families/run.ts";
import { hasFailed, type RunReport } from "../../../catalog/families/run-report.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import { type SessionRow, saidFirst } from "../../../catalog/model/row.ts";
import { entryEnd } from "../../../conversation/entries/entry-facts.ts";
import { type PlacedRun, placeRuns } from "../../../conversation/entries/place-runs.ts";
import type { RunLine } from "../../../conversation/entries/run-line.ts";
import { NO_RUNS, type RunsByStep } from "../../../conversation/tree/tree-rows.ts";
import { memoEqual, memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { factsOf, familiesOf, runDollars, runSources, runsBelow } from "../list/families.ts";
import type { State } from "../state/state.ts";

export interface SessionRuns {
	/** By key. */
	readonly runs: ReadonlyMap<string, Run<SessionRow>>;
	/** By key, in the order in which they began. */
	readonly lines: ReadonlyMap<string, RunLine>;
	/** The same by the entry below which they stand; the same object while nothing that they say changes. */
	readonly byEntry: ReadonlyMap<string, readonly RunLine[]>;
}

const NONE: SessionRuns = { runs: new Map(), lines: new Map(), byEntry: new Map() };

/**
 * The runs of the opened session. They come from what is counted of all sessions, so that a session without runs costs
 * nothing, and one that is open says the same as the list.
 */
export function selectRuns(state: State): SessionRuns {
	const session = state.detail.session;
	const placed = session && placedIn(state, session);
	if (session === undefined || placed === undefined || placed.length === 0) return NONE;
	const { counts, live, rows } = state.catalog;
	return runsAt(placed, rows, counts, live, session.path, state.now);
}

/** The paths of the runs that entries of the opened session started, and of the runs below them. */
export function runsStartedIn(state: State, row: SessionRow, ids: ReadonlySet<string>): readonly string[] {
	const families = familiesOf(state.catalog.rows);
	const all = runsBelow(row, families);
	const startedRuns = selectRuns(state)
		.lines.values()
		.flatMap(({ entryId, path }) => (path !== undefined && ids.has(entryId) ? [path] : []));
	const paths = new Set(startedRuns);
	for (const run of all) if (paths.has(families.parents.get(run)?.path ?? "")) paths.add(run.path);
	return all.flatMap(({ path }) => (paths.has(path) ? [path] : []));
}

/** The runs of the opened session by the steps that started them; the same object while their rows do not change. */
export function runsByStep(state: State, session: Session): RunsByStep {
	const placed = placedIn(state, session);
	return placed.length === 0 ? NO_RUNS : byStep(placed, selectRuns(state).lines, session);
}

/** When a run was forked from its parent, Unix ms: older entries in it were copied. Undefined for any other session. */
export function forkedMs({ catalog }: State, { path }: Session): number | undefined {
	const row = catalog.rows.get(path);
	return row?.run?.isFork ? row.created.getTime() : undefined;
}

const NOTHING: readonly PlacedRun<SessionRow>[] = [];
const NO_SESSIONS: readonly SessionRow[] = [];
const NO_REPORTS: readonly RunReport[] = [];

function placedIn(state: State, session: Session): readonly PlacedRun<SessionRow>[] {
	const { rows, counts } = state.catalog;
	const sessions = familiesOf(rows).runs.get(session.path) ?? NO_SESSIONS;
	const reports = counts.get(session.path)?.runs ?? NO_REPORTS;
	return sessions.length + reports.length === 0 ? NOTHING : placed(session, sessions, reports);
}

/** Looks for the step of each run, for every key and for the rows of the tree. */
const placed = memoLast(placeRuns<SessionRow>);

/** The tree is laid out anew for another object. */
const byStep = memoEqual(
	(runs: readonly PlacedRun[], lines: ReadonlyMap<string, RunLine>, session: Session): RunsByStep => {
		const grouped = Map.groupBy(runs, ({ entryId }) => entryId);
		return new Map(
			[...grouped].map(([id, placed]) => {
				const states = placed.map(({ key }) => lines.get(key)?.state);
				const count = states.filter((state) => state !== undefined && hasFailed(state)).length;
				const step = count === 0 ? undefined : session.tree.byId.get(id);
				const failed = step !== undefined && entryEnd(step, session) === "failed" ? count - 1 : count;
				const isOne = placed.length === 1 && placed[0]?.isOfCall === true;
				return [id, { keys: placed.map(({ key }) => key), isOne, failed }];
			}),
		);
	},
	(last, now) => JSON.stringify([...last]) === JSON.stringify([...now]),
);

/** The document of the reader is made anew for other lines, and each tick has another time. */
const runsAt = memoEqual(
	(
		placed: readonly PlacedRun<SessionRow>[],
		rows: ReadonlyMap<string, SessionRow>,
		counts: ReadonlyMap<string, SessionCounts>,
		live: LiveReport,
		path: string,
		now: number,
	): SessionRuns => {
		const sources = runSources({ rows, counts, live });
		const row = rows.get(path);
		const dollars = row === undefined ? undefined : runDollars(row, sources.families, counts);
		const paid = new Set<SessionRow | RunReport>();
		const lines = placed.map(({ key, entryId, run }): RunLine => {
			const { report, session } = run;
			const { agent, task, state, startedMs, endedMs, error, isGone } = factsOf(run, row, sources);
			const works = state === "running";
			const end = works ? now : endedMs;
			const spender = session ?? report;
			// Runs that went on in one session have cost that together: the first one says it.
			const paidFor = spender === undefined || paid.has(spender) ? undefined : spender;
			if (spender !== undefined) paid.add(spender);
			return {
				...{ key, entryId, agent, state, error },
				isGone,
				// A forked run begins with what its parent was asked.
				task: task || (session === undefined || session.run?.isFork ? "" : saidFirst(session)),
				tookMs: startedMs === undefined || end === undefined ? undefined : inSight(end - startedMs, works),
				answers: report?.turns,
				cost: (paidFor && dollars?.get(paidFor)) ?? 0,
				path: session?.path,
			};
		});
		const byEntry = Map.groupBy(lines, ({ entryId }) => entryId);
		return {
			runs: new Map(placed.map(({ key, run }) => [key, run])),
			lines: new Map(lines.map((line) => [line.key, line])),
			byEntry,
		};
	},
	(last, now) =>
		last.lines.size === now.lines.size &&
		[...now.lines].every(
			([key, line]) => sameLine(last.lines.get(key), line) && last.runs.get(key) === now.runs.get(key),
		),
);

/**
 * Rounded down to the seconds or minutes that are shown of it while it grows, so that its line stays the same
 * meanwhile.
 */
function inSight(ms: number, works: boolean): number {
	const step = ms >= 60_000 ? 60_000 : 1000;
	return works ? Math.floor(ms / step) * step : ms;
}

function sameLine(one: RunLine | undefined, other: RunLine): boolean {
	return one !== undefined && Object.entries(other).every(([name, value]) => one[name as keyof RunLine] === value);
}
