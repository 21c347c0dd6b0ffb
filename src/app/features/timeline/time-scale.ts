import { lengthOf, type Period, unionOf } from "./period.ts";

/** Which cell of a row stands for which time. Long idle gaps are left out: they take a few cells, however long they are. */
export interface TimeScale {
	/** Cells of a row. */
	readonly width: number;
	/** The times that are drawn to scale, in order; at least one. */
	readonly pieces: readonly Piece[];
	/** What is left out, in ms. */
	readonly leftOutMs: number;
}

/** A period drawn to scale, from one cell to before another. */
interface Piece extends Period {
	readonly left: number;
	readonly right: number;
}

/** Cells of a gap that is left out. */
export const GAP_CELLS = 2;
/** A shorter gap is always drawn to scale. */
const LEAST_GAP_MS = 5 * 60_000;
/** A gap is left out only if it would take more cells than this. */
const LEAST_GAP_CELLS = 2 * GAP_CELLS;
/** One gap at most per this many cells. */
const CELLS_PER_GAP = 16;
/** A scale shows at least so many ms: where all is over in a moment, the moment fills the row. */
const LEAST_MS = 1000;
/** While something works, the end of the scale moves in steps of this part of it, so that the bars stand still meanwhile. */
const GROWTH_PART = 8;

/**
 * The scale on which all of the periods are in sight; undefined if there are none. `width`: cells, at least 1. `growsUntil`:
 * the present time, Unix ms, if something works now.
 */
export function timeScale(
	periods: readonly Period[],
	width: number,
	growsUntil?: number | undefined,
): TimeScale | undefined {
	const busy = unionOf(periods);
	const [first] = busy;
	const last = busy.at(-1);
	if (first === undefined || last === undefined) return undefined;
	const gaps = leftOut(busy, width);
	const shown: { startMs: number; endMs: number }[] = [{ startMs: first.startMs, endMs: last.endMs }];
	for (const gap of gaps) {
		const before = shown.at(-1);
		if (before !== undefined) before.endMs = gap.startMs;
		shown.push({ startMs: gap.endMs, endMs: last.endMs });
	}
	const end = shown.at(-1);
	if (end !== undefined) {
		if (growsUntil !== undefined) end.endMs = Math.max(end.endMs, nextBound(growsUntil, lengthOf(shown)));
		end.endMs += Math.max(0, LEAST_MS - lengthOf(shown));
	}
	return { width, pieces: placed(shown, width), leftOutMs: lengthOf(gaps) };
}

/** The gaps that are left out, in order: the longest ones, as long as each would take many cells. */
function leftOut(busy: readonly Period[], width: number): readonly Period[] {
	const gaps = busy
		.slice(1)
		.map(({ startMs }, index): Period => ({ startMs: busy[index]?.endMs ?? startMs, endMs: startMs }))
		.filter((gap) => lengthOf([gap]) > LEAST_GAP_MS)
		.sort((one, other) => lengthOf([other]) - lengthOf([one]));
	let rest = lengthOf(busy) + lengthOf(gaps);
	const chosen: Period[] = [];
	for (const gap of gaps.slice(0, Math.ceil(width / CELLS_PER_GAP))) {
		const length = lengthOf([gap]);
		if ((length / rest) * width < LEAST_GAP_CELLS) break;
		chosen.push(gap);
		rest -= length;
	}
	return chosen.sort((one, other) => one.startMs - other.startMs);
}

/** A time in the near future, which stays the same for a while. */
function nextBound(now: number, lengthMs: number): number {
	const step = 2 ** Math.ceil(Math.log2(Math.max(LEAST_MS, lengthMs / GROWTH_PART)));
	return Math.ceil(now / step) * step;
}

/** Each piece gets at least one cell, and more by its length; it begins and ends between cells. */
function placed(shown: readonly Period[], width: number): readonly Piece[] {
	const all = lengthOf(shown);
	const room = width - GAP_CELLS * (shown.length - 1) - shown.length;
	// Before rounding.
	let end = 0;
	return shown.map((period, index) => {
		const start = end + (index === 0 ? 0 : GAP_CELLS);
		end = start + 1 + (room * lengthOf([period])) / all;
		return { ...period, left: Math.round(start), right: Math.min(width, Math.round(end)) };
	});
}

/** Where a time is, in cells and their fractions from the left; a time out of sight is at the nearest edge. */
export function cellAt({ pieces, width }: TimeScale, time: number): number {
	let before: Piece | undefined;
	for (const piece of pieces) {
		if (time < piece.startMs)
			return before === undefined ? 0 : between(time, before.endMs, piece.startMs, before.right, piece.left);
		if (time <= piece.endMs) return between(time, piece.startMs, piece.endMs, piece.left, piece.right);
		before = piece;
	}
	return width;
}

function between(time: number, from: number, to: number, left: number, right: number): number {
	return to === from ? left : left + ((time - from) / (to - from)) * (right - left);
}
