import fc from "fast-check";
import { expect, test } from "vitest";
import { cutLines } from "../../../src/app/reader/blocks/cuts.ts";
import { cutMarkdown } from "../../../src/app/reader/blocks/markdown-cuts.ts";

/** More than is looked at line by line. */
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
			const cut = cutMarkdown(text);
			expect(cut.map((one) => one.text).join("")).toBe(text);
			for (const { text: one, start } of cut) {
				expect(one.length).toBeGreaterThan(0);
				expect(one.length).toBeLessThanOrEqual(16_500);
				expect(text.startsWith(one, start)).toBe(true);
			}
			const lines = cutLines(text);
			expect(lines.join("")).toBe(text);
			for (const one of lines) expect(one).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
		}),
		{ numRuns: 60 },
	);
});

test("code in a fence that is longer than a piece goes on as code", () => {
	const text = `Before.\n\n\`\`\`python\n${"x = 1\n\n".repeat(60_000)}\`\`\`\n\nAfter.\n`;
	const cut = cutMarkdown(text);
	expect(cut.length).toBeGreaterThan(10);
	const inside = cut.slice(1, -1);
	expect(inside.map(({ lead }) => lead)).toEqual(inside.map(() => "```python\n"));
	expect(cut[0]?.lead).toBe("");
	expect(cut.at(-1)?.text.endsWith("After.\n")).toBe(true);
});

test("a long text is cut between blocks, where a block begins", () => {
	const text = "A paragraph of some words that is not very long.\n\n```\na\n\nb\n```\n\n".repeat(6000);
	const cut = cutMarkdown(text);
	for (const { isBlock, lead, text: one } of cut) {
		expect([isBlock, lead]).toEqual([true, ""]);
		expect(one).toMatch(/^(?:A paragraph|```\na)/);
	}
});
