import fc from "fast-check";
import { expect, test } from "vitest";
import { VersionedMap } from "../../src/shared/versioned-map.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";

const key = fc.constantFrom("a", "b", "c", "d", "e");
/** A version that is made from one of those before it. */
const step = fc.record({
	from: fc.nat(),
	entries: fc.array(fc.tuple(key, fc.nat(9)), { maxLength: 4 }),
	without: fc.array(key, { maxLength: 3 }),
	/** Whether an earlier version is read then. */
	reads: fc.option(fc.nat(), { nil: undefined }),
});
const sorted = <Value>(map: ReadonlyMap<string, Value>): [string, Value][] =>
	[...map].sort(([a], [b]) => (a < b ? -1 : 1));

test("versions behave like copies, in whatever order they are made and read, and know what has changed since", () => {
	fc.assert(
		fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
			const versions = [VersionedMap.of<string, number>()];
			const copies: ReadonlyMap<string, number>[] = [new Map()];
			for (const { from, entries, without, reads } of steps) {
				const at = from % versions.length;
				versions.push((versions[at] ?? VersionedMap.of()).with(entries, without));
				const copy = new Map(copies[at]);
				for (const [name, value] of entries) copy.set(name, value);
				for (const name of without) copy.delete(name);
				copies.push(copy);
				if (reads !== undefined) {
					const read = reads % versions.length;
					expect(sorted(versions[read] ?? new Map())).toEqual(sorted(copies[read] ?? new Map()));
				}
			}
			for (const [late, version] of versions.entries()) {
				const now = copies[late] ?? new Map();
				for (const [early, earlier] of versions.entries()) {
					const changed = version.changedSince(earlier);
					if (changed === undefined) continue;
					const was = new Map(now);
					for (const [name, value] of changed) {
						if (value === undefined) was.delete(name);
						else was.set(name, value);
					}
					expect(sorted(was)).toEqual(sorted(copies[early] ?? new Map()));
				}
			}
			for (const [index, version] of versions.entries()) {
				const copy = copies[index] ?? new Map();
				expect([sorted(version), version.size]).toEqual([sorted(copy), copy.size]);
				for (const name of "abcde")
					expect([version.get(name), version.has(name)]).toEqual([copy.get(name), copy.has(name)]);
			}
		}),
		{ numRuns: caseCount(70, 200), seed: FIRST_SEED },
	);
});

test("a version knows what has changed since the one that it was made from, over several steps", () => {
	const first = VersionedMap.of(
		new Map([
			["a", 1],
			["b", 2],
		]),
	);
	const last = first
		.with([
			["a", 5],
			["c", 3],
		])
		.with([["a", 6]], ["b"]);
	expect(sorted(last.changedSince(first) ?? new Map())).toEqual([
		["a", 1],
		["b", 2],
		["c", undefined],
	]);
	expect(last.changedSince(last)?.size).toBe(0);
	expect(first.changedSince(last)).toBeUndefined();
	expect(last.changedSince(new Map())).toBeUndefined();
});
