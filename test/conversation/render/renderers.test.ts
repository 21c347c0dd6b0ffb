import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeRows } from "../../../src/conversation/render/code-lines.ts";
import { parseDiff } from "../../../src/conversation/render/diff-lines.ts";
import { markdownPieces } from "../../../src/conversation/render/markdown-pieces.ts";
import { drawnRows } from "../../../src/conversation/render/render-diff.ts";
import { loadRenderers, type Renderers } from "../../../src/conversation/render/renderers.ts";
import { shellRows } from "../../../src/conversation/render/shell-lines.ts";
import { inLong, inShort } from "../../support/cases.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";
import { markdownRows } from "../../support/markdown-rows.ts";

const renderers = await loadRenderers();

test("the libraries are loaded on demand: nothing else imports them, or, but for comparing lines, the files that do", () => {
	const root = join(import.meta.dirname, "../../..");
	const sources = globSync("{src,components,hooks}/**/*.{ts,tsx}", { cwd: root }).map((file) => ({
		file,
		source: readFileSync(join(root, file), "utf8"),
	}));
	const importing = (pattern: RegExp) => sources.filter(({ source }) => pattern.test(source)).map(({ file }) => file);
	const library = /^import (?!type).*from "(?:marked|diff|highlight\.js.*)";$/m;
	const wrappers = ["compare-text", "highlight-code", "lex-markdown"];
	expect(importing(library).toSorted()).toEqual(wrappers.map((name) => `src/conversation/render/${name}.ts`));
	expect(importing(/^import (?!type).*from ".*\/lex-markdown\.ts";$/m)).toEqual([
		"src/conversation/render/read-markdown.ts",
	]);
	for (const name of ["compare-text", "highlight-code", "read-markdown"]) {
		// Comparing lines is 7 kB, which what was in a file needs at once; Markdown and colors are 180 kB.
		const isAllowed = (file: string): boolean => name === "compare-text" && file.startsWith("src/edits/");
		expect(
			importing(new RegExp(`^import (?!type).*from ".*/${name}\\.ts"`, "m")).filter((file) => !isAllowed(file)),
		).toEqual([]);
		expect(importing(new RegExp(`import\\(".*/${name}\\.ts"\\)`))).toEqual(["src/conversation/render/renderers.ts"]);
	}
});

/**
 * Eight times the length may take eight times the time, or a few times that; quadratic time would be 64 times. Both are measured
 * again if it seems so: the machine may have become slower between them.
 */
function expectLinear(work: (length: number) => void, length: number): void {
	const ratios: number[] = [];
	do {
		const some = leastCpuMs(() => work(length / 4));
		ratios.push(leastCpuMs(() => work(2 * length)) / Math.max(2, some));
	} while (Math.min(...ratios) >= 24 && ratios.length < 4);
	expect(Math.min(...ratios), `of ${ratios.join(", ")}`).toBeLessThan(24);
}

describe("texts that take other parsers quadratic time, or their stack, are lexed in time", () => {
	const units: readonly (readonly [name: string, unit: string])[] = [
		["opened emphasis", "*a "],
		["emphasis within words", "a*"],
		["underscores", "_a"],
		["pairs of underscores", "__a"],
		["both", "*_"],
		["links", "[a]("],
		["brackets", "["],
		["code", "`a``"],
		["names of mail addresses", "a."],
		["tags", "<a "],
		["comments", "<!--"],
	];
	// In the test command one of each mark.
	const second = ["emphasis within words", "pairs of underscores", "both", "brackets"];
	test.each(inShort(units, ([name]) => !second.includes(name)))("%s", (_name, unit) => {
		expectLinear((length) => renderers.readMarkdown(unit.repeat(length / unit.length)), 8000);
	});

	test.each([
		["quotes", "> ".repeat(5000)],
		["lists", "- ".repeat(5000)],
		["numbers", "1. ".repeat(5000)],
		["lists line by line", Array.from({ length: 150 }, (_, depth) => `${" ".repeat(2 * depth)}- x`).join("\n")],
		["emphasis", `${"*a **b ".repeat(500)}${"** c* ".repeat(500)}`],
	])("%s within one another: what is too deep is text", (_name, text) => {
		expect(() => [...markdownRows(text, 80, renderers)]).not.toThrow();
	});
});

describe("eight times the text takes about eight times the time", () => {
	const look = { language: "ts", isSplit: false };
	const last = (rows: Iterable<unknown>) => {
		for (const _ of rows);
	};

	test.each<[string, (length: number) => void]>([
		["a line", (length) => last(codeRows("日本語 a ".repeat(length / 6), 10, undefined, renderers))],
		["lines", (length) => last(codeRows("const a = 1;\n".repeat(length / 13), 80, undefined, renderers))],
		["a line of many colors", (length) => last(shellRows("\u001b[31ma\u001b[0m ".repeat(length / 11), 40))],
		["a line written anew", (length) => last(shellRows("50 %\r".repeat(length / 5), 40))],
		[
			"a diff",
			(length) =>
				last(drawnRows(parseDiff("-1 a b\n+1 a c\n".repeat(length / 40)), 80, look, renderers).map(({ line }) => line)),
		],
		["prose of many spans", (length) => last(markdownRows("*a* `b` ".repeat(length / 8), 20, renderers))],
		["Markdown in pieces", (length) => last(markdownPieces("a\n\n```\nb\n```\n".repeat(length / 14)))],
	])("%s", (_name, work) => expectLinear(work, inLong(60_000, 20_000)));
});

test("a text of 10 MB is lexed piece by piece: a screen needs only the first one", () => {
	const text = Array.from(
		{ length: 60_000 },
		(_, index) => `Paragraph ${index}: **${"some words ".repeat(15)}**.\n\n`,
	).join("");
	expect(text.length).toBeGreaterThan(10_000_000);
	const read: number[] = [];
	const counting: Renderers = {
		...renderers,
		readMarkdown: (piece) => {
			read.push(piece.length);
			return renderers.readMarkdown(piece);
		},
	};
	const rows = markdownRows(text, 100, counting);
	for (let pages = 1; pages <= 10; pages++) {
		expect(rows.next().value?.length).toBeGreaterThan(20);
		expect(read).toHaveLength(pages);
	}
	expect(Math.max(...read)).toBeLessThan(6000);
	expect([...markdownPieces(text)].length).toBeGreaterThan(2000);
});
