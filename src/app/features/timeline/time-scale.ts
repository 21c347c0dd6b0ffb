/** A period of time, Unix ms; it does not end before it begins. */
export interface TimeSpan {
	readonly startMs: number;
	readonly endMs: number;
}

/** Which cell of a row stands for which time. */
export interface TimeScale {
	/** Cells of a row. */
	readonly width: number;
	readonly startMs: number;
	readonly endMs: number;
	/** Long gaps, in order, that are left out: each takes `GAP_CELLS`, however long it is. */
	readonly gaps: readonly TimeSpan[];
}

export const GAP_CELLS = 2;
/** A gap is left out if it is longer than this, and than all that is not a gap. */
const LEAST_GAP_MS = 5 * 60_000;
/** One gap at most per this many cells. */
const CELLS_PER_GAP = 16;
/** Minimum length of a scale, in ms: a shorter family would fill the row with a moment. */
const LEAST_MS = 1000;

/** All moments that are in one of the periods, as periods that do not touch, in order. */
export function unionOf(periods: readonly TimeSpan[]): readonly TimeSpan[] {
	const union: TimeSpan[] = [];
	for (const period of periods.toSorted((one, other) => one.startMs - other.startMs)) {
		const last = union.at(-1);
		if (last === undefined || period.startMs > last.endMs) union.push(period);
		else if (period.endMs > last.endMs) union[union.length - 1] = { ...last, endMs: period.endMs };
	}
	return union;
}

/** Sum of the lengths, in ms. */
export function lengthOf(periods: readonly TimeSpan[]): number {
	return periods.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** The scale on which all of the periods are in sight; undefined if there are none. `width`: cells, at least 1. */
export function timeScale(periods: readonly TimeSpan[], width: number): TimeScale | undefined {
	const busy = unionOf(periods);
	const [first] = busy;
	const last = busy.at(-1);
	if (first === undefined || last === undefined) return undefined;
	const least = Math.max(LEAST_GAP_MS, lengthOf(busy));
	const gaps = busy
		.slice(1)
		.map(({ startMs }, index): TimeSpan => ({ startMs: busy[index]?.endMs ?? startMs, endMs: startMs }))
		.filter((gap) => lengthOf([gap]) > least)
		.sort((one, other) => lengthOf([other]) - lengthOf([one]))
		.slice(0, Math.floor(width / CELLS_PER_GAP))
		.sort((one, other) => one.startMs - other.startMs);
	const { startMs } = first;
	return { width, startMs, endMs: Math.max(last.endMs, startMs + LEAST_MS + lengthOf(gaps)), gaps };
}

/** The ms for which a cell stands, where time is not left out. */
export function cellMs({ width, startMs, endMs, gaps }: TimeScale): number {
	return (endMs - startMs - lengthOf(gaps)) / (width - GAP_CELLS * gaps.length);
}

/** Where a time is, in cells and their fractions from the left; a time out of sight is at the nearest edge. */
export function cellAt(scale: TimeScale, time: number): number {
	const { startMs, endMs, gaps } = scale;
	const visibleTime = Math.max(startMs, Math.min(time, endMs));
	const passed = gaps.map((gap) => Math.max(0, Math.min(visibleTime, gap.endMs) - gap.startMs));
	const inGaps = gaps.reduce((cells, gap, index) => cells + (GAP_CELLS * (passed[index] ?? 0)) / lengthOf([gap]), 0);
	return (visibleTime - startMs - passed.reduce((sum, ms) => sum + ms, 0)) / cellMs(scale) + inGaps;
}
