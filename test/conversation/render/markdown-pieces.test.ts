import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MarkdownPiece, markdownPieces } from "../../../src/conversation/render/markdown-pieces.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { markdownSoup } from "../../support/random-text.ts";

const PROSE = `${"Some words of a paragraph that goes on for a while.\n".repeat(40)}\n`;

function pieces(text: string): MarkdownPiece[] {
	const all = [...markdownPieces(text)];
	expect(all.map((piece) => piece.text).join("")).toBe(text);
	expect(all.map(({ start }) => start)).toEqual(startsOf(all));
	expect(Math.max(...all.map((piece) => piece.text.length))).toBeLessThanOrEqual(65_536);
	return all;
}

function startsOf(all: readonly MarkdownPiece[]): number[] {
	let start = 0;
	return all.map(({ text }) => {
		start += text.length;
		return start - text.length;
	});
}

test("paragraphs stay whole: a piece begins behind a blank line", () => {
	const all = pieces(PROSE.repeat(20));
	expect(all.length).toBeGreaterThan(8);
	expect(all.every(({ text, isBlock, lead }) => text.startsWith("Some") && isBlock && lead === "")).toBe(true);
});

test("a list is not cut in an item, nor is a fence", () => {
	const fence = `\`\`\`ts\n${"const a = 1;\n\n".repeat(1000)}\`\`\`\n`;
	const item = `- item\n\n  ${"more words ".repeat(100)}\n\n`;
	const all = pieces(`${PROSE}${fence}${PROSE}${item.repeat(20)}`);
	expect(all.map(({ text }) => text.startsWith("  "))).not.toContain(true);
	expect(all.filter(({ text }) => text.includes("```")).map(({ text }) => text.split("```").length)).toEqual([3]);
	expect(all.map(({ isBlock }) => isBlock)).not.toContain(false);
});

describe("blocks that are too large are cut and continue as what they are", () => {
	test("a fence", () => {
		const all = pieces(`${PROSE}~~~~ py\n${"x = 1\n~~~\n".repeat(20_000)}~~~~\n\nafter`);
		expect(all.length).toBeGreaterThan(3);
		expect(all[1]).toMatchObject({ lead: "", isBlock: true });
		expect(all[1]?.text.startsWith("~~~~ py\n")).toBe(true);
		expect(all.slice(2, -1).map(({ lead, isBlock }) => [lead, isBlock])).toEqual(
			all.slice(2, -1).map(() => ["~~~~ py\n", false]),
		);
		expect(all.at(-1)).toMatchObject({ text: "after", lead: "", isBlock: true });
	});

	test("a fence in a quote, until the quote ends", () => {
		const all = pieces(`> \`\`\`js\n${"> code();\n".repeat(10_000)}end ${"word\n".repeat(5000)}`);
		expect(all[1]).toMatchObject({ lead: "> ```js\n", isBlock: false });
		expect(all.at(-1)?.lead).toBe("");
	});

	test("a fence of one endless line", () => {
		const all = pieces(`\`\`\`\n${"x".repeat(200_000)}\n\`\`\`\n`);
		expect(all.map(({ lead, isPlain }) => [lead, isPlain])).toEqual([
			["", false],
			["```\n", false],
			["```\n", false],
			["```\n", false],
		]);
	});

	test("a table", () => {
		const head = "| a | b |\n|---|:-:|\n";
		const all = pieces(`Before.\n\n${head}${"| 1 | 2 |\n".repeat(5000)}\nAfter.`);
		expect(all.length).toBeGreaterThan(3);
		expect(all.slice(2, -1).map(({ lead, isBlock }) => [lead, isBlock])).toEqual(
			all.slice(2, -1).map(() => [head, false]),
		);
	});

	test("a paragraph", () => {
		const all = pieces("word\n".repeat(20_000));
		expect(all.slice(1).map(({ lead, isBlock }) => [lead, isBlock])).toEqual(all.slice(1).map(() => ["", false]));
	});

	test("a line, which is shown plain to its end", () => {
		const all = pieces(`${PROSE}a\n${"**b** ".repeat(30_000)}\nc`);
		expect(all.map(({ isPlain, isBlock }) => [isPlain, isBlock])).toEqual([
			[false, true],
			[true, false],
			[true, false],
			[true, false],
			[false, true],
		]);
	});
});

test("joined, the pieces are the text", () => {
	const long = fc.array(fc.tuple(markdownSoup, fc.integer({ min: 1, max: 200 })), { maxLength: 6 });
	fc.assert(
		fc.property(long, (parts) => {
			pieces(`x${parts.map(([text, times]) => text.repeat(times)).join("\n")}`);
		}),
		{ numRuns: caseCount(100), seed: FIRST_SEED },
	);
});

test("a text is cut only as far as it is read", () => {
	const text = PROSE.repeat(5000);
	expect(text.length).toBeGreaterThan(10_000_000);
	let longest = 0;
	for (const piece of markdownPieces(text).take(50)) longest = Math.max(longest, piece.text.length);
	expect(longest).toBeLessThan(6000);
});
