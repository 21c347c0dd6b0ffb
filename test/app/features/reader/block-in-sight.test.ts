import fc from "fast-check";
import { expect, test } from "vitest";
import { blockInSight } from "../../../../src/app/features/excerpts/copied-text.ts";
import { firstRow, rowsFrom, walkForward } from "../../../../src/conversation/document/walk.ts";
import { loadRenderers } from "../../../../src/conversation/render/renderers.ts";
import { caseCount, FIRST_SEED, inLong } from "../../../support/cases.ts";
import { readingOf, textOfLine } from "../../../support/reader.ts";
import { assistant, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

const renderers = await loadRenderers();
const OUTPUT = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
const ANSWER = "First:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nThen:\n\n~~~\nplain\n~~~\n";

/** What is copied when the row with this number is at the top of three rows. */
async function copied(row: number): Promise<unknown> {
	const session = await sessionOf(
		user("u", null, 1, "Why?"),
		assistant("a", "u", 2, ANSWER),
		toolResult("r", "a", 3, OUTPUT),
	);
	const document = readingOf(session, { renderers });
	const first = firstRow(document);
	const top = first && walkForward(document, first, row);
	const { text, what } = (top && blockInSight({ document, top, height: 3 }, top.entry)) ?? {};
	return { text, what };
}

test("the first visible code block is copied as written, else the block at the top", async () => {
	const block = (text: string): unknown => ({ text, what: "the block" });
	const code = (text: string): unknown => ({ text, what: "the code block" });
	expect(await copied(0)).toEqual(block("Why?"));
	// The prompt, a blank row, "First:", a blank row, the code.
	const all = await Promise.all(Array.from({ length: 16 }, (_, row) => copied(row)));
	const found = all.filter((one, index) => JSON.stringify(one) !== JSON.stringify(all[index - 1]));
	expect(found).toEqual([
		block("Why?"),
		code("const a = 1;\n\nconst b = 2;"),
		block(ANSWER),
		code("plain"),
		block(ANSWER),
		block(OUTPUT),
	]);
});

test("a code block that begins on the screen is copied before one of which only the end is visible", async () => {
	const answer = "```ts\nfunction a() {\n}\n```\n\n```sh\nnpm test\n```\n";
	const prompt = "```\nquoted\n```";
	const session = await sessionOf(user("u", null, 1, prompt), assistant("a", "u", 2, answer));
	const document = readingOf(session, { renderers });
	const first = firstRow(document) ?? expect.fail();
	const rows = rowsFrom(document, first, 100);
	const from = (text: string) => rows.find(({ row }) => textOfLine(row.line).includes(text))?.at ?? expect.fail();
	const at = (text: string, height: number, current: number) =>
		blockInSight({ document, top: from(text), height }, current)?.text;
	expect(at("function", 8, 1)).toBe("function a() {\n}");
	expect(at("}", 8, 1)).toBe("npm test");
	// The end of a block alone still stands for the block.
	expect(at("}", 2, 1)).toBe("function a() {\n}");
	// Code of the entry that is read comes first, and that of a prompt counts as well.
	expect(at("quoted", 20, 1)).toBe("function a() {\n}");
	expect(at("quoted", 20, 0)).toBe("quoted");
});

/** For each row of an answer that shows code: the row, and what is copied when it is at the top. */
async function copiedCodes(markdown: string): Promise<[row: string, text: string, what: string][]> {
	const session = await sessionOf(user("u", null, 1, "Why?"), assistant("a", "u", 2, markdown));
	const document = readingOf(session, { renderers });
	const rows = rowsFrom(document, { entry: 1, piece: 0, row: 0 }, 10_000);
	// Of very many rows, the test samples some.
	const some = rows.filter((_, index) => index < 500 || index % 20 === 0);
	const tried = inLong(rows, some);
	return tried.flatMap(({ at, row: { line } }) => {
		if (!line.some(({ ground }) => ground === "code")) return [];
		const { text = "", what = "" } = blockInSight({ document, top: at, height: 1 }, at.entry) ?? {};
		return [[textOfLine(line), text, what]];
	});
}

test.each([
	["fences within fences", "````md\n```ts\na\n```\n````\ntext\n~~~\nb\n", ["```ts\na\n```", "b"]],
	["indented, before a fence", "    one\n\n    two\n\ntext\n\n```\nb\n```\n", ["one\n\ntwo", "b"]],
	["in a list, before a fence", "1. item\n\n   ```sh\n   one\n     two\n   ```\n\n```\nb\n```", ["one\n  two", "b"]],
	["in a quote, before a fence", "> said\n>\n> ```\n> one\n> ```\n\n```\nb\n```", ["one", "b"]],
	["with tabs", "```make\nall:\n\tgo\tnow\n```", ["all:\n\tgo\tnow"]],
	["fences that are none", "a ``` b\n\n- ```\n  one\n  ```\n\n<pre>\n```\nhtml\n```\n</pre>\n", ["one"]],
])("code is copied as written: %s", async (_name, markdown, codes) => {
	const copies = await copiedCodes(markdown);
	expect([...new Set(copies.map(([, text]) => text))]).toEqual(codes);
	for (const [, , what] of copies) expect(what).toBe("the code block");
});

test.each([
	["two without a row between them", "- ```\n  one\n  ```\n  ```\n  two\n  ```\n"],
	["with a tab in a list, of which blanks are made", "- make:\n\n  ```\n  all:\n  \tgo\n  ```\n"],
	["cut, since it is too long", `\`\`\`\n${"a line of code\n".repeat(inLong(8000, 4600))}\`\`\`\n`],
])("ambiguous code is copied with the whole block: %s", async (_name, markdown) => {
	const copies = await copiedCodes(markdown);
	expect(copies.length).toBeGreaterThan(0);
	for (const [, text, what] of copies) {
		expect(what).toBe("the block");
		expect(text).toBe(markdown);
	}
});

test("in any surroundings, no code but the visible one is ever copied", async () => {
	const shape = fc.constantFrom(
		"text\n",
		"\n",
		"```\nCODE\n```\n",
		"```ts\nCODE\n",
		"~~~\nCODE\n\n  CODE\n~~~\n",
		"\n    CODE\n\n",
		"\n\tCODE\n\tmore\n",
		"- item\n\n  ```\n  CODE\n  ```\n",
		"- ```\n  CODE\n  ```\n",
		"  ```\n  CODE\n  ```\n",
		"1. a\n   - b\n\n         CODE\n",
		"> ```\n> CODE\n> ```\n",
		"> quoted\n>\n>     CODE\n",
		"<div>\n```\nCODE\n```\n</div>\n",
		"\u200b```\nCODE\n```\n",
		"\u001b[1m```\nCODE\n```\n",
		"| a | b |\n|---|---|\n| ``` | CODE |\n",
		"---\n",
	);
	await fc.assert(
		fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 12 }), async (shapes) => {
			let count = 0;
			const markdown = shapes.join("").replaceAll("CODE", () => `code_${count++};`);
			for (const [row, text, what] of await copiedCodes(markdown)) {
				if (what === "the block") expect(text).toBe(markdown);
				else for (const [code] of row.matchAll(/code_\d+;/g)) expect(text).toContain(code);
			}
		}),
		{ numRuns: caseCount(10, 100), seed: FIRST_SEED },
	);
});
