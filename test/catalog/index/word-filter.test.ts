import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVERY_WORD, mayHaveWord, WordCollector, type WordFilter } from "../../../src/catalog/index/word-filter.ts";
import { caseCount } from "../../support/cases.ts";

const filterOf = (words: readonly string[], before?: WordFilter): WordFilter => {
	const collector = new WordCollector(before);
	collector.add(words);
	return collector.finish();
};
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`);

describe("a filter of words", () => {
	test("has all words, however many were added at once", () => {
		fc.assert(
			fc.property(fc.array(fc.array(fc.string(), { maxLength: 300 }), { maxLength: 6 }), (portions) => {
				let filter: WordFilter | undefined;
				for (const portion of portions) filter = filterOf(portion, filter);
				for (const word of portions.flat()) expect(mayHaveWord(word)(filter ?? EVERY_WORD)).toBe(true);
			}),
			{ numRuns: caseCount(100) },
		);
	});

	test.each([1, 20, 100, 700, 2000, 20_000])("of %i words has few others, and needs little room", (count) => {
		const filter = filterOf(numbered(0, count));
		const others = numbered(1_000_000, 5000).filter((word) => mayHaveWord(word)(filter));
		expect(others.length / 5000).toBeLessThan(0.08);
		expect(filter.length).toBeLessThanOrEqual(Math.max(16, count * 1.5));
	});

	test("tells when it has no room for more", () => {
		const collector = new WordCollector(filterOf(numbered(0, 100)));
		expect(collector.hasOutgrown).toBe(false);
		collector.add(numbered(0, 100));
		expect(collector.hasOutgrown).toBe(false);
		collector.add(numbered(100, 200));
		expect(collector.hasOutgrown).toBe(true);
		expect(new WordCollector().hasOutgrown).toBe(false);
	});

	test("of no words has hardly any, and one of unknown words every one", () => {
		expect(mayHaveWord("retry")(filterOf([]))).toBe(false);
		const collector = new WordCollector(filterOf(["loop"]));
		collector.add(undefined);
		expect(mayHaveWord("retry")(collector.finish())).toBe(true);
		expect(mayHaveWord("retry")(filterOf(["loop"], collector.finish()))).toBe(true);
	});

	test("takes no more than 64 KB", () => {
		expect(filterOf(numbered(0, 200_000)).length).toBe(65_536);
	});
});
