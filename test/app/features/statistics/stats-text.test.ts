import { expect, test } from "vitest";
import { aggregateStats } from "../../../../src/catalog/stats/aggregate-stats.ts";
import { emptyNumbers } from "../../../../src/catalog/stats/session-numbers.ts";
import { statsText } from "../../../../src/conversation/statistics/draw-table.ts";
import { costlyTitles } from "../../../../src/conversation/statistics/stats-tables.ts";
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
	const text = statsText(sum, "/home/me", [], 80).map((line) => line.map((span) => span.text).join(""));
	expect(text.length).toBeGreaterThan(PROJECTS);
	expect(text.filter((line) => line.includes("__proto__"))).toHaveLength(1);
	expect(text.some((line) => line.includes(`/work/${PROJECTS - 1}`))).toBe(true);
});

test("titles that begin in the same way have the time, equal ones also their number, and a title with a slash is cut at its end, behind a word", () => {
	const numbers = emptyNumbers();
	numbers.spending.push({ model: "m", day: "2026-01-31", input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 1 });
	const mail = "Read the mails of today and/or yesterday, answer what is urgent, skip everything else";
	const rows = [mail, mail, `${mail}, too`, "Fix src/parser.ts and all that depends on it in the other packages"].map(
		(name, index) => makeRow(`s${index}`, { name, created: new Date(2026, 0, 5 + index, 9, 30) }),
	);
	const sum = aggregateStats(rows, new Map(rows.map(({ path }) => [path, numbers])), new Map());
	const titles = costlyTitles(sum, new Map(rows.map((row) => [row.path, row])));
	const text = statsText(sum, "/home/me", titles, 140).map((line) => line.map((each) => each.text).join(""));
	const names = text.slice(text.findIndex((line) => line.startsWith("Most expensive"))).slice(1, 5);
	expect(names.map((line) => line.slice(2, line.indexOf("…") + 1)).sort()).toEqual([
		"5 Jan 2026 9:30 · ×2 · Read the mails…",
		"6 Jan 2026 9:30 · ×2 · Read the mails…",
		"7 Jan 2026 9:30 · Read the mails of…",
		"Fix src/parser.ts and all that depends…",
	]);
});
