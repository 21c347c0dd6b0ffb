import { Text } from "ink";
import { render } from "ink-testing-library";
import { expect, test, vi } from "vitest";
import { patchInk } from "../../scripts/ink-patches.ts";

const OUTPUT = "/x/node_modules/ink/build/output.js";

/** How many texts are taken apart into characters while `work` runs. */
function countSegmented(work: () => void): number {
	const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
	try {
		work();
		return segment.mock.calls.length;
	} finally {
		segment.mockRestore();
	}
}

test("the tests draw with the patched Ink: text of the frame before is not taken apart again", () => {
	const first = <Text>naïve – 検索 one</Text>;
	const { rerender } = render(first);
	expect(countSegmented(() => rerender(<Text>naïve – 検索 two</Text>))).toBeGreaterThan(0);
	expect(countSegmented(() => rerender(first))).toBe(0);
});

test("a file without a patch stays as it is; an Ink that the patch does not fit is an error", () => {
	expect(patchInk("/x/node_modules/ink/build/ink.js", "text")).toBeUndefined();
	expect(patchInk("/x/elsewhere/output.js", "text")).toBeUndefined();
	expect(() => patchInk(OUTPUT, "another version of Ink")).toThrow(`${OUTPUT} does not contain`);
});
