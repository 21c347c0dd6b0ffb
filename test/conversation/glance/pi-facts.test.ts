import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelFacts, ratesFor } from "../../../src/conversation/glance/pi-facts.ts";
import { caseCount } from "../../support/cases.ts";

const name = { provider: "anthropic", modelId: "claude" };
const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const builtIn = {
	"anthropic-messages": {
		"classifier:claude": { id: "claude", type: "classifier", contextWindow: 1 },
		"chat:claude": {
			id: "claude",
			type: "chat",
			cost,
			contextWindow: 200_000,
			promptCache: { short: 300, long: 3600 },
		},
	},
};
const none = { builtIn: undefined, builtInMs: undefined, fetched: undefined, own: undefined };

describe("what pi's lists say of a model", () => {
	test("is in its package", () => {
		expect(modelFacts(name, { ...none, builtIn, builtInMs: 5 })).toEqual({
			contextWindow: 200_000,
			rates: cost,
			tiers: [],
			cacheMs: { short: 300_000, long: 3_600_000 },
		});
		expect(modelFacts({ ...name, modelId: "toString" }, { ...none, builtIn })).toBeUndefined();
	});

	test("is in what it has fetched since, if that is newer, or if the package does not have the model", () => {
		const fetched = { lastModified: 10, models: [{ id: "claude", contextWindow: 1_000_000 }] };
		expect(modelFacts(name, { ...none, builtIn, builtInMs: 5, fetched })?.contextWindow).toBe(1_000_000);
		expect(modelFacts(name, { ...none, builtIn, builtInMs: 15, fetched })?.contextWindow).toBe(200_000);
		expect(modelFacts(name, { ...none, builtIn: {}, builtInMs: 15, fetched })?.contextWindow).toBe(1_000_000);
	});

	test("is in the person's own list before all others, with pi's defaults", () => {
		const own = { models: [{ id: "claude", cost: { input: 1 } }] };
		expect(modelFacts(name, { ...none, builtIn, own })).toMatchObject({ contextWindow: 128_000, rates: { input: 1 } });
	});

	test("is changed by the person's overrides, field by field", () => {
		const own = {
			modelOverrides: { claude: { contextWindow: 50_000, cost: { input: 9 }, promptCache: { short: 60 } } },
		};
		expect(modelFacts(name, { ...none, builtIn, own })).toMatchObject({
			contextWindow: 50_000,
			rates: { ...cost, input: 9 },
			cacheMs: { short: 60_000, long: 3_600_000 },
		});
	});

	test("has a price for large requests", () => {
		const tiers = [{ inputTokensAbove: 200_000, ...cost, input: 6 }, null, { inputTokensAbove: "x" }];
		const facts = modelFacts(name, { ...none, own: { models: [{ id: "claude", cost: { ...cost, tiers } }] } });
		if (facts === undefined) throw new Error("It is in the list.");
		expect([ratesFor(facts, 200_000).input, ratesFor(facts, 200_001).input]).toEqual([3, 6]);
	});

	test("may be anything, and never throws", () => {
		const value = fc.oneof(fc.anything(), fc.record({ models: fc.anything(), modelOverrides: fc.anything() }));
		fc.assert(
			fc.property(value, value, value, fc.string(), (one, two, three, modelId) => {
				const lists = { builtIn: one, builtInMs: undefined, fetched: two, own: three };
				const facts = modelFacts({ provider: "p", modelId }, lists);
				for (const rate of Object.values(facts?.rates ?? {})) expect(rate).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: caseCount(300) },
		);
	});
});
