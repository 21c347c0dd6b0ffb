import { expect, test } from "vitest";
import { aggregateStats } from "../../../../src/catalog/stats/aggregate-stats.ts";
import { emptyNumbers } from "../../../../src/catalog/stats/session-numbers.ts";
import { statsText } from "../../../../src/conversation/statistics/draw-table.ts";
import { inLong } from "../../../support/cases.ts";
import { makeRow } from "../../../support/rows.ts";

/** In the long run more than the arguments that a call can have. */
const PROJECTS = inLong(130_000, 40_000);

test("very many projects, and models with the names of properties, are summed up and shown", () => {
	const numbers = emptyNumbers();
	const spent = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 1 };
	for (const model of ["__proto__", "constructor"]) numbers.spending.push({ model, day: "2026-01-31", ...spent });
	const rows = Array.from({ length: PROJECTS }, (_, index) => makeRow(`s${index}`, { cwd: `/work/${index}` }));
	const sum = aggregateStats(rows, new Map([[rows[0]?.path ?? "", numbers]]), new Map());
	const text = statsText(sum, "/home/me", String, 80).map((line) => line.map((span) => span.text).join(""));
	expect(text.length).toBeGreaterThan(PROJECTS);
	expect(text.filter((line) => line.includes("__proto__"))).toHaveLength(1);
	expect(text.some((line) => line.includes(`/work/${PROJECTS - 1}`))).toBe(true);
});
