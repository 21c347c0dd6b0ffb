import fc from "fast-check";
import { expect, test } from "vitest";
import { thinBar } from "../../../../src/conversation/statistics/draw-table.ts";

function bar(value: number, part: number, most: number, width: number): string {
	return thinBar(value, part, most, width)
		.map(({ text }) => text)
		.join("");
}

test("a bar has half cells, and its part has another shape", () => {
	expect(bar(10, 0, 10, 6)).toBe("━━━━━━");
	expect(bar(5, 0, 10, 5)).toBe("━━╸  ");
	expect(bar(0, 0, 10, 3)).toBe("   ");
	expect(bar(1, 0, 1000, 3)).toBe("╸  ");
	expect(bar(10, 3, 10, 10)).toBe("━━━━━━━╍╍╍");
	expect(bar(10, 10, 10, 4)).toBe("╍╍╍╍");
	// A tiny part is visible, and so is a tiny rest.
	expect(bar(10, 0.01, 10, 4)).toBe("━━━╍");
	expect(bar(10, 9.99, 10, 4)).toBe("━╍╍╍");
	expect(bar(0, 0, 0, 4)).toBe("    ");
	expect(bar(5, 1, 10, 0)).toBe("");
});

test("a bar is within its width, longer for a larger value, and empty only for 0", () => {
	const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
	fc.assert(
		fc.property(
			amount,
			amount,
			fc.double({ min: 0, max: 1, noNaN: true }),
			fc.integer({ min: 1, max: 60 }),
			(...all) => {
				const [one, other, share, width] = all;
				const most = Math.max(one, other);
				const lengthOf = (text: string): number => text.replace(/ /g, "").length;
				const [short, long] = [Math.min(one, other), most].map((value) => bar(value, value * share, most, width));
				expect(short).toHaveLength(width);
				expect(lengthOf(short ?? "")).toBeLessThanOrEqual(lengthOf(long ?? ""));
				expect(lengthOf(short ?? "") > 0).toBe(Math.min(one, other) > 0);
			},
		),
	);
});
