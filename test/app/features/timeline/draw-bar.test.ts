import { describe, expect, test } from "vitest";
import { type Bar, drawBar } from "../../../../src/app/features/timeline/draw-bar.ts";
import { type TimeScale, timeScale } from "../../../../src/app/features/timeline/time-scale.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";

type Seconds = readonly [from: number, to: number];

const period = ([from, to]: Seconds) => ({ startMs: NOW + from * 1000, endMs: NOW + to * 1000 });
/** Ten cells of a second each. */
const TEN = timeScale([period([0, 10])], 10) as TimeScale;

/** The bar of a run from one second to another. */
function bar(
	from: number,
	to: number,
	{ waits = [], ...fields }: Partial<Omit<Bar, "waits">> & { readonly waits?: readonly Seconds[] } = {},
): string {
	const run: Bar = { period: period([from, to]), waits: waits.map(period), state: "done", isRun: true, isGone: false };
	return textOfRow(drawBar({ ...run, ...fields }, TEN));
}

describe("a bar", () => {
	test("is where its time is, in half cells", () => {
		expect(bar(0, 10)).toBe("━━━━━━━━━━");
		expect(bar(2.5, 5.5)).toBe("  ╺━━╸    ");
		expect(bar(9.99, 10)).toBe("         ╺");
		expect(bar(3, 3.001)).toBe("   ╸      ");
	});

	test("shows when it waits for its runs with other strokes, and never hides work", () => {
		expect(bar(0, 8, { waits: [[2.5, 5.5]] })).toBe("━━╾──╼━━  ");
		expect(
			bar(1, 8, {
				waits: [
					[1, 4.9],
					[5.1, 12],
				],
			}),
		).toBe(" ───╼╾──  ");
		expect(bar(0, 10, { waits: [[4, 8]], isRun: false })).toBe("┈┈┈┈────┈┈");
		expect(bar(2, 5, { state: "queued" })).toBe("  ┈┈┈     ");
	});

	test("ends with a sign of how it ended, even in a single cell, and has its tone", () => {
		expect(bar(2, 5, { state: "failed" })).toBe("  ━━✗     ");
		expect(bar(2, 5, { state: "stopped" })).toBe("  ━━■     ");
		expect(bar(2, 10, { state: "running" })).toBe("  ━━━━━━━▸");
		expect(bar(2, 2, { state: "failed" })).toBe("  ✗       ");
		const tones = (["done", "failed", "stopped", "running"] as const).map(
			(state) =>
				drawBar({ period: period([0, 5]), waits: [], state, isRun: true, isGone: false }, TEN).find(
					({ text }) => text === "━",
				)?.tone,
		);
		expect(tones).toEqual(["verb", "error", "warning", "current"]);
	});

	test("of a run whose session is gone is broken, and one without times is a question mark", () => {
		expect(bar(2, 5, { isGone: true })).toBe("  ╍╍╍     ");
		expect(bar(0, 0, { period: undefined })).toBe("?         ");
		expect(bar(0, 0, { period: undefined, state: "failed" })).toBe("✗         ");
	});
});
