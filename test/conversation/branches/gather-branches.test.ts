import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Branches } from "../../../src/conversation/branches/branch.ts";
import { partingOf } from "../../../src/conversation/branches/compare-ends.ts";
import { gatherBranches, growBranches } from "../../../src/conversation/branches/gather-branches.ts";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { addEntry, emptySum, type Sum } from "../../../src/conversation/entries/turn-sum.ts";
import { sessionSum, sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { BOOKKEEPING } from "../../../src/store/format/raw-entry.ts";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { pathTo } from "../../../src/store/tree/session-table.ts";
import { branchingSession } from "../../support/branching-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { randomSession } from "../../support/random-session.ts";
import { assistant, label, name, sessionOf, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const gather = (session: Session): Branches => runToEnd(gatherBranches(session, placeOf(session, "/home/me")));

async function read(text: string | Uint8Array): Promise<Session> {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, text);
	return readSession(path);
}

describe("a session with nested forks", () => {
	test("one branch an end, called by its first and last prompt since its fork, and what all have in common", async () => {
		const branches = gather(await read(branchingSession()));
		const short = (prompt = ""): string => prompt.replace(/^Try the (\w+) .*/, "$1");
		const told = branches.list.map(({ kind, name: first, lastPrompt, lastWords }) => {
			return `${kind}: ${short(first)} ${short(lastPrompt)} | ${lastWords}`;
		});
		expect(told).toEqual([
			"trunk: base  | The base approach works; go on.",
			"active: schema polish | The polish approach works; 12 tests pass.",
			"abandoned: docs deepest | The deepest approach needs a migration.",
			"abandoned: fixtures mocks | The mocks approach is slower.",
			"abandoned: queue  | The queue approach works; 12 tests pass.",
			"abandoned: retry jitter | The jitter approach works; it is slower.",
			"abandoned: types  | The types approach works; 2 tests fail.",
			"abandoned: cache deeper | The deeper approach works; it is slower.",
		]);
		expect([branches.forks, branches.ends]).toEqual([5, 7]);
	});

	test("numbers: what was spent in all, and on what was abandoned", async () => {
		const session = await read(branchingSession());
		const { list } = gather(session);
		const sum = sessionSum(session, "/home/me");
		expect(sum?.path.cost).toBeCloseTo(4 * 3 * 0.03);
		expect(sum?.rest.cost).toBeCloseTo(17 * 3 * 0.03);
		const costOf = (kind: string) =>
			list.reduce((cost, branch) => cost + (branch.kind === kind ? branch.sum.cost : 0), 0);
		expect(costOf("abandoned")).toBeCloseTo(17 * 3 * 0.03);
		const [, active, docs] = list;
		expect([active?.label, active?.sum.turns, active?.sum.files.has("src/polish.ts")]).toEqual(["candidate", 3, true]);
		expect([docs?.sum.turns, docs?.sum.steps]).toEqual([6, 12]);
	});

	test("where two paths part", async () => {
		const branches = gather(await read(branchingSession()));
		const pathOf = (asked: string) => {
			const branch = branches.list.find(({ words }) => words.includes(`the ${asked} approach`));
			return pathTo(branches.session.tree, branch?.id ?? "");
		};
		const part = (one: string, other: string) => {
			const { ancestor, rests } = partingOf(pathOf(one), pathOf(other));
			const [, asked] = /the (\w+) approach/.exec(JSON.stringify(ancestor)) ?? [];
			return [asked, ...rests.map(({ length }) => length)];
		};
		expect(part("polish", "cache")).toEqual(["base", 20, 24]);
		expect(part("mocks", "queue")).toEqual(["auth", 18, 6]);
		expect(part("mocks", "deepest")).toEqual(["router", 12, 18]);
		expect(part("queue", "polish")).toEqual(["schema", 18, 14]);
	});
});

describe("any session", () => {
	const facts = ({ turns, steps, errors, input, output, files }: Sum) => [turns, steps, errors, input, output, files];

	const ordered = (branches: Branches) => ({ ...branches, indexes: new Map([...branches.indexes].sort()) });

	/** What must be true of the branches of any session. */
	function check(session: Session): void {
		const { tree } = session;
		const { list, indexes, ends } = gather(session);
		const active = new Set(tree.leafId === null ? [] : pathTo(tree, tree.leafId).map(({ id }) => id));
		const isTold = (id: string, type: string): boolean => active.has(id) || !BOOKKEEPING.has(type);
		const told = new Set<string>();
		for (const { id, type } of tree.byId.values()) {
			if (isTold(id, type)) for (const entry of pathTo(tree, id)) told.add(entry.id);
		}
		const hasMore = (id: string): boolean => tree.children.get(id)?.some((child) => told.has(child.id)) ?? false;
		const expected = [...told].filter((id) => !hasMore(id) || id === tree.leafId);
		const branches = list.filter(({ kind }) => kind !== "trunk");
		expect(branches.map(({ id }) => id).sort()).toEqual(expected.sort());
		expect(ends).toBe(expected.length);
		expect(list.flatMap(({ path }) => path.map(({ id }) => id)).sort()).toEqual([...told].sort());
		expect(list.reduce((sum, { entries }) => sum + entries, 0)).toBe(tree.byId.size);
		const all = emptySum();
		const sums = emptySum();
		for (const entry of tree.byId.values()) addEntry(all, entry, session, placeOf(session, "/home/me"));
		for (const { sum } of list) {
			for (const key of ["turns", "steps", "errors", "input", "output", "cost"] as const) sums[key] += sum[key];
		}
		expect(facts({ ...sums, files: all.files })).toEqual(facts(all));
		expect(sums.cost).toBeCloseTo(all.cost);
		// What the title of the session says is what the overview shows.
		const glance = runToEnd(sumSteps(session, "/home/me"));
		expect(glance.branches).toBe(expected.length);
		for (const [part, kinds] of [
			["path", ["active", "trunk"]],
			["rest", ["abandoned"]],
		] as const) {
			const inView = list.filter(({ kind }) => kinds.some((one) => one === kind)).map(({ sum }) => sum);
			const total = (key: "turns" | "steps" | "errors" | "cost") => inView.reduce((sum, one) => sum + one[key], 0);
			for (const key of ["turns", "steps", "errors"] as const) expect(total(key)).toBe(glance[part][key]);
			expect(total("cost")).toBeCloseTo(glance[part].cost);
			expect(new Set(inView.flatMap(({ files }) => [...files.keys()]))).toEqual(new Set(glance[part].files.keys()));
		}
		for (const [index, branch] of list.entries()) {
			expect(indexes.get(branch.id)).toBe(index);
			expect(branch.parent ?? -1).toBeLessThan(index);
			const own = branch.path.length;
			const path = pathTo(tree, branch.id);
			expect(branch.path).toEqual(path.slice(-own));
			const parent = branch.parent === undefined ? undefined : list[branch.parent];
			expect(parent?.path[branch.forkAt]?.id).toBe(path.at(-own - 1)?.id);
		}
	}

	test("has each end once and each entry on one branch, and its branches sum up to all of it", async () => {
		const runs = { numRuns: caseCount(150), seed: FIRST_SEED };
		const plans = fc.array(randomEntry, { minLength: 1, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => check(await read(`${randomHeader}\n${plan.map(randomLine).join("")}`))),
			runs,
		);
	});

	test("also where its file is damaged", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, async (bytes) => check(await read(bytes))),
			{ numRuns: caseCount(150), seed: FIRST_SEED },
		);
	});

	test("grows as it would be gathered anew", async () => {
		let grown = 0;
		const plans = fc.array(randomEntry, { minLength: 2, maxLength: 20 });
		await fc.assert(
			fc.asyncProperty(plans, fc.nat(), async (plan, cut) => {
				const all = plan.map(randomLine);
				const before = 1 + (cut % (all.length - 1));
				let session = await read(`${randomHeader}\n${all.slice(0, before).join("")}`);
				let branches = gather(session);
				for (const line of all.slice(before)) {
					appendFileSync(session.path, line);
					const next = await extendSession(session);
					if (next === undefined) return;
					session = next;
					const anew = gather(session);
					const extended = growBranches(branches, session, placeOf(session, "/home/me"));
					if (extended !== undefined) {
						grown += 1;
						expect(ordered(extended)).toEqual(ordered(anew));
					}
					branches = anew;
				}
			}),
			{ numRuns: caseCount(100), seed: FIRST_SEED },
		);
		expect(grown).toBeGreaterThan(caseCount(100));
	});
});

