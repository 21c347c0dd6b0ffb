import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawAxis } from "../../../../src/app/features/timeline/time-axis.ts";
import { cellAt, GAP_CELLS, lengthOf, timeScale } from "../../../../src/app/features/timeline/time-scale.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { caseCount } from "../../../support/cases.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { somePeriods } from "./some-periods.ts";

const MINUTE = 60_000;
const at = (minutes: number, length: number) => ({
	startMs: NOW + minutes * MINUTE,
	endMs: NOW + (minutes + length) * MINUTE,
});

test("without periods there is no scale, and a moment fills a row", () => {
	expect(timeScale([], 40)).toBeUndefined();
	expect(timeScale([at(0, 0)], 40)).toMatchObject({ startMs: NOW, endMs: NOW + 1000, gaps: [] });
});

test("a long gap takes two cells; a short one, and one that takes little room, is drawn to scale", () => {
	const gapsOf = (...periods: readonly (readonly [from: number, length: number])[]) =>
		timeScale(
			periods.map((period) => at(...period)),
			62,
		)?.gaps;
	expect(gapsOf([0, 30], [600, 30])).toEqual([at(30, 570)]);
	expect(gapsOf([0, 1], [5, 1])).toEqual([]);
	expect(gapsOf([0, 10_000], [10_010, 10_000])).toEqual([]);
	const scale = timeScale([at(0, 30), at(600, 30)], 62);
	expect(scale && [0, 30, 600, 630].map((minutes) => cellAt(scale, NOW + minutes * MINUTE))).toEqual([0, 30, 32, 62]);
	// Of many gaps the longest.
	const many = Array.from({ length: 100 }, (_, index) => [index * 70 + Math.floor(index / 20) * 10_000, 1] as const);
	expect(gapsOf(...many)?.map((gap) => lengthOf([gap]) / MINUTE)).toEqual([10_069, 10_069, 10_069]);
});

test("later is never further left, and all is in the row", () => {
	fc.assert(
		fc.property(somePeriods, fc.integer({ min: 1, max: 200 }), (periods, width) => {
			const scale = timeScale(periods, width);
			if (scale === undefined) return;
			const times = periods.flatMap(({ startMs, endMs }) => [startMs, endMs]).sort((one, other) => one - other);
			let before = 0;
			for (const time of times) {
				const cell = cellAt(scale, time);
				expect(cell).toBeGreaterThanOrEqual(before - 1e-6);
				expect(cell).toBeLessThanOrEqual(width + 1e-6);
				before = cell;
				// Nothing that happened is left out.
				expect(scale.gaps.some(({ startMs, endMs }) => time > startMs && time < endMs)).toBe(false);
			}
		}),
		{ numRuns: caseCount(300) },
	);
});

describe("the axis", () => {
	/** The axis over some periods, given by their beginnings and ends. */
	function axis(width: number, ...periods: readonly (readonly [from: string, to: string])[]): string {
		const all = periods.map(([from, to]) => ({ startMs: Date.parse(from), endMs: Date.parse(to) }));
		const scale = timeScale(all, width);
		return scale === undefined ? "" : textOfRow(drawAxis(scale, NOW)).trimEnd();
	}

	test("has times of day that are easy to read, and names the days", () => {
		expect(axis(60, ["2026-11-21T09:00Z", "2026-11-21T10:00Z"])).toBe(
			"╷9:00     ╷9:10     ╷9:20     ╷9:30     ╷9:40     ╷9:50",
		);
		expect(axis(60, ["2026-11-21T09:00Z", "2026-11-21T09:00:20Z"])).toBe(
			"╷9:00:00       ╷9:00:05       ╷9:00:10       ╷9:00:15",
		);
		expect(axis(24, ["2026-11-21T09:04Z", "2026-11-21T10:30Z"])).toBe("╷9:04          ╷10:00");
		expect(axis(60, ["2026-11-20T20:00Z", "2026-11-21T05:00Z"])).toBe(
			"╷Fri 20:00   ╷22:00       ╷today 0:00   ╷2:00        ╷4:00",
		);
		expect(axis(70, ["2024-02-03T20:00Z", "2026-11-21T05:00Z"])).toMatch(
			/^╷3 Feb 2024 +╷\d+ \w{3} 2024 +╷\d+ \w{3} 2025/,
		);
	});

	test("marks what is left out, and begins anew behind it", () => {
		expect(axis(60, ["2026-11-19T20:00Z", "2026-11-19T20:30Z"], ["2026-11-21T09:00Z", "2026-11-21T09:30Z"])).toBe(
			"╷Thu 20:00         ╷20:20    ≈≈╷today 9:00        ╷9:20",
		);
	});

	test("fills its width, and has its times one after the other, at every width", () => {
		fc.assert(
			fc.property(somePeriods, fc.integer({ min: 1, max: 200 }), (periods, width) => {
				const scale = timeScale(periods, width);
				if (scale === undefined) return;
				const line = drawAxis(scale, NOW);
				expect(lineWidth(line)).toBe(width);
				expect(textOfRow(line).split("≈".repeat(GAP_CELLS)).length - 1).toBe(scale.gaps.length);
				expect(textOfRow(line)).not.toMatch(/\w╷/);
			}),
			{ numRuns: caseCount(300) },
		);
	});
});
