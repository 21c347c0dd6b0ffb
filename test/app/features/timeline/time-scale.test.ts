import fc from "fast-check";
import { expect, test } from "vitest";
import { cellAt, GAP_CELLS, type TimeScale, timeScale } from "../../../../src/app/features/timeline/time-scale.ts";
import { caseCount } from "../../../support/cases.ts";
import { NOW } from "../../../support/rows.ts";
import { somePeriods } from "./some-periods.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (minutes: number, length: number) => ({
	startMs: NOW + minutes * MINUTE,
	endMs: NOW + (minutes + length) * MINUTE,
});

function scaleOf(...args: Parameters<typeof timeScale>): TimeScale {
	const scale = timeScale(...args);
	if (scale === undefined) throw new Error("there are periods");
	return scale;
}

test("without periods there is no scale, and a moment fills a row", () => {
	expect(timeScale([], 40)).toBeUndefined();
	const { pieces } = scaleOf([at(0, 0)], 40);
	expect(pieces).toEqual([{ startMs: NOW, endMs: NOW + 1000, left: 0, right: 40 }]);
});

test("a long idle gap takes two cells; a short one, and one that takes little room, is drawn to scale", () => {
	const { pieces, leftOutMs } = scaleOf([at(0, 30), at(600, 30)], 62);
	expect(leftOutMs).toBe(9.5 * HOUR);
	expect(pieces.map(({ left, right }) => [left, right])).toEqual([
		[0, 30],
		[32, 62],
	]);
	expect(scaleOf([at(0, 1), at(5, 1)], 60).leftOutMs).toBe(0);
	expect(scaleOf([at(0, 10_000), at(10_010, 10_000)], 60).leftOutMs).toBe(0);
});

test("of many gaps only the longest are left out", () => {
	// After each ten minutes of work an hour without, and after each ten of these a week.
	const all = Array.from({ length: 100 }, (_, index) => at(index * 70 + Math.floor(index / 10) * 10_000, 10));
	const { pieces } = scaleOf(all, 64);
	expect(pieces.length).toBe(1 + 4);
	for (const { startMs } of pieces) expect(all.findIndex((period) => period.startMs === startMs) % 10).toBe(0);
});

test("later is never further left, all is in the row, and gaps are where nothing happened", () => {
	fc.assert(
		fc.property(somePeriods, fc.integer({ min: 1, max: 200 }), fc.boolean(), (periods, width, grows) => {
			const scale = timeScale(periods, width, grows ? NOW : undefined);
			if (scale === undefined) return;
			const { pieces } = scale;
			let before = 0;
			for (const [index, { startMs, endMs, left, right }] of pieces.entries()) {
				expect(left).toBe(index === 0 ? 0 : before + GAP_CELLS);
				expect(right).toBeGreaterThan(left);
				expect(endMs).toBeGreaterThanOrEqual(startMs);
				expect(Number.isInteger(left) && Number.isInteger(right)).toBe(true);
				before = right;
			}
			expect(before).toBe(width);
			const times = periods.flatMap(({ startMs, endMs }) => [startMs, endMs]).sort((one, other) => one - other);
			const cells = times.map((time) => cellAt(scale, time));
			expect(cells.toSorted((one, other) => one - other)).toEqual(cells);
			for (const cell of cells) expect(cell >= 0 && cell <= width).toBe(true);
			for (const { startMs, endMs } of periods)
				expect(pieces.some((piece) => piece.startMs <= startMs && endMs <= piece.endMs)).toBe(true);
		}),
		{ numRuns: caseCount(300) },
	);
});

test("while something works the scale stays the same for a while", () => {
	const ends = new Set<number | undefined>();
	for (let tick = 0; tick < 90; tick++) {
		const now = NOW + 30 * MINUTE + tick * 20_000;
		const { pieces } = scaleOf([{ startMs: NOW, endMs: now }], 80, now);
		const end = pieces.at(-1)?.endMs ?? 0;
		expect(end).toBeGreaterThanOrEqual(now);
		ends.add(end);
	}
	// Half an hour in ticks of 20 seconds.
	expect(ends.size).toBeLessThan(12);
});
