import fc from "fast-check";
import { expect, test } from "vitest";
import { HashSet } from "../../../src/catalog/stats/hash-set.ts";

test("a HashSet behaves like a Set", () => {
	const hash = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
	const step = fc.record({ hash, remove: fc.boolean() });
	fc.assert(
		fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
			const plain = new Set<number>();
			const set = new HashSet();
			for (const { hash, remove } of steps) {
				if (remove) set.deleteAll(Float64Array.of(hash));
				else expect(set.add(hash)).toBe(!plain.has(hash));
				if (remove) plain.delete(hash);
				else plain.add(hash);
				expect([set.size, set.has(hash)]).toEqual([plain.size, !remove]);
			}
			expect([...set.toArray().sort()]).toEqual([...plain].sort((a, b) => a - b));
			expect([...new HashSet(set.toArray()).toArray().sort()]).toEqual([...plain].sort((a, b) => a - b));
		}),
	);
});
