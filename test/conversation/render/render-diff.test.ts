import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DiffLine } from "../../../src/conversation/render/diff-lines.ts";
import { parseDiff } from "../../../src/conversation/render/diff-lines.ts";
import { editLines, writtenLines } from "../../../src/conversation/render/edit-lines.ts";
import { drawnRows, fileDiffRows } from "../../../src/conversation/render/render-diff.ts";
import { loadRenderers } from "../../../src/conversation/render/renderers.ts";
import { cleanText } from "../../../src/ui/text/sanitize.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { letters, rowTexts, styledTexts, textOfRow, widest } from "../../support/drawn-rows.ts";
import { anyWidth, oddText } from "../../support/random-text.ts";

const renderers = await loadRenderers();

const EDIT = {
	oldText: '\tfor (const chunk of stream) {\n\t\tconst lines = (rest + chunk).split("\\n");\n\t\tyield 1;',
	newText: "\tfor (const chunk of stream) {\n\t\trest += chunk;\n\t\tconst lines = rest.split(NEWLINE);\n\t\tyield 1;",
};
const NUMBERED =
	'  8 a\n- 9 const lines = split("x");\n+ 9 rest += chunk;\n+10 const lines = split(LINE);\n 10 b\n   ...\n';

function unified(lines: Iterable<DiffLine>, width: number, language?: string): string[] {
	return styledTexts(Array.from(drawnRows(lines, width, { language, isSplit: false }, renderers), ({ line }) => line));
}

test("a very long diff says where it is cut", () => {
	const rows = (count: number) =>
		rowTexts(
			fileDiffRows("a.ts", [...writtenLines("a\n".repeat(count))], 40, false, renderers).map(({ line }) => line),
		);
	expect(rows(4000).filter((row) => !row.includes("+ a"))).toEqual([]);
	expect(rows(5000).slice(4000)).toEqual(["… the rest is not shown here"]);
});

test("a line that is too long to be read is folded, with its size, and is still the line that is shown", () => {
	const lines: readonly DiffLine[] = [
		{ kind: "removed", before: 1, text: "ä".repeat(4000) },
		{ kind: "added", after: 1, text: "ä".repeat(4001) },
		{ kind: "added", after: 2, text: "end" },
	];
	for (const isSplit of [false, true]) {
		const rows = fileDiffRows("a.js", lines, 80, isSplit, renderers);
		const folded = rows.filter(({ shows }) => lines[1] !== undefined && shows.includes(lines[1]));
		expect(rowTexts(folded.map(({ line }) => line)).join("\n")).toContain("1 + … 8.0 KB in one line");
		expect(folded.length).toBe(1);
		expect(rows.filter(({ shows }) => lines[0] !== undefined && shows.includes(lines[0])).length).toBeGreaterThan(50);
	}
});

describe("one below the other", () => {
	test("numbers, signs, grounds, words that changed", () => {
		expect(unified(parseDiff(NUMBERED), 34)).toEqual([
			"<muted>  8</><muted>   </><muted>a</>",
			'<removed @removed>  9</><removed @removed> − </><@removed>const lines = split(</><removed bold @removed-words>"x"</><@removed>);</><@removed>   </>',
			"<added @added>  9</><added @added> + </><@added>rest += chunk;</><@added>              </>",
			"<added @added> 10</><added @added> + </><@added>const lines = split(</><added bold @added-words>LINE</><@added>);</><@added>  </>",
			"<muted> 11</><muted>   </><muted>b</>",
			"<muted>   </><muted> … </>",
		]);
	});

	test("code is highlighted, what is removed as it was and the rest as it is; unchanged lines stay in the background", () => {
		expect(unified(parseDiff(' 1 if (a) "s";\n-2 x();\n+2 return 1;'), 30, "ts")).toEqual([
			'<muted>  1</><muted>   </><keyword>if</><muted> (a) </><string>"s"</><muted>;</>',
			"<removed @removed>  2</><removed @removed> − </><name @removed>x</><@removed>();</><@removed>                    </>",
			"<added @added>  2</><added @added> + </><keyword @added>return</><@added> </><number @added>1</><@added>;</><@added>               </>",
		]);
	});

	test("long lines continue below, without numbers", () => {
		expect(rowTexts(diffText(writtenLines("abcdefghijklmnopqrstuvwxyz"), 20))).toEqual([
			"  1 + abcdefghijklmn",
			"      opqrstuvwxyz",
		]);
	});

	test("an edit does not know where it is; narrow columns have no numbers, the narrowest no signs", () => {
		const plain = rowTexts(diffText(editLines([EDIT], renderers), 60));
		expect(plain).toEqual([
			"       for (const chunk of stream) {",
			' −         const lines = (rest + chunk).split("\\n");',
			" +         rest += chunk;",
			" +         const lines = rest.split(NEWLINE);",
			"           yield 1;",
		]);
		expect(rowTexts(diffText(writtenLines("ab"), 12))).toEqual([" + ab"]);
		expect(rowTexts(diffText(writtenLines("abcd"), 3))).toEqual(["abc", "d"]);
	});

	test("numbers are as wide as the largest", () => {
		const rows = rowTexts(diffText(parseDiff("@@ -9998,3 +9998,3 @@\n a\n b\n c"), 40));
		expect(rows).toEqual(["       …", "  9998   a", "  9999   b", " 10000   c"]);
	});

	test("words are compared if lines are similar and short", () => {
		const long = "word ".repeat(60);
		for (const [before, after] of [
			["a b c", "d e f"],
			[`${long}x`, `${long}y`],
			["a", "a"],
		] as const) {
			const lines = editLines([{ oldText: before, newText: `${after}\n` }], renderers);
			expect(
				diffText(lines, 400)
					.flat()
					.filter(({ bold }) => bold),
			).toEqual([]);
		}
		const lines = editLines([{ oldText: "the red fox", newText: "the dead fox" }], renderers);
		expect(
			diffText(lines, 40)
				.flat()
				.filter(({ bold }) => bold)
				.map(({ text }) => text),
		).toEqual(["red", "dead"]);
	});
});

