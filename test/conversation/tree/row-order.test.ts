import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_QUERY } from "../../../src/catalog/query/parse-query.ts";
import { outlineOf } from "../../../src/conversation/entries/outline.ts";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { ROW_DETAILS } from "../../../src/conversation/tree/draw-marks.ts";
import { drawTreeRow } from "../../../src/conversation/tree/draw-row.ts";
import { ALL_BRANCHES, drawTree, type TreeDrawing } from "../../../src/conversation/tree/draw-tree.ts";
import { matchesEntry } from "../../../src/conversation/tree/match-entry.ts";
import { TREE_FILTERS } from "../../../src/conversation/tree/shown-entries.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { drawn, idsOf, inputOf, linesOf, rowsOf } from "../../support/draw-tree.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { queryOf } from "../../support/follow-search.ts";
import { randomEntry, randomHeader, randomLine } from "../../support/random-branches.ts";
import { randomSession } from "../../support/random-session.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
let files = 0;

async function sessionOf(bytes: string | Buffer): Promise<Session> {
	const path = join(folder, `${files++}.jsonl`);
	writeFileSync(path, bytes);
	return readSession(path);
}

/** Sessions with forks as pi writes them, and files that hold anything. */
const bytes = fc.oneof(
	randomSession,
	fc
		.array(randomEntry, { maxLength: 30 })
		.map((plan) => `${randomHeader}\n${plan.map((entry, index) => randomLine(entry, index)).join("")}`),
);
const ALL = { filter: "all", opened: new Set([ALL_BRANCHES]) } as const;

function each(property: (session: Session) => void): Promise<void> {
	return fc.assert(
		fc.asyncProperty(bytes, async (file) => property(await sessionOf(file))),
		{ numRuns: caseCount(15, 200), seed: FIRST_SEED },
	);
}

describe("for any session", () => {
	test("every entry has one row when all is open and shown", () =>
		each((session) => {
			const ids = idsOf(drawn(session, ALL).tree);
			expect(ids.toSorted()).toEqual(session.entries.map(({ id }) => id).toSorted());
		}));

	test("whatever is folded, an entry has a row of its own, or is in one folded branch, or is hidden by the filter", () =>
		each((session) => {
			const { rows } = drawn(session, { filter: "all", opened: new Set(), folded: new Set([ALL_BRANCHES]) }).tree;
			const own = rowsOf({ session, rows, hits: undefined }).filter(({ kind }) => kind === "entry").length;
			expect(own + rows.foldedEntries).toBe(session.entries.length);
		}));

	test("the active path goes straight down in one piece, in its order", () =>
		each((session) => {
			const active = rowsOf(drawn(session, ALL).tree).filter((row) => row.active && row.selectable);
			const leaf = session.tree.leafId;
			const path = leaf === null ? [] : outlineOf(session).pathThrough(leaf);
			expect(active.map(({ entry }) => entry?.id)).toEqual(path.slice(0, active.length).map(({ id }) => id));
			expect(active.every(({ depth }) => depth === 0)).toBe(true);
			if (leaf !== null) expect(active.at(-1)?.entry?.id).toBe(leaf);
		}));

	test("a row is exactly as wide as its pane, whatever is in it", () =>
		each((session) => {
			for (const filter of TREE_FILTERS) {
				const all = drawn(session, { filter, opened: new Set([ALL_BRANCHES]) });
				for (const width of [1, 4, 17, 40, 76]) for (const details of ROW_DETAILS) expectWidth(all, width, details);
			}
		}));

	test("the cursor can go to every row but sums and dividers, and they are counted", () =>
		each((session) => {
			const { rows } = drawn(session, ALL).tree;
			const all = rowsOf({ session, rows, hits: undefined });
			expect(rows.selectable).toBe(all.filter(({ selectable }) => selectable).length);
			for (const [number, { selectable, key }] of all.entries()) {
				if (!selectable) continue;
				expect(rows.indexOf(key)).toBe(number);
				expect(rows.rankAt(number)).toBe(all.slice(0, number).filter((row) => row.selectable).length);
			}
		}));

	test("words show the entries that hold them, in the order in which all are shown", () =>
		each((session) => {
			for (const text of ["e", "1", "bash", "-entry"]) {
				const query = queryOf(text);
				const holding = idsOf(drawn(session, ALL).tree).filter((id) => {
					const entry = session.tree.byId.get(id);
					return entry !== undefined && matchesEntry(entry, session, query, "/home/me");
				});
				const { tree } = drawn(session, { ...ALL, query });
				expect([idsOf(tree), tree.hits]).toEqual([holding, { count: holding.length, isComplete: true }]);
			}
		}));

	test("after one more letter, the same is found as if all had been typed at once", () =>
		each((session) => {
			let before: TreeDrawing | undefined;
			for (const text of ["e", "en", "ent", "ent 1", "ent", "tool:bash ent", "re:e.t", "entry"]) {
				const input = inputOf(session, { ...ALL, query: queryOf(text) });
				before = runToEnd(drawTree(input, before));
				expect(idsOf(before.tree)).toEqual(idsOf(drawn(session, input).tree));
			}
		}));
});

function expectWidth({ input, tree }: TreeDrawing, width: number, details: (typeof ROW_DETAILS)[number]): void {
	const { session, home, filter } = input;
	const { columns } = tree.rows;
	const place = placeOf(session, home);
	const isTurns = filter === "turns";
	for (let number = 0; number < tree.rows.length; number++) {
		const shared = {
			width,
			session,
			columns,
			place,
			details,
			isTurns,
			query: NO_QUERY,
			isHit: false,
			now: 0,
		};
		const { line } = drawTreeRow(tree.rows, number, { ...shared, selected: number === 0 });
		expect(lineWidth(line)).toBe(width);
	}
}

describe("the rows of the fixtures", () => {
	test.each([
		"branches",
		"several-roots",
		"orphan",
		"parent-cycle",
		"self-parent",
		"bad-lines",
		"torn-tail",
		"duplicate-ids",
		"every-entry-type",
		"clock-went-back",
		"conversation",
	])("%s", async (name) => {
		const session = await readSession(join(fixtureDir, `${name}.jsonl`));
		const fields = { width: 76, details: "outcome" } as const;
		const shown = [
			"folded",
			...linesOf(drawn(session), fields),
			"",
			"all open",
			...linesOf(drawn(session, ALL), fields),
			"",
		];
		await expect(shown.join("\n")).toMatchFileSnapshot(join("..", "..", "app", "golden", "rows", `${name}.txt`));
	});
});
