import { expect, test } from "vitest";
import { roundCost, tokensOf } from "../../../src/catalog/stats/usage.ts";
import { usageWords } from "../../../src/conversation/entries/usage-words.ts";
import { sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { sumForms } from "../../../src/conversation/glance/sum-line.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { messageFacts } from "../../../src/store/format/message-facts.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { formatShortTokens, formatTokens } from "../../../src/ui/text/format.ts";
import { openFamilies } from "../../support/counting.ts";
import { header, lines, message, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** What programs write where they do not know a price, or count wrongly. */
const ABSURD = [-1, -0.000001, 1e9, 1e300];

function answer(id: string, parent: string, second: number, cost: unknown, tokens: unknown = 10): string {
	const usage = {
		input: tokens,
		output: tokens,
		cacheRead: 0,
		cacheWrite: 0,
		cost: { input: 0, output: 0, total: cost },
	};
	const content = [{ type: "text", text: "ok" }];
	return message(id, parent, second, { role: "assistant", content, model: "free", usage, stopReason: "stop" });
}

test.each(ABSURD)("a cost of %j is unknown: it is in no sum, and that is said", async (cost) => {
	const { root, cache, sessionRoots, write } = tempAgentDir();
	const counting = await openFamilies(root, cache, sessionRoots);
	const path = write("--p--/1.jsonl", lines(header(), user("a", null, 1, "hi"), answer("b", "a", 2, cost)));
	const paid = write(
		"--p--/2.jsonl",
		lines(header(), user("c", null, 3, "hi"), answer("d", "c", 4, 0.25), answer("e", "d", 5, cost)),
	);
	await counting.count(path, paid);
	expect(counting.counts(path)).toMatchObject({ cost: 0, tokens: 20, unpriced: 1 });
	expect(counting.counts(paid)).toMatchObject({ cost: 0.25, tokens: 40, unpriced: 1 });
	expect(counting.stats()).toMatchObject({ cost: 0.25, tokens: 60, unpriced: 2 });

	const words = async (file: string) =>
		sumForms(runToEnd(sumSteps(await readSession(file), "/home/ada")), { cost: undefined, age: "now" })[0]
			?.map(({ text }) => text)
			.join("");
	expect(await words(path)).toMatch(/ · unknown price/);
	expect(await words(paid)).toMatch(/ · ≥\$0\.25 /);
	expect(runToEnd(sumSteps(await readSession(paid), "/home/ada")).path).toMatchObject({ cost: 0.25, unpriced: 1 });
	expect(usageWords({ output: 1, cost: { total: cost } })).toEqual(["1 token", "unknown price"]);
	expect(
		messageFacts({ role: "assistant", stopReason: "stop", content: [], usage: { cost: { total: cost } } })?.cost,
	).toBe(0);
});

test.each([-5, 1e15, null, "7"])("%j tokens are none", async (tokens) => {
	const { write } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header(), user("a", null, 1, "hi"), answer("b", "a", 2, 0.5, tokens)));
	const { path: sum } = runToEnd(sumSteps(await readSession(path), "/home/ada"));
	expect([tokensOf(sum), sum.cost, sum.unpriced]).toEqual([0, 0.5, 0]);
});

test("one of anything is one", () => {
	expect([0, 1, 2, 1200].map(formatTokens)).toEqual(["0 tokens", "1 token", "2 tokens", "1.2k tokens"]);
	expect([1, 18_000].map(formatShortTokens)).toEqual(["1 token", "18k tokens"]);
	expect(roundCost(0.0025599999999999998)).toBe(0.00256);
});
