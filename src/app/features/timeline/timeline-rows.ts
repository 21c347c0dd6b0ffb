import type { Run, RunFacts } from "../../../catalog/families/run.ts";
import { hasEnded } from "../../../catalog/families/run-report.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { hasLiveRun } from "../../../catalog/query/conditions.ts";
import { memoLast } from "../../../shared/memo.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import {
	factsOf,
	familyCostOf,
	pathsAbove,
	type RunSources,
	runDollars,
	runSources,
	runsOfSession,
} from "../../world/list/families.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import type { Bar } from "./draw-bar.ts";
import type { TimeSpan } from "./time-scale.ts";

interface TimelineState {
	readonly cursor: PageCursor;
	/** Paths of the sessions whose bars are shown, each with its runs below. */
	readonly shown: readonly string[];
}

export const TIMELINE = defineSlice<TimelineState>("timeline", { cursor: FIRST_CURSOR, shown: [] });

/** A session, or a run of one, and when it worked, as its row and the report of its parent say it. */
export interface TimelineRow extends PageRow {
	/** 0 for a session that the page was opened for, 1 for its runs. */
	readonly depth: number;
	/** Undefined for a run without a session. */
	readonly row: SessionRow | undefined;
	/** Undefined at depth 0. */
	readonly run: RunFacts | undefined;
	readonly bar: Bar;
	/** What it and its runs have cost, in dollars, each once; 0 if nothing is known. */
	readonly cost: number;
}

export function selectedTimelineRow(state: State): TimelineRow | undefined {
	return rowAtCursor(TIMELINE.of(state).cursor, selectTimelineRows(state));
}

/** The rows of the page. A tick changes them only while something works. */
export function selectTimelineRows(state: State): readonly TimelineRow[] {
	const { catalog, now } = state;
	const until = catalog.live.sessions.size > 0 ? now : Math.ceil((now + 1) / DAY_MS) * DAY_MS;
	return timelineRows(TIMELINE.of(state).shown, catalog, until);
}

/** Whether a bar ends now. */
export function grows({ state }: Pick<Bar, "state">): boolean {
	return state !== undefined && !hasEnded(state);
}

const DAY_MS = 24 * 60 * 60_000;

type CatalogFacts = Pick<State["catalog"], "rows" | "counts" | "live">;

/** A session or a run that is yet to get its row. */
interface Place {
	readonly run: Run<SessionRow>;
	/** Index of the row of the session that started the run; -1 for none. */
	readonly parent: number;
	/** What it has cost with its runs, in dollars. */
	readonly cost: number | undefined;
}

/**
 * The sessions at these paths in the order in which they began, each followed by its runs and theirs, as they began. Each frame and key
 * needs them several times, and a family may have thousands.
 */
export const timelineRows = memoLast(
	(shownPaths: readonly string[], catalog: CatalogFacts, now: number): readonly TimelineRow[] => {
		const sources = runSources(catalog);
		const { families, counts } = sources;
		const rows: TimelineRow[] = [];
		/** When each row waits for its runs. */
		const waitsOf: TimeSpan[][] = [];
		const keys = new Set<string>();
		const paths = new Set(shownPaths);
		// Not recursive: runs of runs may be of any depth. The first one is the last of the stack.
		const stack = shownPaths
			.flatMap((path) => catalog.rows.get(path) ?? [])
			.filter((row) => !pathsAbove(row, families).some((path) => paths.has(path)))
			.sort((one, other) => other.created.getTime() - one.created.getTime() || (one.path < other.path ? 1 : -1))
			.map((session): Place => {
				const cost = familyCostOf(session, families, counts)?.total.cost;
				return { run: { report: undefined, session }, parent: -1, cost };
			});
		for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
			const { run, parent, cost = 0 } = place;
			const { report, session } = run;
			const above = rows[parent];
			// A run that was continued in its session has its runs, and its cost, once.
			const isAgain = session !== undefined && keys.has(session.path);
			const key = session && !isAgain ? session.path : `${above?.key}\n${report?.key ?? rows.length}`;
			keys.add(key);
			const facts = above && factsOf(run, above.row, sources);
			const bar = facts === undefined ? barOfSession(session, sources, now) : barOfRun(facts, session, now);
			if (report?.isBackground !== true && bar.period !== undefined) waitsOf[parent]?.push(bar.period);
			const waits: TimeSpan[] = [];
			waitsOf.push(waits);
			const depth = above === undefined ? 0 : above.depth + 1;
			rows.push({ key, depth, row: session, run: facts, bar: { ...bar, waits }, cost: isAgain ? 0 : cost });
			if (session === undefined || isAgain) continue;
			const dollars = runDollars(session, families, counts);
			const index = rows.length - 1;
			for (const next of runsOfSession(session.path, families, counts).toReversed()) {
				const costKey = next.session ?? next.report;
				stack.push({ run: next, parent: index, cost: costKey && dollars.get(costKey) });
			}
		}
		return rows;
	},
);

function barOfSession(row: SessionRow | undefined, { families, live }: RunSources, now: number): Bar {
	const { path = "", created, modified } = row ?? {};
	// A pi writes nothing to the session while it waits for runs.
	const isLive = live.has(path) || hasLiveRun(path, families.runs, live);
	const startMs = created?.getTime();
	// A fork without messages of its own has the times of its parent's.
	const endMs = isLive ? now : Math.max(startMs ?? 0, modified?.getTime() ?? 0);
	const period = possiblePeriod(startMs, endMs, now);
	return { period, waits: [], state: isLive ? "running" : "done", isRun: false, isGone: false };
}

function barOfRun({ state, isGone, ...facts }: RunFacts, session: SessionRow | undefined, now: number): Bar {
	// Without a reported end, its last message is the end.
	const endMs = grows({ state }) ? now : (facts.endedMs ?? session?.modified.getTime());
	const startMs = facts.startedMs ?? (state === "queued" ? now : undefined);
	return { period: possiblePeriod(startMs, endMs, now), waits: [], state, isRun: true, isGone };
}

/** Times before pi existed, or of tomorrow, come from a wrong clock. */
const FIRST_TIME = Date.UTC(2000, 0, 1);

/** The period between two times, Unix ms; undefined if one is not known, or both cannot be true. */
function possiblePeriod(startMs = Number.NaN, endMs = Number.NaN, now: number): TimeSpan | undefined {
	return startMs >= FIRST_TIME && startMs <= endMs && endMs <= now + DAY_MS ? { startMs, endMs } : undefined;
}
