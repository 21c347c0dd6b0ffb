import fc from "fast-check";
import { expect, test } from "vitest";
import { commonOf, lengthOf, possibleTime, unionOf, without } from "../../../../src/app/features/timeline/period.ts";
import { caseCount } from "../../../support/cases.ts";
import { NOW } from "../../../support/rows.ts";
import { somePeriods } from "./some-periods.ts";

test("two unions share what the one has without what it has alone", () => {
	expect(commonOf([{ startMs: 0, endMs: 10 }], [{ startMs: 2, endMs: 3 }])).toEqual([{ startMs: 2, endMs: 3 }]);
	expect(without([{ startMs: 0, endMs: 10 }], [{ startMs: 2, endMs: 3 }])).toEqual([
		{ startMs: 0, endMs: 2 },
		{ startMs: 3, endMs: 10 },
	]);
	fc.assert(
		fc.property(somePeriods, somePeriods, (some, others) => {
			const [one, other] = [unionOf(some), unionOf(others)];
			const [common, alone] = [commonOf(one, other), without(one, other)];
			expect(lengthOf(common) + lengthOf(alone)).toBe(lengthOf(one));
			expect(lengthOf(commonOf(alone, other))).toBe(0);
			expect(lengthOf(commonOf(other, one))).toBe(lengthOf(common));
			expect(lengthOf(unionOf([...common, ...alone]))).toBe(lengthOf(one));
			for (const { startMs, endMs } of [...one, ...common, ...alone]) expect(startMs).toBeLessThanOrEqual(endMs);
			for (const [index, { startMs }] of one.slice(1).entries())
				expect(startMs).toBeGreaterThan(one[index]?.endMs ?? Number.NaN);
		}),
		{ numRuns: caseCount(300) },
	);
});

test("a time before pi existed, of tomorrow, or that is none is not believed", () => {
	const times = [NOW, 0, -1, NOW + 3 * 86_400_000, Number.NaN, undefined];
	expect(times.map((time) => possibleTime(time, NOW))).toEqual([NOW, ...times.slice(1).map(() => undefined)]);
});
