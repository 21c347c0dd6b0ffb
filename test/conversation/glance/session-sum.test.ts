import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SessionSum, sessionSum, sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { sumForms } from "../../../src/conversation/glance/sum-line.ts";
import { requestCost } from "../../../src/conversation/glance/usage.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { pathTo } from "../../../src/store/tree/session-table.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { CONTEXT_HEADER, contextLine, contextStep } from "../../support/random-context.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
const fixtures = join(import.meta.dirname, "../../../fixtures");
const HOME = "/home/ada";

/** A copy that does not change with its session. */
function kept(sum: SessionSum): unknown {
	return structuredClone({ ...sum, digest: sum.digest() });
}

/** The same session, read by somebody who knows nothing of the other reading. */
async function anew(path: string): Promise<Session> {
	return readSession(path);
}

/** What the path to the leaf has cost, added up by itself. */
function costOfPath({ tree }: Session): number {
	const path = pathTo(tree, tree.leafId ?? "");
	return path.reduce((cost, entry) => cost + (requestCost(entry)?.cost.total ?? 0), 0);
}

describe("the sum of a session", () => {
	test("is of the path to the leaf, and of all that is beside it", async () => {
		const session = await readSession(join(fixtures, "pi-1.5.2.jsonl"));
		const sum = runToEnd(sumSteps(session, HOME));
		expect([sum.path.turns, sum.rest.turns]).toEqual([3, 1]);
		expect(sum.path.cost).toBeCloseTo(costOfPath(session), 9);
		expect(sum.rest.cost).toBeGreaterThan(0);
		expect(sum.models).toContainEqual({ provider: "anthropic", modelId: "claude-sonnet-4-5" });
	});

	test("a fork makes one branch more; a label or a name at an end makes none", async () => {
		const path = join(folder, "branches.jsonl");
		const steps = [
			["user", 0, 1],
			["answer", 0, 100],
			["label", 0, 1],
			["user", 1, 1],
			["answer", 0, 50],
			["label", 0, 1],
			["model", 3, 1],
			["user", 0, 2],
		] as const;
		writeFileSync(path, CONTEXT_HEADER + steps.map(contextLine).join(""));
		const sum = sessionSum(await readSession(path), HOME);
		expect(sum?.branches).toBe(2);
		expect(sum?.rest.cost).toBeCloseTo(0.05, 9);
	});

	test("grown entry by entry it is what it is when counted at once", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(contextStep, { minLength: 1, maxLength: 30 }), fc.nat(), async (steps, cut) => {
				const path = join(folder, "grows.jsonl");
				const lines = steps.map(contextLine);
				const first = cut % lines.length;
				writeFileSync(path, CONTEXT_HEADER + lines.slice(0, first).join(""));
				let session = await readSession(path);
				runToEnd(sumSteps(session, HOME));
				for (const line of lines.slice(first)) {
					appendFileSync(path, line);
					session = (await extendSession(session)) ?? (await readSession(path));
					expect(kept(runToEnd(sumSteps(session, HOME)))).toEqual(kept(runToEnd(sumSteps(await anew(path), HOME))));
				}
			}),
			{ numRuns: caseCount(60), seed: FIRST_SEED },
		);
	});

	test("asked for while it is being counted, no entry counts twice", async () => {
		const path = join(folder, "meanwhile.jsonl");
		writeFileSync(
			path,
			CONTEXT_HEADER + Array.from({ length: 700 }, (_, index) => contextLine(["user", 0, 1], index)).join(""),
		);
		const session = await readSession(path);
		const steps = sumSteps(session, HOME);
		while (!steps.next().done) sessionSum(session, HOME);
		expect(sessionSum(session, HOME)?.path.turns).toBe(700);
	});

	test("of any file, however damaged, it can be counted and drawn in any width", async () => {
		const texts = readdirSync(fixtures)
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => readFileSync(join(fixtures, name), "utf8"));
		for (let seed = FIRST_SEED; seed < FIRST_SEED + caseCount(150); seed++) {
			const random = seededRandom(seed);
			const path = join(folder, "mutated.jsonl");
			writeFileSync(path, mutateSession(texts[Math.floor(random() * texts.length)] ?? "", random));
			const session = await readSession(path);
			const sum = runToEnd(sumSteps(session, HOME));
			expect(sum.branches).toBeLessThanOrEqual(Math.max(1, session.entries.length));
			const widths = sumForms(sum, { cost: undefined, age: "3d ago" }).map(lineWidth);
			expect(widths).toEqual(widths.toSorted((a, b) => b - a));
		}
	});

	test("a large session is not counted between two frames", async () => {
		const path = join(folder, "large.jsonl");
		const lines = Array.from({ length: 3000 }, (_, index) => contextLine(["user", 0, 1], index));
		writeFileSync(path, CONTEXT_HEADER + lines.join(""));
		const session = await readSession(path);
		expect(sessionSum(session, HOME)).toBeUndefined();
		runToEnd(sumSteps(session, HOME));
		expect(sessionSum(session, HOME)?.path.turns).toBe(3000);
	});
});

test("where the leaf goes to another branch, and back, the header follows it", async () => {
	const path = join(folder, "jumps.jsonl");
	const step = (kind: "user" | "result", back: number, index: number) => contextLine([kind, back, 2], index);
	writeFileSync(path, CONTEXT_HEADER + step("user", 0, 0) + step("result", 0, 1) + step("user", 0, 2));
	let session = await readSession(path);
	const counted = async (line: string) => {
		appendFileSync(path, line);
		session = (await extendSession(session)) ?? (await readSession(path));
		const sum = sessionSum(session, HOME);
		return [sum?.path, sum?.rest].map((part) => [part?.turns, part?.steps, part?.errors]);
	};
	expect(sessionSum(session, HOME)?.path).toMatchObject({ turns: 2, steps: 1, errors: 1 });
	// From the first prompt on, in another way; then from the end of the first way; then on there.
	expect(await counted(step("user", 2, 3))).toEqual([
		[2, 0, 0],
		[1, 1, 1],
	]);
	expect(await counted(step("user", 1, 4))).toEqual([
		[3, 1, 1],
		[1, 0, 0],
	]);
	expect(await counted(step("result", 0, 5))).toEqual([
		[3, 2, 2],
		[1, 0, 0],
	]);
});

test("in words: the turns of the active path, what all branches have cost, and how many were left", async () => {
	const session = await readSession(join(fixtures, "pi-1.5.2.jsonl"));
	const sum = sessionSum(session, HOME);
	if (sum === undefined) throw new Error("it is not counted");
	const words = (cost: number | undefined) =>
		sumForms(sum, { cost, age: "3d ago" }).map((form) => form.map(({ text }) => text).join(""));
	expect(words(undefined)).toEqual([
		"3 turns · $0.14 · 1 branch left · 3d ago",
		"3 turns · $0.14 · 1 branch left",
		"3 turns · $0.14",
		"3 turns",
	]);
	// With its runs, as the list says.
	expect(words(4.1)).toContain("3 turns · $4.10");
});
