import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeLink } from "../../../src/conversation/render/markdown-inline.ts";
import { loadRenderers, type Renderers } from "../../../src/conversation/render/renderers.ts";
import { cleanLines } from "../../../src/ui/text/sanitize.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { rowTexts, styledTexts, textOfRow, widest } from "../../support/drawn-rows.ts";
import { markdownRows } from "../../support/markdown-rows.ts";
import { anyWidth, markdownSoup } from "../../support/random-text.ts";

const renderers = await loadRenderers();

function rows(text: string, width = 60) {
	return [...markdownRows(text, width, renderers)].flat();
}

function styled(text: string, width?: number): string[] {
	return styledTexts(rows(text, width));
}

function texts(text: string, width?: number): string[] {
	return rowTexts(rows(text, width));
}

describe("prose", () => {
	test.each([
		["emphasis", "a *b* **c** ~~d~~ ***e***", ["a <italic>b</> <bold>c</> <strike>d</> <italic bold>e</>"]],
		["code", "call `f(x)` or ``a`b``", ["call <code>f(x)</> or <code>a`b</>"]],
		["line ends are blanks, breaks are not", "a\nb  \nc\\\nd<br>e", ["a b", "c", "d", "e"]],
		[
			"escapes and entities",
			"\\*a\\* &amp; &lt;b&gt; &#8594; &rarr; &nothing; &#27; x",
			["*a* & <b> → → &nothing; ␛ x"],
		],
		["HTML is text", "a <kbd>b</kbd> <!-- c -->", ["a <muted><kbd></>b<muted></kbd></> <muted><!-- c --></>"]],
		[
			"headings",
			"# A `b`\n## C\n### D\n#### `e` F\nE\n===",
			[
				"<heading bold underline>A </><code bold underline>b</>",
				"",
				"<heading bold>C</>",
				"",
				"<bold>D</>",
				"",
				"<code italic>e</><italic> F</>",
				"",
				"<heading bold underline>E</>",
			],
		],
		["rules", "a\n\n---\nb", ["a", "", `<frame>${"─".repeat(60)}</>`, "", "b"]],
	])("%s", (_name, text, expected) => expect(styled(text)).toEqual(expected));

	test("rows are broken between words", () => {
		expect(texts("one **two three** four_and_more five", 10)).toEqual(["one two", "three four", "_and_more", "five"]);
		expect(texts("日本語の文章です", 7)).toEqual(["日本語", "の文章", "です"]);
	});
});

describe("links", () => {
	test.each([
		[
			"the address is shown where the text is another",
			"[a](https://b.c/d)",
			"<link →https://b.c/d>a</><muted> (https://b.c/d)</>",
		],
		["and its title", '[a](http://b "t")', '<link →http://b>a</><muted> (http://b "t")</>'],
		[
			"not where it is the text",
			"<https://b.c> https://d.e",
			"<link →https://b.c>https://b.c</> <link →https://d.e>https://d.e</>",
		],
		[
			"nor for an address without scheme, or of mail",
			"www.b.c d@e.f",
			"<link →http://www.b.c>www.b.c</> <link>d@e.f</>",
		],
		[
			"other schemes lead nowhere",
			"[a](javascript:x) [b](data:,c)",
			"<link>a</><muted> (javascript:x)</> <link>b</><muted> (data:,c)</>",
		],
		["nor do addresses of other characters", "[a](https://é.fr)", "<link>a</><muted> (https://é.fr)</>"],
		["references", "[a][r]\n\n[r]: http://b", "<link →http://b>a</><muted> (http://b)</>"],
		["images are text", "![a *b*](c.png)", "<muted>image </><link>a </><link italic>b</><muted> (c.png)</>"],
	])("%s", (_name, text, first) => expect(styled(text)[0]).toBe(first));

	test("a definition is shown, and one of the same name too", () => {
		expect(texts("[r]: http://b 'T'\n[s]: c\n[r]: d")).toEqual([
			"[r]: http://b 'T'",
			"[s]: c",
			"",
			'r (http://b "T"): d',
		]);
	});

	test("a link is http, https or file, of printable ASCII", () => {
		for (const good of ["http://a", "HTTPS://a.b/c?d=e#f", "file:///a%20b"]) expect(safeLink(good)).toBe(good);
		const bad = [
			"",
			"http:/a",
			"http://",
			"ftp://a",
			"javascript://a",
			"http://a b",
			"http://a\u0007b",
			"http://a\n",
			"http://é",
			`http://${"a".repeat(2000)}`,
		];
		for (const each of bad) expect(safeLink(each)).toBeUndefined();
	});
});

describe("lists and quotes", () => {
	test("long items go on under their text, nested ones are indented", () => {
		expect(texts("- one two three four five six\n  - a\n    1. b\n- c", 20)).toEqual([
			"• one two three four",
			"  five six",
			"  • a",
			"    1. b",
			"• c",
		]);
	});

	test("numbers are as written, or counted if all are the same", () => {
		expect(texts("8. a\n9. b\n10. c")).toEqual([" 8. a", " 9. b", "10. c"]);
		expect(texts("2. a\n4. b")).toEqual(["2. a", "4. b"]);
		expect(texts("1. a\n1. b")).toEqual(["1. a", "2. b"]);
	});

	test("loose lists have blank rows", () => {
		expect(texts("- a\n\n  b\n- c")).toEqual(["• a", "", "  b", "", "• c"]);
	});

	test("tasks", () => {
		expect(texts("- [x] a\n- [ ] b\n\n      c")).toEqual(["[x] a", "", "[ ] b", "", "    ▏c"]);
		expect(texts("- [x] a\n- b")).toEqual(["[x] a", "  • b"]);
	});

	test("quotes", () => {
		expect(styled("> a **b**\n> > c\n>\n> - d", 20)).toEqual([
			"<frame>▏</> <muted>a </><muted bold>b</>",
			"<frame>▏</> ",
			"<frame>▏</> <frame>▏</> <muted>c</>",
			"<frame>▏</> ",
			"<frame>▏</> <muted>• </><muted>d</>",
		]);
	});

	test("nothing is indented if there is no room", () => {
		expect(texts("- > aaa bbb\n- aaaaaa", 6)).toEqual(["• aaa", "bbb", "•", "aaaaaa"]);
	});
});

