import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { BranchTracker } from "../../../src/catalog/branches/branch-tracker.ts";

/** Bytes of the arrays in use: outgrown ones count until they are garbage collected. */
function arrayBytes(): number {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	collect();
	// The second one waits for what frees the arrays of the first, on another thread.
	collect();
	return process.memoryUsage().arrayBuffers;
}

// In a file of its own: garbage of other tests would be collected meanwhile.
test("the tree of a million entries takes little memory", () => {
	const idAt = (index: number) => index.toString(16).padStart(8, "0");
	const before = arrayBytes();
	const tree = new BranchTracker();
	for (let index = 0; index < 1_000_000; index++) {
		tree.add(
			{ id: idAt(index), parentId: index === 0 ? null : idAt(index - (index % 1000 === 0 ? 2 : 1)) },
			index * 100,
			100,
		);
		tree.charge(1, 0.5, index % 3);
	}
	const taken = arrayBytes() - before;
	expect(taken).toBeGreaterThan(20 * 1024 * 1024);
	// Eight bytes of them are the time of the entry, for the hours of work.
	expect(taken).toBeLessThan(70 * 1024 * 1024);
	expect(tree.finish(3)).toMatchObject({ tokens: 999, cost: 499.5, spans: { length: 999 } });
});