function diffText(lines: Iterable<DiffLine>, width: number) {
	return Array.from(drawnRows(lines, width, { language: undefined, isSplit: false }, renderers), ({ line }) => line);
}

describe("side by side", () => {
	const split = (lines: Iterable<DiffLine>, width: number) =>
		rowTexts(
			Array.from(drawnRows(lines, width, { language: undefined, isSplit: true }, renderers), ({ line }) => line),
		);

	test("changed lines are beside each other", () => {
		expect(split(parseDiff(NUMBERED), 71)).toEqual([
			"  8   a                            │  8   a",
			"                                   │  9 + rest += chunk;",
			'  9 − const lines = split("x");    │ 10 + const lines = split(LINE);',
			" 10   b                            │ 11   b",
			"    …",
		]);
	});

	test("long lines continue in their own half", () => {
		const [first, second] = split(parseDiff(`-1 ${"a".repeat(40)}\n+1 b`), 61);
		expect(first).toBe(`  1 − ${"a".repeat(24)}│  1 + b`);
		expect(second).toBe(`      ${"a".repeat(16)}${" ".repeat(8)}│`);
	});

	test("without room for both they are below each other", () => {
		expect(split(parseDiff("-1 a\n+1 b"), 59)).toEqual(["  1 − a", "  1 + b"]);
	});
});

const anyLine: fc.Arbitrary<DiffLine> = fc.record({
	kind: fc.constantFrom("same", "removed", "added", "gap", "note"),
	before: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
	after: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
	text: oddText,
});

test("any lines are drawn in rows of the width, and the same each time", () => {
	fc.assert(
		fc.property(fc.array(anyLine, { maxLength: 12 }), anyWidth, fc.boolean(), (lines, width, isSplit) => {
			const look = { language: "ts", isSplit };
			const rows = Array.from(drawnRows(lines, width, look, renderers), ({ line }) => line);
			expect(widest(rows)).toBeLessThanOrEqual(width);
			expect(Array.from(drawnRows(lines, width, look, renderers), ({ line }) => line)).toEqual(rows);
		}),
		{ numRuns: caseCount(200), seed: FIRST_SEED },
	);
});

test("lines are whole and in order", () => {
	const texts = fc.array(fc.tuple(fc.constantFrom("same", "added", "removed"), oddText), { maxLength: 12 });
	fc.assert(
		fc.property(texts, fc.integer({ min: 2, max: 80 }), (given, width) => {
			const lines = given.map(([kind, text]) => ({ kind, before: undefined, after: undefined, text }) as const);
			const rows = Array.from(
				drawnRows(lines, width, { language: "ts", isSplit: false }, renderers),
				({ line }) => line,
			);
			const margin = width >= 7 ? 3 : 0;
			const shown = rows.map((row) => textOfRow(row).slice(margin)).join("");
			expect(letters(shown)).toBe(letters(given.map(([, text]) => cleanText(text)).join("")));
		}),
		{ numRuns: caseCount(200), seed: FIRST_SEED },
	);
});
