import { describe, expect, test } from "vitest";
import type { ContextUse } from "../../../src/conversation/glance/context-use.ts";
import { type Gauge, type GaugeFacts, gaugeOf } from "../../../src/conversation/glance/gauge.ts";
import { compactionSettings, type ModelFacts } from "../../../src/conversation/glance/pi-facts.ts";
import { gaugeForms, reasonParts } from "../../../src/conversation/glance/resume-view.ts";
import { paidRates } from "../../../src/conversation/glance/usage.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { assistant, sessionOf, user } from "../../support/session-builder.ts";

const NOW = new Date(2026, 0, 1, 14, 30).getTime();
const MINUTE = 60_000;
const model = { provider: "anthropic", modelId: "claude" };

const facts: ModelFacts = {
	contextWindow: 200_000,
	rates: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
	tiers: [],
	cacheMs: { short: 5 * MINUTE, long: 60 * MINUTE },
};
const given: GaugeFacts = { model, facts, paid: {}, compaction: { enabled: true, reserveTokens: 16_384 } };

/** A context of which the last request had sent 100,000 tokens, so many minutes ago; 1,000 were answered. */
function used(minutesAgo: number, more: Partial<ContextUse> = {}, long = 0): ContextUse {
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const usage = {
		input: 0,
		output: 1000,
		cacheRead: 90_000,
		cacheWrite: 10_000,
		cacheWrite1h: long,
		total: 101_000,
		cost,
	};
	return { tokens: 104_000, guessed: 3000, last: { usage, model, atMs: NOW - minutesAgo * MINUTE }, ...more };
}

function words(gauge: Gauge, width = 200): string | undefined {
	return gaugeForms(gauge)
		.find((form) => lineWidth(form) <= width)
		?.map(({ text }) => text)
		.join("");
}

describe("the cache", () => {
	test("is probably warm for five minutes: what was sent before is read from it, the rest is written", () => {
		const gauge = gaugeOf(used(2), given, NOW);
		expect(gauge.cache).toEqual({ kind: "warm", untilMs: NOW + 3 * MINUTE });
		expect(gauge.cost).toBeCloseTo((100_000 * 0.5 + 4000 * 6.25) / 1e6, 9);
	});

	test("is cold after that: all is written again", () => {
		const gauge = gaugeOf(used(6), given, NOW);
		expect(gauge.cache.kind).toBe("cold");
		expect(gauge.cost).toBeCloseTo((104_000 * 6.25) / 1e6, 9);
	});

	test("lasts an hour where that was paid for, which costs twice the price of input", () => {
		expect(gaugeOf(used(50, {}, 10_000), given, NOW).cache).toEqual({ kind: "warm", untilMs: NOW + 10 * MINUTE });
		expect(gaugeOf(used(61, {}, 10_000), given, NOW).cost).toBeCloseTo((104_000 * 10) / 1e6, 9);
	});

	test("lasts as long as pi's list says", () => {
		const longer = { ...given, facts: { ...facts, cacheMs: { short: 10 * MINUTE, long: undefined } } };
		expect(gaugeOf(used(6), longer, NOW).cache.kind).toBe("warm");
	});

	test("is cold for another model, and for an edited or compacted context, which no request has had", () => {
		expect(gaugeOf(used(1), { ...given, model: { ...model, modelId: "other" } }, NOW).cache.kind).toBe("cold");
		expect(gaugeOf(used(1, { last: undefined }), given, NOW).cache.kind).toBe("unknown");
	});

	test("is not spoken of where the provider has never used one: then input is what counts", () => {
		const use = used(1);
		const usage = { ...use.last?.usage, cacheRead: 0, cacheWrite: 0 };
		const gauge = gaugeOf({ ...use, last: { ...use.last, usage } } as ContextUse, given, NOW);
		expect([gauge.cache.kind, gauge.cost]).toEqual(["unknown", (104_000 * 5) / 1e6]);
	});
});

