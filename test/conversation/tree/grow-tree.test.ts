import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { growDrawing, type TreeDrawing } from "../../../src/conversation/tree/draw-tree.ts";
import { TREE_FILTERS } from "../../../src/conversation/tree/shown-entries.ts";
import type { StepRuns } from "../../../src/conversation/tree/tree-rows.ts";
import { extendSession, readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { drawn, inputOf, linesOf, rowsOf } from "../../support/draw-tree.ts";
import { type RandomEntry, randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();

/** Under "no-tools" the call is shown only while it is where the leaf is, and it is not the last row. */
const HIDDEN_LEAF_ABOVE_A_BRANCH: [RandomEntry[], RandomEntry[]] = [
	[
		["call", 0],
		["user", 0],
		["user", 0],
	],
	[
		["custom", 2],
		["result", 0],
	],
];

/** All that is drawn, and what the columns of the rows say. */
function shown(drawing: TreeDrawing) {
	const { tree, entries } = drawing;
	const { length, selectable, foldedBranches, foldedEntries, lastActive } = tree.rows;
	const ranks = rowsOf(tree).map((_row, number) => tree.rows.rankAt(number));
	const numbers = { length, selectable, foldedBranches, foldedEntries, lastActive, entries };
	return { rows: rowsOf(tree), lines: linesOf(drawing), ranks, ...numbers };
}

/** The id of the entry at a place of the file. */
function idOf(place: number): string {
	return place.toString(16).padStart(8, "0");
}

/** One run of a step, which may be its call, or many. */
function runsOf(step: number): StepRuns {
	const keys = Array.from({ length: step % 3 === 0 ? 10 : 1 }, (_, index) => `\0run ${step} ${index}`);
	return { keys, isOne: step % 3 === 1, failed: step % 2 };
}

let files = 0;
let grew = 0;

test.each(TREE_FILTERS)("a tree that has grown is the one that would be drawn anew: %s", async (filter) => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(randomEntry, { minLength: 1, maxLength: 8 }),
			fc.array(randomEntry, { maxLength: 8 }),
			fc.array(fc.nat(15), { maxLength: 3 }),
			async (before, after, steps) => {
				const path = join(folder, `${files++}.jsonl`);
				const all = [...before, ...after].map(randomLine);
				writeFileSync(path, `${randomHeader}\n${all.slice(0, before.length).join("")}`);
				let session = await readSession(path);
				const runs = new Map(steps.map((step) => [idOf(step), runsOf(step)]));
				let drawing = drawn(session, { filter, runs });
				for (const line of all.slice(before.length)) {
					appendFileSync(path, line);
					const longer = await extendSession(session);
					expect(longer).toBeDefined();
					session = longer ?? session;
					const { opened, folded } = drawing.input;
					const grown = growDrawing(drawing, inputOf(session, { filter, opened, folded, runs }));
					const anew = drawn(session, { filter, opened, folded, runs });
					if (grown !== undefined) {
						grew += 1;
						expect(shown(grown)).toEqual(shown(anew));
					}
					drawing = grown ?? anew;
				}
			},
		),
		{ numRuns: caseCount(12, 150), seed: FIRST_SEED, examples: [[...HIDDEN_LEAF_ABOVE_A_BRANCH, []]] },
	);
});

test("most entries are simply added", () => expect(grew).toBeGreaterThan(caseCount(35, 500)));
