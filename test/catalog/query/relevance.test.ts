import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALIAS_RANK, KIND_STEP, KINDS, type Kind, rankOf } from "../../../src/catalog/query/kinds.ts";
import { agedBy, relevanceOf } from "../../../src/catalog/query/relevance.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20);
const [term] = queryOf("needle").terms;

/** The sort key of a session in which each word is in such a text. */
function keyOf(kinds: readonly (readonly [Kind, word: boolean])[], daysAgo: number, isTogether = true): number {
	const ranks = kinds.map(([kind, word]) => (term === undefined ? 0 : rankOf(kind, term, word)));
	return relevanceOf({ ranks, isTogether }) + agedBy(NOW - daysAgo * DAY, NOW);
}

describe("the order of sessions", () => {
	test.each<[better: Kind, worse: Kind]>([
		["user", "name"],
		["title", "label"],
		["summary", "assistant"],
		["custom", "thinking"],
		["command", "path"],
		["path", "output"],
		["output", "arguments"],
	])("%s before %s, however old, a part of a word or not", (better, worse) => {
		expect(keyOf([[better, true]], 9000)).toBeLessThan(keyOf([[better, false]], 0));
		expect(keyOf([[better, false]], 9000)).toBeLessThan(keyOf([[worse, true]], 0));
	});

	test("of two words, the weaker text decides, then the other, of any two sessions within a year", () => {
		expect(
			keyOf(
				[
					["assistant", true],
					["assistant", true],
				],
				300,
			),
		).toBeLessThan(
			keyOf(
				[
					["user", true],
					["output", true],
				],
				0,
			),
		);
		expect(
			keyOf(
				[
					["user", true],
					["output", true],
				],
				365,
			),
		).toBeLessThan(
			keyOf(
				[
					["assistant", true],
					["output", true],
				],
				0,
			),
		);
	});

	test("of sessions that are nearly equal, the newer one is first", () => {
		expect(keyOf([["user", true]], 3)).toBeLessThan(keyOf([["user", true]], 30));
		// The title is hardly better than another prompt.
		expect(keyOf([["title", true]], 3)).toBeLessThan(keyOf([["user", true]], 3));
		expect(keyOf([["user", true]], 3)).toBeLessThan(keyOf([["title", true]], 300));
		expect(
			keyOf(
				[
					["user", true],
					["user", true],
				],
				30,
			),
		).toBeLessThan(
			keyOf(
				[
					["user", true],
					["user", true],
				],
				3,
				false,
			),
		);
	});

	test("nothing but the kind and whole words crosses a step, and keys are multiples of a power of two", () => {
		const ranks = fc.array(fc.integer({ min: 0, max: ALIAS_RANK }), { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(ranks, fc.boolean(), fc.boolean(), fc.nat(20_000), (ranks, isTogether, isAbandoned, days) => {
				const key = relevanceOf({ ranks, isTogether, isAbandoned }) + agedBy(NOW - days * DAY, NOW);
				expect(Math.floor(key)).toBe(Math.max(...ranks));
				expect((key * 4096) % 1).toBe(0);
			}),
			{ numRuns: caseCount(300), seed: FIRST_SEED },
		);
		for (const { rank } of Object.values(KINDS)) expect(rank * KIND_STEP).toBeLessThan(ALIAS_RANK);
	});
});
