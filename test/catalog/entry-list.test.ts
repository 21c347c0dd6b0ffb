import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryList } from "../../src/catalog/texts/entry-list.ts";
import { PART_NUMBERS } from "../../src/catalog/texts/number-column.ts";

const id = fc.oneof(
	fc.constantFrom(
		"00000000",
		"0000000a",
		"ffffffff",
		"FFFFFFFF",
		"a1",
		"-1",
		"",
		"00000000-0000-7000-8000-000000000000",
	),
	fc.stringMatching(/^[0-9a-f]{8}$/),
	fc.string(),
	fc.constantFrom(undefined, null, 7),
);
const entry = fc.record({ id, parentId: id, cost: fc.double({ noNaN: true }), tokens: fc.nat() });

/** The same with plain arrays. */
function plain(entries: readonly { readonly id: unknown; readonly parentId: unknown }[]) {
	const ids = entries.map((one) => (typeof one.id === "string" ? one.id : ""));
	const parents = entries.map(({ parentId }, index) => {
		if (parentId === undefined || (index > 0 && parentId === ids[index - 1])) return index - 1;
		return typeof parentId === "string" ? ids.lastIndexOf(parentId) : -1;
	});
	return { ids, parents };
}

test("keeps any ids, parents and numbers as they were given, packed or not", () => {
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 200 }), (entries) => {
			const list = new EntryList();
			for (const [index, one] of entries.entries()) list.add({ ...one, line: 2 * index + 2, offset: 2 ** 33 + index });
			list.resolve();
			const { ids, parents } = plain(entries);
			for (const read of [list, EntryList.unpack(list.pack())]) {
				expect(read.length).toBe(entries.length);
				for (const [index, one] of entries.entries()) {
					expect(read.ids.at(index)).toBe(ids[index]);
					expect(read.ids.lastIndexOf(ids[index] ?? "")).toBe(ids.lastIndexOf(ids[index] ?? ""));
					expect(read.parents.at(index)).toBe(parents[index]);
					expect([read.costs.at(index), read.tokens.at(index)]).toEqual([one.cost, one.tokens]);
					expect(read.offsets.at(index)).toBe(2 ** 33 + index);
					expect(read.indexOfLine(2 * index + 2)).toBe(index);
					expect(read.indexOfLine(2 * index + 3)).toBe(-1);
				}
			}
			expect(list.ids.at(-1)).toBe("");
			expect(list.ids.at(entries.length)).toBe("");
		}),
	);
});

test("goes on across the ends of its parts, before and after packing", () => {
	const name = (index: number) => (index % 1000 === 0 ? `entry ${index}` : index.toString(16).padStart(8, "0"));
	let list = new EntryList();
	const branch = 40_000;
	const count = 3 * PART_NUMBERS + 5;
	for (let index = 0; index < count; index++) {
		if (index === PART_NUMBERS || index === 2 * PART_NUMBERS + 7) {
			list.resolve();
			list = EntryList.unpack(list.pack());
		}
		const parentId = index === 0 ? null : index === branch ? name(3000) : name(index - 1);
		list.add({ id: name(index), parentId, line: index + 2, offset: index * 10, cost: 0.1, tokens: index });
	}
	list.resolve();
	expect(list.length).toBe(count);
	for (const index of [0, 3000, PART_NUMBERS - 1, PART_NUMBERS, 2 * PART_NUMBERS + 7, count - 1]) {
		expect(list.ids.at(index)).toBe(name(index));
		expect([list.tokens.at(index), list.offsets.at(index)]).toEqual([index, index * 10]);
		expect(list.indexOfLine(index + 2)).toBe(index);
	}
	// All but the branch that was left behind.
	expect(list.activePath().reduce((sum, one) => sum + one, 0)).toBe(count - (branch - 3001));
});
