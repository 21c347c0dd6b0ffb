import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { axisLabels, drawAxis } from "../../../../src/app/features/timeline/time-axis.ts";
import { GAP_CELLS, timeScale } from "../../../../src/app/features/timeline/time-scale.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { caseCount } from "../../../support/cases.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { somePeriods } from "./some-periods.ts";

afterEach(() => vi.unstubAllEnvs());

/** The axis over some periods, given by their beginnings and ends. */
function axis(width: number, ...periods: readonly (readonly [from: string, to: string])[]): string {
	const all = periods.map(([from, to]) => ({ startMs: Date.parse(from), endMs: Date.parse(to) }));
	const scale = timeScale(all, width);
	return scale === undefined ? "" : textOfRow(drawAxis(scale, NOW)).trimEnd();
}

describe("the axis", () => {
	test("has times of day that are easy to read", () => {
		expect(axis(60, ["2026-11-21T09:00Z", "2026-11-21T10:00Z"])).toBe(
			"╷9:00     ╷9:10     ╷9:20     ╷9:30     ╷9:40     ╷9:50",
		);
		expect(axis(60, ["2026-11-21T09:00Z", "2026-11-21T09:00:20Z"])).toBe(
			"╷9:00:00       ╷9:00:05       ╷9:00:10       ╷9:00:15",
		);
		expect(axis(24, ["2026-11-21T09:04Z", "2026-11-21T10:30Z"])).toBe("╷9:04          ╷10:00");
	});

	test("names the days, and the years where they are not this one", () => {
		expect(axis(60, ["2026-11-20T20:00Z", "2026-11-21T05:00Z"])).toBe(
			"╷Fri 20:00   ╷22:00       ╷today        ╷2:00        ╷4:00",
		);
		expect(axis(70, ["2024-02-03T20:00Z", "2026-11-21T05:00Z"])).toBe(
			"╷3 Feb 2024           ╷1 Jan 2025              ╷1 Jan",
		);
	});

	test("marks what is left out, and begins anew behind it", () => {
		expect(axis(60, ["2026-11-19T20:00Z", "2026-11-19T20:30Z"], ["2026-11-21T09:00Z", "2026-11-21T09:30Z"])).toBe(
			"╷Thu 20:00         ╷20:20    ≈≈╷9:00    ╷9:10     ╷9:20",
		);
	});

	test("leaves a time of another day out rather than its day", () => {
		const days = [
			["2024-02-03T20:00Z", "2024-02-03T20:01Z"],
			["2026-11-20T09:00Z", "2026-11-20T09:01Z"],
		] as const;
		expect(axis(40, ...days)).toBe("╷3 Feb 2024 20:00  ≈≈╷Fri 9:00");
		expect(axis(22, ...days)).toBe("          ≈≈╷Fri 9:00");
		expect(axis(19, ...days)).toBe("         ≈≈╷Fri");
	});

	test("is of local time, also on the days when the clocks change", () => {
		vi.stubEnv("TZ", "Europe/Berlin");
		// 2:00 is left out on 29 March, and twice there on 25 October.
		expect(axis(60, ["2026-03-28T23:00Z", "2026-03-29T04:00Z"])).toBe(
			"╷29 Mar     ╷1:00       ╷3:00       ╷4:00       ╷5:00",
		);
		expect(axis(60, ["2026-10-24T22:00Z", "2026-10-25T03:00Z"]).match(/\d:00/g)).toEqual(["1:00", "2:00", "3:00"]);
		vi.stubEnv("TZ", "Asia/Kathmandu");
		expect(axis(40, ["2026-11-21T00:00Z", "2026-11-21T04:00Z"])).toBe("╷5:45       ╷7:00     ╷8:00     ╷9:00");
	});
});

test("at every width the times are in order, none over another, over a gap or over the edge", () => {
	const zone = fc.constantFrom("UTC", "America/St_Johns", "Europe/Berlin", "Pacific/Apia");
	fc.assert(
		fc.property(somePeriods, fc.integer({ min: 1, max: 200 }), zone, (periods, width, tz) => {
			vi.stubEnv("TZ", tz);
			const scale = timeScale(periods, width);
			if (scale === undefined) return;
			const labels = axisLabels(scale, NOW);
			const line = drawAxis(scale, NOW);
			expect(lineWidth(line)).toBe(width);
			let free = 0;
			for (const { cell, text } of labels) {
				expect(cell).toBeGreaterThanOrEqual(free);
				free = cell + text.length + 1;
				expect(free - 1).toBeLessThanOrEqual(width);
				expect(textOfRow(line).slice(cell, free - 1)).toBe(text);
			}
			const gaps = textOfRow(line).split("≈".repeat(GAP_CELLS)).length - 1;
			expect(gaps).toBe(scale.pieces.length - 1);
		}),
		{ numRuns: caseCount(300) },
	);
});
