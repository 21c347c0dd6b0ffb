import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bar, drawBar, type Phase } from "../../../../src/app/features/timeline/draw-bar.ts";
import { cellAt, type TimeScale, timeScale } from "../../../../src/app/features/timeline/time-scale.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { caseCount } from "../../../support/cases.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { somePeriods } from "./some-periods.ts";

const SECOND = 1000;

/** Ten cells of a second each. */
const TEN = timeScale([{ startMs: NOW, endMs: NOW + 10 * SECOND }], 10) as TimeScale;

/** A bar of phases, each from and to a second. */
function bar(
	phases: readonly (readonly [phase: Phase, from: number, to: number])[],
	fields: Partial<Bar> = {},
): string {
	const segments = phases.map(([phase, from, to]) => ({
		phase,
		startMs: NOW + from * SECOND,
		endMs: NOW + to * SECOND,
	}));
	return textOfRow(drawBar({ segments, end: "done", around: undefined, isGone: false, ...fields }, TEN));
}

describe("a bar", () => {
	test("is where its time is, in half cells", () => {
		expect(bar([["works", 0, 10]])).toBe("━━━━━━━━━━");
		expect(bar([["works", 2.5, 5.5]])).toBe("  ╺━━╸    ");
		expect(bar([["works", 9.99, 10]])).toBe("         ╺");
		expect(bar([["works", 3, 3.001]])).toBe("   ╸      ");
	});

	test("shows what it waits for with other strokes, and never hides work", () => {
		expect(
			bar([
				["waits for you", 4, 8],
				["waits for runs", 1, 3],
				["works", 0, 1],
				["works", 3, 4],
				["works", 8, 10],
			]),
		).toBe("━──━┈┈┈┈━━");
		expect(
			bar([
				["waits for you", 0, 10],
				["works", 5, 5.1],
			]),
		).toBe("┈┈┈┈┈╸┈┈┈┈");
		expect(
			bar([
				["works", 0, 2.5],
				["waits for runs", 2.5, 5.5],
				["works", 5.5, 8],
				["waits for you", 8, 10],
			]),
		).toBe("━━╾──╼━━┈┈");
		expect(bar([["queued", 2, 5]])).toBe("  ···     ");
	});

	test("ends with a sign of how it ended, even in a single cell", () => {
		expect(bar([["works", 2, 5]], { end: "failed" })).toBe("  ━━✗     ");
		expect(bar([["works", 2, 5]], { end: "stopped" })).toBe("  ━━■     ");
		expect(bar([["works", 2, 10]], { end: "works" })).toBe("  ━━━━━━━▸");
		expect(bar([["works", 2, 2]], { end: "failed" })).toBe("  ✗       ");
	});

	test("of a run whose session is gone is broken, and one without times is a question mark", () => {
		expect(bar([["works", 2, 5]], { isGone: true })).toBe("  ╍╍╍     ");
		expect(bar([], { end: "unknown", around: NOW + 4 * SECOND })).toBe("    ?     ");
		expect(bar([])).toBe("?         ");
	});

	test("has the tone of its end", () => {
		const segments = [{ phase: "works" as const, startMs: NOW, endMs: NOW + SECOND * 5 }];
		const tones = (["done", "failed", "stopped", "works"] as const).map(
			(end) => drawBar({ segments, end, around: undefined, isGone: false }, TEN)[0]?.tone,
		);
		expect(tones).toEqual(["verb", "error", "warning", "current"]);
	});
});

test("whatever it is made of, a bar fills exactly its width, is visible, and begins where it begins", () => {
	const phase = fc.constantFrom<Phase>("works", "waits for runs", "waits for you", "queued");
	const end = fc.constantFrom<Bar["end"]>("done", "failed", "stopped", "works", "unknown");
	fc.assert(
		fc.property(
			somePeriods,
			somePeriods,
			fc.array(phase, { minLength: 30, maxLength: 30 }),
			end,
			fc.integer({ min: 1, max: 120 }),
			fc.boolean(),
			(periods, others, phases, ending, width, isGone) => {
				const scale = timeScale([...periods, ...others], width);
				if (scale === undefined) return;
				const segments = periods.map((period, index) => ({ ...period, phase: phases[index] ?? "works" }));
				const line = drawBar({ segments, end: ending, around: undefined, isGone }, scale);
				expect(lineWidth(line)).toBe(width);
				const text = textOfRow(line);
				expect(text.trim()).not.toBe("");
				const first = Math.min(...segments.map(({ startMs }) => startMs));
				if (segments.length > 0) expect(text.search(/\S/)).toBe(cellOfBegin(scale, first));
			},
		),
		{ numRuns: caseCount(300) },
	);
});

/** The cell in which a bar begins: of half cells, the nearest. */
function cellOfBegin(scale: TimeScale, time: number): number {
	return Math.min(scale.width - 1, Math.floor(Math.round(2 * cellAt(scale, time)) / 2));
}
