import fc from "fast-check";
import { expect, test } from "vitest";
import { runToEnd } from "../../../src/shared/steps.ts";
import type { SessionEntry } from "../../../src/store/format/schema.ts";
import { EntryTable } from "../../../src/store/tree/entry-table.ts";
import { type ParentOddity, treeSteps } from "../../../src/store/tree/tree.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";

const ids = fc.constantFrom("a", "b", "c", "d", "e", "gone");
const entry = fc
	.record({ id: ids.filter((id) => id !== "gone"), parentId: fc.option(ids), second: fc.integer({ min: 0, max: 9 }) })
	.map(({ id, parentId, second }) => {
		const timestamp = `2026-01-05T08:00:0${second}.000Z`;
		return { type: "session_info", id, parentId, timestamp, name: id } as SessionEntry;
	});

test("one map gives the same answers as five for a session whose parents may be missing, or refuses it", () => {
	let [told, refused] = [0, 0];
	const check = (entries: readonly SessionEntry[]): void => {
		const odd: (readonly [oddity: ParentOddity, id: string])[] = [];
		const tree = runToEnd(treeSteps(entries, (oddity, { id }) => odd.push([oddity, id])));
		const found = runToEnd(
			EntryTable.of(
				entries,
				entries.map((_, index) => 3 * index),
			),
		);
		const indexOf = new Map(entries.map(({ id }, index) => [id, index]));
		const isInOrder = entries.every(({ parentId }, index) => (indexOf.get(parentId ?? "") ?? -1) <= index);
		expect(found !== undefined).toBe(indexOf.size === entries.length && isInOrder);
		if (found === undefined) {
			refused += 1;
			return;
		}
		told += 1;
		const { table } = found;
		const { byId, children, parentOf, ...rest } = table.tree();
		expect(rest).toEqual({ roots: tree.roots, labels: tree.labels, leafId: tree.leafId, name: tree.name });
		for (const [one, other] of [
			[byId, tree.byId],
			[children, tree.children],
			[parentOf, tree.parentOf],
		] as const)
			expect(new Map<unknown, unknown>(one)).toEqual(
				new Map<unknown, unknown>([...other].toSorted(([a], [b]) => (indexOf.get(a) ?? 0) - (indexOf.get(b) ?? 0))),
			);
		const oddIds = odd.map(([, id]) => id).toSorted();
		expect(found.odd.map(({ id }) => id).toSorted()).toEqual(oddIds);
		expect([...table.lines()]).toEqual(entries.map(({ id }, index) => [id, 3 * index]));
	};
	fc.assert(fc.property(fc.array(entry, { maxLength: 5 }), check), { numRuns: 10 * caseCount(100), seed: FIRST_SEED });
	expect(Math.min(told, refused)).toBeGreaterThan(20);
});
