import { describe, expect, test } from "vitest";
import { rankRow } from "../../../../src/app/world/list/match-rows.ts";
import { parseQuery, type Query } from "../../../../src/catalog/query/parse-query.ts";
import { makeRow } from "../../../support/rows.ts";

function read(text: string): Query {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return parsed.query;
}

describe("what the list matches by itself", () => {
	test("is only the beginning of a long text; the search in the files covers the rest", () => {
		const row = makeRow("a", { name: `needle ${"x".repeat(20_000_000)} late` });
		expect(rankRow(row, read("needle"))).toBeDefined();
		expect(rankRow(row, read("late"))).toBeUndefined();
		// Only the whole text shows whether a pattern matches.
		expect(rankRow(row, read("re:^needle x+$"))).toBeUndefined();
		expect(rankRow(makeRow("b", { name: "needle xx" }), read("re:^needle x+$"))).toBeDefined();
	});

	test("a letter whose accent was cut off does not match without it", () => {
		const row = makeRow("a", { firstMessage: `${"x".repeat(999)}e\u0301 more` });
		expect(rankRow(row, read("xe"))).toBeUndefined();
		expect(rankRow(row, read("xx"))).toBeDefined();
	});

	test("patterns that would never end in a backtracking engine are answered", () => {
		const row = makeRow("a", { firstMessage: "a".repeat(900) });
		for (const pattern of ["re:(a+)+b", "re:\\w+@\\w+", "re:.*error.*retry", "re:\\s+$", "re:(x+x+)+y"])
			expect([pattern, rankRow(row, read(pattern))]).toEqual([pattern, undefined]);
	});

	test("the sessions of a project come before all others where its name is typed, alone or with a word", () => {
		const own = makeRow("a", { cwd: "/w/web-shop", name: "stripe" });
		const others = [
			makeRow("b", { cwd: "/w/api", name: "web-shop stripe" }),
			makeRow("c", { cwd: "/w/my web-shop", name: "stripe" }),
		];
		for (const text of ["web-shop", "Web-Shop stripe"])
			for (const other of others)
				expect(rankRow(own, read(text))).toBeLessThan(rankRow(other, read(text)) ?? Number.NaN);
		expect(rankRow(own, read("web"))).toBeGreaterThan(rankRow(others[0] ?? own, read("web")) ?? Number.NaN);
	});

	test("without words all sessions rank equally, so the newest is first", () => {
		const query = read("role:user");
		const ranks = [makeRow("a"), makeRow("b", { firstMessage: "x" })].map((row) => rankRow(row, query));
		expect(ranks).toEqual([0, 0]);
	});
});