test("a label that was set after going back is no branch, and a branch that only continues an answer is told so", async () => {
	const session = await sessionOf(
		user("a", null, 1, "Make the parser faster."),
		assistant("b", "a", 2, "How?"),
		label("c", "a", 3, "b", "asked"),
		assistant("d", "a", 4, "I measured it: the loop is slow."),
		name("e", "d", 5, "Parser"),
	);
	const branches = gather(session);
	expect(branches.list.map(({ id, kind, name: asked, label: set }) => [id, kind, asked, set])).toEqual([
		["a", "trunk", "Make the parser faster.", undefined],
		["e", "active", "again: Make the parser faster.", undefined],
		["b", "abandoned", "again: Make the parser faster.", "asked"],
	]);
});

test("a session that goes on from where others went on has its end there", async () => {
	const session = await sessionOf(
		user("a", null, 1, "first"),
		assistant("b", "a", 2, "answer"),
		user("c", "b", 3, "second"),
		user("d", "b", 4, "third"),
	);
	const { tree } = session;
	const branches = gather({ ...session, tree: { ...tree, leafId: "b" } });
	expect(branches.list.map(({ id, kind }) => [id, kind])).toEqual([
		["b", "active"],
		["c", "abandoned"],
		["d", "abandoned"],
	]);
});
