import { memoLast } from "../../../shared/memo.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { familiesOf } from "../../world/list/families.ts";
import type { State } from "../../world/state/state.ts";
import type { Bar, Phase, Segment } from "./draw-bar.ts";
import { familyTimes, type TimedSession } from "./family-times.ts";
import { commonOf, lengthOf, type Period, unionOf, without } from "./period.ts";
import { type TimeScale, timeScale } from "./time-scale.ts";
import { TIMELINE } from "./timeline-state.ts";

/** A session or a run with its bar. */
export interface TimelineRow extends PageRow {
	readonly timed: TimedSession;
	readonly bar: Bar;
	/** How long it worked, and waited for its runs, in ms; undefined where that is not known. */
	readonly tookMs: number | undefined;
	/** How long each phase was, in ms. */
	readonly phases: Readonly<Record<Phase, number>>;
}

/** What the page shows. */
interface Timeline {
	readonly rows: readonly TimelineRow[];
	/** When anything happened. */
	readonly busy: readonly Period[];
	/** The present time, Unix ms, if something works now. */
	readonly growsUntil: number | undefined;
}

/** The rows of the page. */
export function selectTimelineRows(state: State): readonly TimelineRow[] {
	return selectTimeline(state).rows;
}

/** The row under the cursor. */
export function selectedTimelineRow(state: State): TimelineRow | undefined {
	return rowAtCursor(TIMELINE.of(state).cursor, selectTimelineRows(state));
}

/** The bars, and whether they grow. */
export function selectTimeline(state: State): Timeline {
	const { shown, turns } = TIMELINE.of(state);
	const { rows, counts, live } = state.catalog;
	const times = timesOf(shown, rows, counts, live.sessions, turns, dayOf(state.now));
	// A tick changes nothing while nothing works.
	return barsOf(times, times.some(({ grows }) => grows) ? state.now : undefined);
}

/** The scale of the bars in so many cells; undefined if no time is known. */
export function selectScale(state: State, width: number): TimeScale | undefined {
	const { busy, growsUntil } = selectTimeline(state);
	return scaleOf(busy, width, growsUntil);
}

const scaleOf = memoLast(timeScale);

const timesOf = memoLast(
	(
		shown: readonly string[],
		rows: State["catalog"]["rows"],
		counts: State["catalog"]["counts"],
		live: State["catalog"]["live"]["sessions"],
		turns: ReturnType<typeof TIMELINE.of>["turns"],
		now: number,
	): readonly TimedSession[] => familyTimes(shown, { rows, families: familiesOf(rows), counts, live, turns, now }),
);

const DAY = 24 * 60 * 60_000;

/** The end of the present day in UTC: times are compared with it, so that a tick changes nothing. */
function dayOf(now: number): number {
	return Math.ceil((now + 1) / DAY) * DAY;
}

const barsOf = memoLast((times: readonly TimedSession[], growsUntil: number | undefined): Timeline => {
	const now = growsUntil ?? 0;
	const children = Map.groupBy(
		times.filter(({ parent }) => parent !== undefined),
		({ parent }) => parent,
	);
	const rows = times.map((timed, index): TimelineRow => {
		const waitedFor = (children.get(index) ?? []).flatMap((run) => (isAwaited(run) ? periodOf(run, now) : []));
		const segments = segmentsOf(timed, unionOf(waitedFor), now);
		const around = timed.startMs ?? times[timed.parent ?? index]?.startMs;
		const bar: Bar = { segments, end: timed.end, around, isGone: timed.run?.isGone === true };
		const phases = lengthsOf(segments);
		const isKnown =
			timed.startMs !== undefined && !timed.isDoubtful && (timed.run !== undefined || timed.turns !== undefined);
		const tookMs = isKnown && timed.run?.state !== "queued" ? phases.works + phases["waits for runs"] : undefined;
		return { key: timed.key, timed, bar, tookMs, phases };
	});
	return { rows, busy: times.flatMap((timed) => busyOf(timed, now)), growsUntil };
});

/** Whether the session that asked for a run waits until it ends. */
function isAwaited({ run }: TimedSession): boolean {
	return run !== undefined && !run.isBackground && run.state !== "queued";
}

/** From the beginning to the end, or to now; none if the beginning is unknown. */
function periodOf({ startMs, endMs, grows, run }: TimedSession, now: number): readonly Period[] {
	if (startMs === undefined) return run?.state === "queued" ? [{ startMs: now, endMs: now }] : [];
	return [{ startMs, endMs: Math.max(startMs, endMs ?? (grows ? now : startMs)) }];
}

/** When something happened: of a session whose turns are not known, all the time. */
function busyOf(timed: TimedSession, now: number): readonly Period[] {
	const whole = periodOf(timed, now);
	if (timed.turns === undefined) return whole;
	// The beginning and the end are in sight even if nothing happened then.
	const edges = whole.flatMap(({ startMs, endMs }) => [startMs, endMs].map((at) => ({ startMs: at, endMs: at })));
	return [...edges, ...turnsOf(timed, now)];
}

/** The turns of a session; if it is working now, the last one goes on. */
function turnsOf({ turns = [], grows }: TimedSession, now: number): readonly Period[] {
	const last = turns.at(-1);
	return grows && last !== undefined ? [...turns.slice(0, -1), { ...last, endMs: Math.max(last.endMs, now) }] : turns;
}

/** The parts of a bar. `awaited`: when it waits for its runs while it works. */
function segmentsOf(timed: TimedSession, awaited: readonly Period[], now: number): readonly Segment[] {
	const whole = periodOf(timed, now);
	if (timed.run?.state === "queued") return inPhase(whole, "queued");
	const working = unionOf(timed.run === undefined ? turnsOf(timed, now) : whole);
	const waits = commonOf(working, awaited);
	return [
		...(timed.run === undefined ? inPhase(without(unionOf(whole), working), "waits for you") : []),
		...inPhase(waits, "waits for runs"),
		...inPhase(without(working, awaited), "works"),
	];
}

function inPhase(periods: readonly Period[], phase: Phase): readonly Segment[] {
	return periods.map(({ startMs, endMs }) => ({ startMs, endMs, phase }));
}

function lengthsOf(segments: readonly Segment[]): Readonly<Record<Phase, number>> {
	const of = (phase: Phase): number => lengthOf(segments.filter((segment) => segment.phase === phase));
	return {
		works: of("works"),
		"waits for runs": of("waits for runs"),
		"waits for you": of("waits for you"),
		queued: of("queued"),
	};
}
