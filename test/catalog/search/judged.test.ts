import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JudgedCollection, judge, writeJudgedCollection } from "../../support/judged/collection-on-disk.ts";
import { JUDGED } from "../../support/judged/queries.ts";

describe("what people meant", () => {
	let collection: JudgedCollection;
	beforeAll(async () => {
		collection = await writeJudgedCollection(Date.now());
	});
	afterAll(() => collection.remove());

	test("comes first: the session and the entry for 55 of 60 queries, the session among the first three for all", async () => {
		const verdicts = await judge(JUDGED, collection);
		expect(verdicts).toHaveLength(60);
		expect(verdicts.filter(({ isNear }) => !isNear)).toEqual([]);
		const wrong = verdicts.filter(({ isRight }) => !isRight).map(({ query, answer }) => `${query}: ${answer}`);
		expect(verdicts.length - wrong.length, wrong.join("\n")).toBeGreaterThanOrEqual(55);
	});
});