describe("code", () => {
	test("stands on its ground behind a bar, with its language at the end", () => {
		expect(styled("```ts title=x\nif (a)\n\tb;\n```", 20)).toEqual([
			"<frame @code>▏</><keyword @code>if</><@code> (a)</><@code>   </><muted italic @code>ts title=x</>",
			"<frame @code>▏</><@code>    b;</><@code>             </>",
		]);
	});

	test("long lines continue, whole; the language is above a full row", () => {
		expect(texts("```sh\nabcdefghijk\n```", 8)).toEqual(["      sh", "▏abcdefg", "▏hijk"]);
	});

	test("a fence that does not end, and indented code", () => {
		expect(texts("```\na\n\n b")).toEqual(["▏a", "▏", "▏ b"]);
		expect(texts("x\n\n    a\n     b")).toEqual(["x", "", "▏a", "▏ b"]);
	});

	test("Markdown in a fence is code", () => expect(texts("```md\n# a *b*\n```")[0]).toContain("▏# a *b*"));
});

describe("tables", () => {
	const TABLE = "| Name | N | Text |\n|:--|--:|:-:|\n| a `b` | 1 | x |\n| c\\|d | 1,000 | some more words |\n";

	test("columns are aligned", () => {
		expect(texts(TABLE)).toEqual([
			"Name │     N │      Text",
			"─────┼───────┼────────────────",
			"a b  │     1 │        x",
			"c|d  │ 1,000 │ some more words",
		]);
		expect(styled(TABLE)[0]).toBe("<bold>Name</><frame> │ </>    <bold>N</><frame> │ </>     <bold>Text</>      ");
	});

	test("columns shrink, the widest first, and wrap", () => {
		expect(texts(TABLE, 24)).toEqual([
			"Name │     N │   Text",
			"─────┼───────┼──────────",
			"a b  │     1 │     x",
			"c|d  │ 1,000 │ some more",
			"     │       │   words",
		]);
	});

	test("five columns of words fit in forty cells", () => {
		const row = "| alpha beta | gamma delta | epsilon zeta | eta theta | iota |\n";
		const drawn = rows(`${row}|-|-|-|-|-|\n${row}`, 40);
		expect(widest(drawn)).toBe(40);
		expect(rowTexts(drawn).every((text) => text.split(/[│┼]/).length === 5)).toBe(true);
	});

	test("if columns do not fit, each cell has its own row", () => {
		expect(texts(TABLE, 15)).toEqual([
			"Name: a b",
			"N: 1",
			"Text: x",
			"",
			"Name: c|d",
			"N: 1,000",
			"Text: some more",
			"words",
		]);
	});

	test("a table with more cells in a row than heads is shown as it is written", () => {
		expect(texts("| a |\n|---|\n| 1 | 2 |")).toEqual(["| a |", "|---|", "| 1 | 2 |"]);
	});
});

test("without renderers a text is shown as it is", () => {
	const text = "# a\n\n**b**   c\n- d\n\u001b[31m";
	expect(rowTexts([...markdownRows(text, 20, undefined)].flat())).toEqual(["# a", "", "**b**   c", "- d"]);
});

test("a piece continues where the last one ended", () => {
	const code = Array.from({ length: 9000 }, (_, index) => `const a${index} = 1;`);
	const drawn = texts(`Before.\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\`\nAfter.`);
	expect(drawn.map((row) => row.replace(/ +ts$/, ""))).toEqual([
		"Before.",
		"",
		...code.map((line) => `▏${line}`),
		"",
		"After.",
	]);
});

test("pieces that are shown again are not lexed again", () => {
	let read = 0;
	const counting: Renderers = {
		...renderers,
		readMarkdown: (text) => {
			read++;
			return renderers.readMarkdown(text);
		},
	};
	const text = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} of some words.\n\n`).join("");
	const first = [...markdownRows(text, 50, counting)];
	const before = read;
	expect([...markdownRows(text, 50, counting)]).toEqual(first);
	expect(read).toBe(before);
	expect(before).toBeGreaterThan(1);
});

test("any text is drawn in rows of the width, whole, and the same each time", () => {
	fc.assert(
		fc.property(markdownSoup, anyWidth, (text, width) => {
			const drawn = rows(text, width);
			expect(widest(drawn)).toBeLessThanOrEqual(width);
			expect([...markdownRows(text, width, { ...renderers })].flat()).toEqual(drawn);
			if (width === 1) return;
			const shown = countWords(drawn.map(textOfRow).join(""));
			// Character references, languages and addresses may be drawn as something else, or only once.
			const said = countWords(
				cleanLines(text)
					.join("\n")
					.replace(/(?:~~~|```)\S*|&[#\w]*;?|<br>|ts|[a-z]*:\/\/\S*|x/g, ""),
			);
			for (const [letter, count] of said)
				expect([letter, shown.get(letter) ?? 0]).toEqual([
					letter,
					expect.closeTo(Math.max(count, shown.get(letter) ?? 0)),
				]);
		}),
		{ numRuns: caseCount(300), seed: FIRST_SEED },
	);
});

/** How often each letter is in a text. */
function countWords(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const [letter] of text.matchAll(/[a-wyz]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
	return counts;
}