describe("the price", () => {
	test("is that of the tier which the context reaches", () => {
		const tiers = [
			{ aboveTokens: 100_000, rates: { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 } },
			{ aboveTokens: 50_000, rates: { input: 7, output: 50, cacheRead: 1, cacheWrite: 7 } },
		];
		expect(gaugeOf(used(9), { ...given, facts: { ...facts, tiers } }, NOW).cost).toBeCloseTo(1.3, 9);
	});

	test("is what the last answers of the model have paid, where pi's files have none", async () => {
		const { entries } = await sessionOf(user("one", null, 1, "hi"), assistant("two", "one", 2, "hello"));
		const paid = paidRates([...entries].reverse(), { provider: "anthropic", modelId: "claude-sonnet-4-5" });
		expect(paid).toEqual({ input: 1000, output: 1000 });
		expect(paidRates(entries, { provider: "anthropic", modelId: "other" })).toEqual({});
		const gauge = gaugeOf(used(9), { ...given, facts: undefined, paid: { input: 2, cacheWrite: 3 } }, NOW);
		expect(gauge.cost).toBeCloseTo((104_000 * 3) / 1e6, 9);
		expect(gauge.window).toBeUndefined();
	});

	test("is missing where none is known, or all of a list are 0", () => {
		expect(gaugeOf(used(9), { ...given, facts: undefined }, NOW).cost).toBeUndefined();
		const free = { ...facts, rates: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
		expect(gaugeOf(used(9), { ...given, facts: free }, NOW).cost).toBeUndefined();
	});

	test("of a compaction is that of input for all of it, from no cache", () => {
		const full = used(1, { tokens: 190_000 });
		expect(gaugeOf(full, given, NOW)).toMatchObject({ untilCompaction: 0, cost: (190_000 * 5) / 1e6 });
		const off = { ...given, compaction: { enabled: false, reserveTokens: 16_384 } };
		expect(gaugeOf(full, off, NOW).untilCompaction).toBeUndefined();
	});
});

describe("in words", () => {
	test.each([
		[used(2), "context 104k/200k · provider's cache probably until 14:33 · next turn at least $0.08"],
		[used(6), "context 104k/200k · provider's cache expired · next turn at least $0.65"],
		[
			used(6, { tokens: 170_000 }),
			"context 170k/200k · compacts in 13k · provider's cache expired · next turn at least $1.06",
		],
		[
			used(6, { tokens: 184_000 }),
			"context 184k/200k · compacts at next turn · provider's cache expired · next turn at least $0.92",
		],
	])("%#", (use, text) => expect(words(gaugeOf(use, given, NOW))).toBe(text));

	test("the fuller the context, the more it matters: it stays when all else is left out", () => {
		const gauge = gaugeOf(used(6, { tokens: 184_000 }), given, NOW);
		expect([96, 60, 45, 25, 10].map((width) => words(gauge, width))).toEqual([
			"context 184k/200k · compacts at next turn · provider's cache expired · next turn at least $0.92",
			"context 184k/200k · compacts at next turn",
			"context 184k/200k · compacts at next turn",
			"context 184k/200k",
			undefined,
		]);
	});

	test("where nothing is known there are only tokens", () => {
		const gauge = gaugeOf(used(1, { last: undefined }), { ...given, facts: undefined }, NOW);
		expect(words(gauge)).toBe("context 104k tokens");
	});

	test("what fails comes first, then what else speaks against it", () => {
		const reasons = [
			{ severity: "fails", reason: "Why.", short: "✗ fails" } as const,
			{ severity: "note", reason: "And this.", short: "and this" } as const,
		];
		expect(reasonParts(reasons).map(({ text }) => text)).toEqual(["✗ fails", "and this"]);
	});
});

test("pi's settings: what is set for the model before what is set for all, the project's before the person's", () => {
	const project = { compaction: { reserveTokens: 100 } };
	const person = {
		compaction: { enabled: false, reserveTokens: 200, modelOverrides: { "anthropic/claude": { reserveTokens: 300 } } },
	};
	expect(compactionSettings([project, person], model)).toEqual({ enabled: false, reserveTokens: 300 });
	expect(compactionSettings([project, person], undefined)).toEqual({ enabled: false, reserveTokens: 100 });
	expect(compactionSettings([null, { compaction: { enabled: 1, reserveTokens: "x" } }], model)).toEqual({
		enabled: true,
		reserveTokens: 16_384,
	});
});
