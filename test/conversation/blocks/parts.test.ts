import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownPieces } from "../../../src/conversation/render/markdown-pieces.ts";
import { cutLines } from "../../../src/conversation/terminal/parts.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";

/** Some pieces. */
const LONG = 300_000;

const piece = fc.oneof(
	fc.constantFrom(
		"A paragraph of some words.\n\n",
		"```ts\nconst a = 1;\n\nconst b = 2;\n```\n",
		"```ts\nconst a = 1;\n```\n\n",
		"~~~\n```\n\n~~~\n\n\n",
		"- a list\n\n  goes on\n\n- and on\n\n",
		"| a | b |\n|---|---|\n| 1 | 2 |\n",
		"> ```\n> quoted\n> ```\n\n",
		"one line without end ",
		"日本語👩‍💻",
		"\n",
		"\r\n\r\n",
		"```",
		"\u001b[31mred\u001b[0m",
	),
	fc.string({ maxLength: 30 }),
);

test("the pieces of a long text are the text, and each is of bounded length", () => {
	fc.assert(
		fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
			const part = pieces.join("");
			fc.pre(part !== "");
			const text = part.repeat(Math.ceil(LONG / part.length));
			const cut = [...markdownPieces(text)];
			expect(cut.map((one) => one.text).join("")).toBe(text);
			for (const { text: one, start } of cut) {
				expect(one.length).toBeGreaterThan(0);
				expect(one.length).toBeLessThanOrEqual(65_536);
				expect(text.startsWith(one, start)).toBe(true);
			}
			const lines = cutLines(text);
			expect(lines.join("")).toBe(text);
			for (const one of lines) expect(one).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
		}),
		{ numRuns: caseCount(60), seed: FIRST_SEED },
	);
});
