import { expect, test } from "vitest";
import { statsText } from "../../../../src/app/features/statistics/draw-table.ts";
import { aggregateStats, largestOf } from "../../../../src/catalog/stats/aggregate-stats.ts";
import { emptyNumbers } from "../../../../src/catalog/stats/session-numbers.ts";
import { inLong } from "../../../support/cases.ts";
import { makeRow } from "../../../support/rows.ts";

/** More than the arguments that a call can have, as the projects are in the long run. */
const TYPES = inLong(150_000, 128_000);
const PROJECTS = inLong(130_000, 40_000);

test("a file with very many types of entries, projects and models is summed up and shown", () => {
	const numbers = emptyNumbers();
	for (let index = 0; index < TYPES; index++) numbers.bytes.set(`type-${index}`, index);
	const spent = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 1 };
	for (const model of ["__proto__", "constructor"]) {
		numbers.bytes.set(model, 1_000_000);
		numbers.spending.set(model, new Map([["2026-01-31", spent]]));
	}
	const rows = Array.from({ length: PROJECTS }, (_, index) => makeRow(`s${index}`, { cwd: `/work/${index}` }));
	const sums = aggregateStats(rows, new Map([[rows[0]?.path ?? "", numbers]]), new Map());
	const sum = { ...sums, largest: largestOf(rows) };
	const text = statsText(sum, "/home/me", 80).map((line) => line.map((span) => span.text).join(""));
	expect(text.length).toBeGreaterThan(TYPES + PROJECTS);
	expect(text.filter((line) => line.includes("__proto__"))).toHaveLength(2);
	expect(text.some((line) => line.includes(`type-${TYPES - 1}`))).toBe(true);
});
