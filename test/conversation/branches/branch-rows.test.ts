import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Branch, Branches } from "../../../src/conversation/branches/branch.ts";
import {
	BRANCH_SORTS,
	type BranchSort,
	filterTree,
	orderBranches,
} from "../../../src/conversation/branches/branch-order.ts";
import { type BranchRow, branchRows } from "../../../src/conversation/branches/branch-rows.ts";
import { gatherBranches } from "../../../src/conversation/branches/gather-branches.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { branchingSession } from "../../support/branching-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { tempDir } from "../../support/temp-dir.ts";

async function branchesOf(text: string): Promise<Branches> {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, text);
	return runToEnd(gatherBranches(await readSession(path), { cwd: "/home/me/project", home: "/home/me" }));
}

function asked(
	{ name, lastPrompt = "" }: Pick<Branch, "name" | "lastPrompt"> = { name: "", lastPrompt: undefined },
): string {
	return [name, lastPrompt]
		.map((prompt) => prompt.replace(/^Try the (\w+) .*/, "$1"))
		.filter(Boolean)
		.join(" ");
}

function drawn(branches: Branches, rows: readonly BranchRow[]): string[] {
	return rows.map((row) =>
		row.kind === "fork" ? row.graph : `${row.graph.padEnd(3)} ${asked(branches.list[row.branch])}`,
	);
}

describe("a session with nested forks", () => {
	test("by time: the newest first, each below what it left", async () => {
		const branches = await branchesOf(branchingSession());
		expect(drawn(branches, branchRows(orderBranches(branches, "time")))).toEqual([
			"◉   schema polish",
			"├╮",
			"│○  docs deepest",
			"│├○ fixtures mocks",
			"│╰○ queue",
			"├╮",
			"│○  retry jitter",
			"│╰○ types",
			"├○  cache deeper",
			"●   base",
		]);
	});

	test("filtered: what left one that is not shown stands in its place", async () => {
		const branches = await branchesOf(branchingSession());
		const only = (...words: readonly string[]): string[] => {
			const isShown = (index: number): boolean => words.some((word) => branches.list[index]?.words.includes(word));
			return drawn(branches, branchRows(filterTree(orderBranches(branches, "time"), isShown)));
		};
		expect(only("queue", "types")).toEqual(["╭╮", "│○  queue", "╰╮", " ○  types"]);
		expect(only("mocks")).toEqual(["╶╮", " ○  fixtures mocks"]);
		expect(only("jitter", "cache", "base")).toEqual(["╭╮", "│○  retry jitter", "├○  cache deeper", "●   base"]);
		expect(only("nothing")).toEqual([]);
	});

	test.each<[BranchSort, readonly string[]]>([
		["size", ["docs", "fixtures", "queue", "cache", "retry", "types"]],
		["cost", ["docs", "fixtures", "queue", "cache", "retry", "types"]],
		["place", ["docs", "fixtures", "queue", "retry", "types", "cache"]],
	])("by %s", async (sort, expected) => {
		const branches = await branchesOf(branchingSession());
		const rows = drawn(branches, branchRows(orderBranches(branches, sort)));
		expect(rows.flatMap((row) => /[○] *([a-z]+)/.exec(row)?.[1] ?? [])).toEqual(expected);
	});
});

test("several roots fork from nothing, below everything else", async () => {
	const lines = ["user", "user", "user"].map((kind, index) => randomLine([kind as "user", index === 0 ? 0 : 9], index));
	const branches = await branchesOf(`${randomHeader}\n${lines.join("")}`);
	expect(branchRows(orderBranches(branches, "time")).map(({ graph }) => graph)).toEqual(["◉", "├╮", "│○", "╰○"]);
});

/** Which neighbors a sign is joined to. */
const ARMS: Readonly<Record<string, string>> = {
	"│": "ud",
	"├": "udr",
	"╰": "ur",
	"╭": "dr",
	"╶": "r",
	"╮": "ld",
	"◉": "",
	"●": "",
	"○": "",
	" ": "",
};
const isNode = (sign: string): boolean => "◉●○".includes(sign);

/** Where a line of the graph leads to nothing, or a node stands alone. */
function breaks(rows: readonly BranchRow[]): string[] {
	const at = (row: number, column: number): string => rows[row]?.graph[column] ?? " ";
	const has = (row: number, column: number, arm: string): boolean => ARMS[at(row, column)]?.includes(arm) ?? false;
	const found: string[] = [];
	for (const [row, { graph }] of rows.entries()) {
		for (const [column, sign] of [...graph].entries()) {
			const sides = [
				["u", row - 1, column, "d"],
				["d", row + 1, column, "u"],
				["l", row, column - 1, "r"],
				["r", row, column + 1, "l"],
			] as const;
			for (const [arm, otherRow, otherColumn, back] of sides) {
				if (!has(row, column, arm)) continue;
				const isMet = has(otherRow, otherColumn, back) || isNode(at(otherRow, otherColumn));
				if (!isMet) found.push(`${sign} in ${row}:${column}`);
			}
			if (sign === "○" && !has(row - 1, column, "d") && !has(row, column - 1, "r")) found.push(`○ in ${row}:${column}`);
		}
	}
	return found;
}

test("the graph is never broken, in any order and with any filter, and shows each branch once", async () => {
	const plans = fc.array(randomEntry, { minLength: 1, maxLength: 40 });
	const shown = fc.func(fc.boolean());
	await fc.assert(
		fc.asyncProperty(plans, fc.constantFrom(...BRANCH_SORTS), shown, async (plan, sort, isShown) => {
			const branches = await branchesOf(`${randomHeader}\n${plan.map(randomLine).join("")}`);
			const tree = orderBranches(branches, sort);
			for (const one of [tree, filterTree(tree, isShown)]) {
				const rows = branchRows(one);
				expect(breaks(rows)).toEqual([]);
				const indexes = rows.flatMap((row) => (row.kind === "branch" ? [row.branch] : []));
				const expected = [...branches.list.keys()].filter((index) => one === tree || isShown(index));
				expect(indexes.toSorted((a, b) => a - b)).toEqual(expected);
			}
		}),
		{ numRuns: caseCount(200), seed: FIRST_SEED },
	);
});
