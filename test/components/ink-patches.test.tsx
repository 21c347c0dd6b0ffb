import { Text } from "ink";
import { render } from "ink-testing-library";
import { expect, test, vi } from "vitest";
import { patchInk } from "../../scripts/ink-patches.ts";

const RENDERER = "/x/node_modules/ink/build/renderer.js";

/** How many texts are split into characters while `work` runs. */
function countSegmented(work: () => void): number {
	const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
	try {
		work();
		return segment.mock.calls.length;
	} finally {
		segment.mockRestore();
	}
}

test("the tests draw with the patched Ink: no text is taken apart into characters", () => {
	expect(countSegmented(() => new Intl.Segmenter().segment("é"))).toBe(1);
	const { rerender, lastFrame } = render(<Text>naïve – 検索 one</Text>);
	expect(countSegmented(() => rerender(<Text>naïve – 検索 two</Text>))).toBe(0);
	expect(lastFrame()).toBe("naïve – 検索 two");
});

test("a file without a patch stays as it is; an Ink that the patch does not fit is an error", () => {
	expect(patchInk("/x/node_modules/ink/build/ink.js", "text")).toBeUndefined();
	expect(patchInk("/x/elsewhere/renderer.js", "text")).toBeUndefined();
	expect(() => patchInk(RENDERER, "another version of Ink")).toThrow(`${RENDERER} does not contain`);
});
