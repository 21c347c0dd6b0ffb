import { expect, test } from "vitest";
import { memoEqual, memoFields, sameMembers } from "../../src/shared/memo.ts";

test("a function of an object is computed again only when a field changes", () => {
	let count = 0;
	const sum = memoFields(({ a, b }: { readonly a: number; readonly b: number }) => {
		count += 1;
		return { sum: a + b };
	});
	const first = sum({ a: 1, b: 2 });
	expect(sum({ b: 2, a: 1 })).toBe(first);
	expect(sum({ a: 1, b: 3 })).toEqual({ sum: 4 });
	expect(count).toBe(2);
});

test("an equal result is the same object", () => {
	const setOf = memoEqual((texts: readonly string[]) => new Set(texts), sameMembers);
	const first = setOf(["a", "b"]);
	expect(setOf(["b", "a"])).toBe(first);
	expect(setOf(["a"])).toEqual(new Set(["a"]));
	expect(setOf(["a", "c"])).toEqual(new Set(["a", "c"]));
});
