import fc from "fast-check";
import { expect, test } from "vitest";
import { type Found, foundRanks, NOWHERE, rankIn } from "../../../../src/app/world/list/arrange-rows.ts";
import type { ThreadedRow } from "../../../../src/app/world/list/thread.ts";
import { NO_MARKS } from "../../../../src/catalog/model/marks.ts";
import { parseQuery, type Query } from "../../../../src/catalog/query/parse-query.ts";
import type { SearchResult } from "../../../../src/catalog/search/search.ts";
import { NO_ENTRY } from "../../../../src/catalog/search/session-matches.ts";
import { VersionedMap } from "../../../../src/shared/versioned-map.ts";
import { caseCount, FIRST_SEED } from "../../../support/cases.ts";
import { makeRow, NOW } from "../../../support/rows.ts";

const FACTS: Found["facts"] = {
	live: new Set(),
	marks: NO_MARKS,
	counts: new Map(),
	fileNames: new Set(),
	runs: new Map(),
	familyCosts: new Map(),
	now: NOW,
};

const items = ["a", "b", "needle", "c", "d"].map(
	(name): ThreadedRow => ({ row: makeRow(name, { firstMessage: name }), level: undefined }),
);
const PATHS = items.map(({ row }) => row.path);

function read(text: string): Query {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return parsed.query;
}

const QUERIES = ["needle", "a"].map(read);

function resultOf(path: string, rank: number): SearchResult {
	return { path, rank, modified: 0, count: 1, more: false, best: NO_ENTRY };
}

test("ranks after any batches equal those computed from all results at once", () => {
	const batch = fc.record({
		found: fc.array(fc.tuple(fc.constantFrom(...PATHS, "/gone"), fc.nat(6)), { maxLength: 3 }),
		lost: fc.subarray([...PATHS], { maxLength: 2 }),
		query: fc.nat(1),
	});
	fc.assert(
		fc.property(fc.array(batch, { maxLength: 12 }), fc.boolean(), (batches, hidesOne) => {
			const isShown = hidesOne ? ({ id }: { readonly id: string }) => id !== "b" : undefined;
			let results: Found["results"] = VersionedMap.of(new Map<string, SearchResult>());
			for (const { found, lost, query } of batches) {
				const changed = found.map(([path, rank]) => [path, resultOf(path, rank)] as const);
				results = VersionedMap.of(results).with(changed, lost);
				const asked: Found = { query: QUERIES[query] as Query, results, began: 0, facts: FACTS, isShown };
				const anew = items.map(({ row }) => rankIn(asked, row) ?? NOWHERE);
				expect([...foundRanks(items, asked)]).toEqual(anew);
			}
		}),
		{ numRuns: caseCount(200), seed: FIRST_SEED },
	);
});

test("a batch only touches its own sessions, however many there are", () => {
	const many = Array.from({ length: 5000 }, (_, at): ThreadedRow => ({ row: makeRow(`s${at}`), level: undefined }));
	let asked = 0;
	const isShown = (): boolean => {
		asked += 1;
		return true;
	};
	const query = read("needle");
	const first = VersionedMap.of(new Map<string, SearchResult>());
	foundRanks(many, { query, results: first, began: 0, facts: FACTS, isShown });
	expect(asked).toBe(5000);
	const path = many[4999]?.row.path ?? "";
	const results = first.with([[path, resultOf(path, 2)]]);
	expect(foundRanks(many, { query, results, began: 0, facts: FACTS, isShown })[4999]).toBe(2);
	expect(asked).toBe(5001);
});
