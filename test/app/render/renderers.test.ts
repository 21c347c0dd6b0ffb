import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { markdownPieces } from "../../../src/app/render/markdown-pieces.ts";
import { loadRenderers, type Renderers } from "../../../src/app/render/renderers.ts";
import { markdownRows } from "../../support/markdown-rows.ts";

const renderers = await loadRenderers();

test("the libraries are loaded when they are asked for: nothing else imports them, or the files that do", () => {
	const root = join(import.meta.dirname, "../../..");
	const sources = globSync("{src,components,hooks}/**/*.{ts,tsx}", { cwd: root }).map((file) => ({
		file,
		source: readFileSync(join(root, file), "utf8"),
	}));
	const importing = (pattern: RegExp) => sources.filter(({ source }) => pattern.test(source)).map(({ file }) => file);
	const library = /^import (?!type).*from "(?:marked|diff|highlight\.js.*)";$/m;
	const wrappers = ["compare-text", "highlight-code", "lex-markdown"];
	expect(importing(library).toSorted()).toEqual(wrappers.map((name) => `src/app/render/${name}.ts`));
	for (const name of wrappers) {
		expect(importing(new RegExp(`from ".*/${name}\\.ts"`))).toEqual([]);
		expect(importing(new RegExp(`import\\(".*/${name}\\.ts"\\)`))).toEqual(["src/app/render/renderers.ts"]);
	}
});

describe("what takes other readers the square of its length, or their stack, is read in time", () => {
	/** What a text is read for: characters that are looked through, in the least of some runs. */
	function readingMs(text: string): number {
		const times = Array.from({ length: 5 }, () => {
			const before = process.cpuUsage();
			renderers.lexMarkdown(text);
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1000;
		});
		return Math.min(...times);
	}

	test.each([
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
	])("%s", (_name, unit) => {
		const [some, twice] = [8000, 16_000].map((length) => readingMs(unit.repeat(length / unit.length)));
		// Twice the text takes twice the time, and some more on a machine that does other things as well.
		expect(twice).toBeLessThan(Math.max(25, 3.5 * (some ?? 0)));
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

test("a text of 10 MB is read piece by piece: a screen needs the first one alone", () => {
	const text = Array.from(
		{ length: 60_000 },
		(_, index) => `Paragraph ${index}: **${"some words ".repeat(15)}**.\n\n`,
	).join("");
	expect(text.length).toBeGreaterThan(10_000_000);
	const read: number[] = [];
	const counting: Renderers = {
		...renderers,
		lexMarkdown: (piece) => {
			read.push(piece.length);
			return renderers.lexMarkdown(piece);
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
