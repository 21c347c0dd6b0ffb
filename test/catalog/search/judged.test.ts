import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIRST_SEED, inLong, inShort } from "../../support/cases.ts";
import { type JudgedCollection, judge, writeJudgedCollection } from "../../support/judged/collection-on-disk.ts";
import { JUDGED } from "../../support/judged/queries.ts";

describe("what people meant", () => {
	let collection: JudgedCollection;
	beforeAll(async () => {
		collection = await writeJudgedCollection(Date.now());
	});
	afterAll(() => collection.remove());

	test("comes first: the session and the entry for 55 of 60 queries, the session among the first three for all", async () => {
		expect(JUDGED).toHaveLength(60);
		const verdicts = await judge(
			inShort(JUDGED, (_, index) => index % 12 === FIRST_SEED % 12),
			collection,
		);
		expect(verdicts.filter(({ isNear }) => !isNear)).toEqual([]);
		const wrong = verdicts.filter(({ isRight }) => !isRight).map(({ query, answer }) => `${query}: ${answer}`);
		// Most of those that are wrong may be in one twelfth.
		expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(inLong(5, 3));
	});
});
