import { expect, test } from "vitest";
import { foundRanks, type SearchMatches } from "../../../../src/app/world/list/arrange-rows.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import type { SearchResult } from "../../../../src/catalog/search/search.ts";
import { NO_ENTRY } from "../../../../src/catalog/search/session-matches.ts";
import { queryOf } from "../../../support/follow-search.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const FACTS: SearchMatches["facts"] = {
	live: new Set(),
	marks: NO_MARKS,
	counts: new Map(),
	fileNames: new Set(),
	runs: new Map(),
	familyCosts: new Map(),
	gone: new Set(),
	branches: new Map(),
	now: NOW,
};

function resultOf(path: string, rank: number): SearchResult {
	return { path, rank, modified: 0, count: 1, more: false, best: NO_ENTRY };
}

test("a batch of results compares the texts of no session again, however many there are", () => {
	let read = 0;
	const rows = new Map(
		Array.from({ length: 5000 }, (_, at): [string, SessionRow] => {
			const row = makeRow(`s${at}`);
			const counted = Object.defineProperty({ ...row }, "firstMessage", {
				get() {
					read += 1;
					return row.firstMessage;
				},
			});
			return [row.path, counted];
		}),
	);
	const path = makeRow("s4999").path;
	const found = { query: queryOf("needle"), results: new Map(), began: 0, facts: FACTS, isShown: undefined };
	expect(foundRanks(rows, found).size).toBe(0);
	expect(read).toBe(5000);
	const ranks = foundRanks(rows, { ...found, results: new Map([[path, resultOf(path, 2)]]) });
	expect([...ranks].map(([row, rank]) => [row.path, rank])).toEqual([[path, 2]]);
	expect(read).toBe(5000);
});
