import { appendFileSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scanFile } from "../src/catalog/scan/scan-file.ts";
import { tokensOf } from "../src/catalog/stats/usage.ts";
import { describeSessions } from "../src/cli/find/session-json.ts";
import { gatherBranches } from "../src/conversation/branches/gather-branches.ts";
import { placeOf } from "../src/conversation/entries/place.ts";
import { emptySum, type Sum } from "../src/conversation/entries/turn-sum.ts";
import { sumSteps } from "../src/conversation/glance/session-sum.ts";
import { runToEnd } from "../src/shared/steps.ts";
import { readSession } from "../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "./support/cases.ts";
import { openCounting } from "./support/counting.ts";
import { fixtureDir } from "./support/fixture.ts";
import { CONTEXT_HEADER, contextLine, contextStep } from "./support/random-context.ts";
import { tempAgentDir } from "./support/temp-dir.ts";

const HOME = "/home/ada";
const SUMMED = ["turns", "steps", "errors", "input", "output", "cacheRead", "cacheWrite", "cost"] as const;

/** The numbers of sums, added up. */
function together(sums: readonly Readonly<Sum>[]): Record<(typeof SUMMED)[number], number> {
	const sum = emptySum();
	for (const one of sums) for (const name of SUMMED) sum[name] += one[name];
	return sum;
}

/** What is compared, dollars to the ninth decimal. */
function rounded(numbers: Readonly<Record<(typeof SUMMED)[number], number>>): number[] {
	return SUMMED.map((name) => Math.round(numbers[name] * 1e9) / 1e9);
}

/** Checks that the header, the branches, the row of the list and its JSON say the same of a session, as the glossary has it. */
async function checkAgreement(path: string, counting: Awaited<ReturnType<typeof openCounting>>): Promise<void> {
	const session = await readSession(path);
	const header = runToEnd(sumSteps(session, HOME));
	const { list } = runToEnd(gatherBranches(session, placeOf(session, HOME)));
	const inView = (isActive: boolean) =>
		together(list.filter(({ kind }) => (kind !== "abandoned") === isActive).map(({ sum }) => sum));
	expect(rounded(inView(true))).toEqual(rounded(header.path));
	expect(inView(false)).toMatchObject({
		turns: header.rest.turns,
		errors: header.rest.errors,
		steps: header.rest.steps,
	});

	counting.list(path);
	await counting.count();
	const { numbers, others } = counting.numbers(path);
	const { counts } = numbers;
	const { row } = scanFile(path);
	const describe = await describeSessions([], { words: [] }, new Map([[path, counts]]));
	const json = describe({ ...row, path });
	expect(json).toMatchObject({ turns: header.path.turns, errors: header.path.errors, branches: header.branches });
	expect(json.onBranches).toMatchObject({ turns: header.rest.turns, errors: header.rest.errors });
	expect([counts.turns, counts.errors]).toEqual([json.turns, json.errors]);
	if (counts.runs !== undefined) return;
	// Without runs, all that was spent is the session's own.
	expect(json.cost).toBeCloseTo(header.path.cost + header.rest.cost, 6);
	expect(json.tokens).toBe(tokensOf(header.path) + tokensOf(header.rest));
	expect(json.onBranches).toMatchObject({ tokens: tokensOf(header.rest) });
	expect(counts.onBranches?.cost ?? 0).toBeCloseTo(header.rest.cost, 6);
	// What another session counts is not worked twice.
	if (others.length === 0) expect(counts.workedMs ?? 0, path).toBe(header.path.workedMs + header.rest.workedMs);
}

test("the header, the branches, the list and its JSON agree on every fixture", async () => {
	const { root, cache } = tempAgentDir();
	const counting = await openCounting(root, cache);
	cpSync(fixtureDir, join(root, "--fixtures--"), { recursive: true });
	const all = readdirSync(root, { recursive: true, encoding: "utf8" });
	const paths = all
		.filter((name) => name.endsWith(".jsonl") && !name.includes("artifacts"))
		.map((name) => join(root, name));
	expect(paths.length).toBeGreaterThan(50);
	for (const path of paths) {
		// A line that is still being written is shown, and counted when it has ended.
		appendFileSync(path, "\n");
		await checkAgreement(path, counting);
	}
});

test("they agree on random sessions with branches", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	let index = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(contextStep, { minLength: 1, maxLength: 40 }), async (steps) => {
			const path = write(`--p--/${index++}.jsonl`, Buffer.from(CONTEXT_HEADER + steps.map(contextLine).join("")));
			await checkAgreement(path, counting);
		}),
		{ numRuns: caseCount(40), seed: FIRST_SEED },
	);
});
