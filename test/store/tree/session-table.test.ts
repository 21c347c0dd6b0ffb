import fc from "fast-check";
import { expect, test } from "vitest";
import { runToEnd } from "../../../src/shared/steps.ts";
import type { SessionEntry } from "../../../src/store/format/schema.ts";
import { type ParentOddity, SessionTable } from "../../../src/store/tree/session-table.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";

const ids = fc.constantFrom("a", "b", "c", "d", "e", "gone");
const entry = fc
	.record({ id: ids.filter((id) => id !== "gone"), parentId: fc.option(ids), second: fc.integer({ min: 0, max: 9 }) })
	.map(({ id, parentId, second }) => {
		const timestamp = `2026-01-05T08:00:0${second}.000Z`;
		return { type: "session_info", id, parentId, timestamp, name: id } as SessionEntry;
	});

/** The parent of an entry, and why it has none, as the format says it, in the time that it takes. */
function parentIn(
	entries: readonly SessionEntry[],
	{ id, parentId }: SessionEntry,
): { readonly parent?: SessionEntry; readonly oddity?: ParentOddity } {
	if (parentId === null) return {};
	if (parentId === id) return { oddity: "self-parent" };
	const above = (from: SessionEntry): SessionEntry | undefined =>
		from.parentId === from.id ? undefined : entries.find((other) => other.id === from.parentId);
	const parent = entries.find((other) => other.id === parentId);
	if (parent === undefined) return { oddity: "missing-parent" };
	const passed: SessionEntry[] = [];
	for (let at: SessionEntry | undefined = parent; at !== undefined && !passed.includes(at); at = above(at))
		passed.push(at);
	const index = passed.findIndex((other) => other.id === id);
	const isFirst =
		index !== -1 &&
		passed
			.slice(0, index + 1)
			.every((other) => entries.indexOf(other) >= entries.indexOf(passed[index] as SessionEntry));
	return isFirst ? { oddity: "parent-cycle" } : { parent };
}

test("a session has the tree of its entries, whatever their parents and ids are, also when it grows", () => {
	const counts = { same: 0, odd: 0, grown: 0 };
	const check = (all: readonly SessionEntry[], cut: number): void => {
		const entries = all.filter(({ id }, index) => all.findLastIndex((other) => other.id === id) === index);
		const lineOf = (one: SessionEntry): number => 3 * all.indexOf(one);
		const { table, oddities } = runToEnd(SessionTable.of(all, all.map(lineOf)));
		if (entries.length < all.length) counts.same += 1;
		if (oddities.length > 0) counts.odd += 1;
		const links = entries.map((one) => parentIn(entries, one));
		const below = (parent: SessionEntry | undefined): readonly SessionEntry[] =>
			entries
				.filter((_, index) => links[index]?.parent === parent)
				.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
		const tree = table.tree();
		expect(table.entries).toEqual(entries);
		expect([...table.lines()]).toEqual(entries.map((one) => [one.id, lineOf(one)]));
		expect([...tree.byId.values()]).toEqual(entries);
		expect([...tree.parentOf]).toEqual(
			entries.flatMap(({ id }, index) => (links[index]?.parent ? [[id, links[index].parent.id]] : [])),
		);
		expect(tree.roots).toEqual(below(undefined));
		for (const one of entries) expect(tree.children.get(one.id) ?? []).toEqual(below(one));
		expect([tree.leafId, tree.name]).toEqual([entries.at(-1)?.id ?? null, entries.at(-1)?.id]);
		const odd = links.flatMap(({ oddity }, index) => (oddity === undefined ? [] : [`${oddity} ${index}`]));
		expect(oddities.map(([oddity, index]) => `${oddity} ${index}`).toSorted()).toEqual(odd.toSorted());
		expect(table.isInOrder).toBe(
			entries.every((_, index) => links[index]?.oddity !== "parent-cycle" && (table.parent[index] ?? 0) < index),
		);
		const first = runToEnd(SessionTable.of(all.slice(0, cut), all.slice(0, cut).map(lineOf))).table;
		const isTaken = all.slice(cut).every((one) => first.takes(one, new Set()) && first.add(one, lineOf(one)));
		if (!isTaken) return;
		counts.grown += 1;
		expect(first.tree().roots).toEqual(tree.roots);
		expect([...first.tree().children]).toEqual([...tree.children]);
		expect([...first.tree().parentOf]).toEqual([...tree.parentOf]);
	};
	fc.assert(fc.property(fc.array(entry, { maxLength: 6 }), fc.nat({ max: 5 }), check), {
		numRuns: 10 * caseCount(100),
		seed: FIRST_SEED,
	});
	expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
});

test("the entry up to a line is the last that is not behind it", () => {
	const entries = ["a", "b", "c"].map((id) => ({ type: "custom", id, parentId: null }) as SessionEntry);
	const { table } = runToEnd(SessionTable.of(entries, [2, 3, 7]));
	expect([1, 2, 3, 5, 7, 9].map((line) => table.upToLine(line))).toEqual([-1, 0, 1, 1, 2, 2]);
});
