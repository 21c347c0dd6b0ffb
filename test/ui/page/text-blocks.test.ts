import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksOfLines, linesFrom, scrolled, TEXT_START, type TextBlocks } from "../../../src/ui/page/text-blocks.ts";
import { span } from "../../../src/ui/text/line.ts";
import { cleanText } from "../../../src/ui/text/sanitize.ts";

test("a text in blocks scrolls like one of single lines", () => {
	const distance = fc.oneof(
		fc.record({ rows: fc.integer({ min: -9, max: 9 }) }),
		fc.record({ pages: fc.constantFrom(-1, 1) }),
		fc.record({ end: fc.constantFrom<"first" | "last">("first", "last") }),
	);
	const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 8 });
	fc.assert(
		fc.property(sizes, fc.array(distance, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (lengths, moves, most) => {
			const all = lengths.map((length, block) =>
				Array.from({ length }, (_, row) => [span(cleanText(`${block}.${row}`))]),
			);
			const blocks: TextBlocks = { count: all.length, linesOf: (block) => all[block] ?? [] };
			const flat = blocksOfLines(all.flat());
			let [one, other] = [TEXT_START, TEXT_START];
			for (const move of moves) {
				one = scrolled(blocks, one, move, most);
				other = scrolled(flat, other, move, most);
				expect(linesFrom(blocks, one, most).lines).toEqual(linesFrom(flat, other, most).lines);
			}
		}),
	);
});
