import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { penAt, shellRows } from "../../../src/conversation/render/shell-lines.ts";
import { cleanText } from "../../../src/ui/text/sanitize.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { letters, rowTexts, styledTexts, textOfRow, widest } from "../../support/drawn-rows.ts";
import { anyWidth, oddLines } from "../../support/random-text.ts";

function drawn(text: string, width = 40): string[] {
	return styledTexts([...shellRows(text, width)]);
}

describe("colors", () => {
	test.each([
		["the sixteen", "a\u001b[31mred\u001b[0m \u001b[92mgreen\u001b[39m b", ["a<color 1>red</> <color 10>green</> b"]],
		["the ground", "\u001b[41;97mx\u001b[49my\u001b[m\u001b[103mz", ["<color 15 on 1>x</><color 15>y</><on 11>z</>"]],
		["256", "\u001b[38;5;208mx\u001b[48;5;17my", ["<color 208>x</><color 208 on 17>y</>"]],
		[
			"24 bits",
			"\u001b[38;2;1;2;3mx\u001b[48:2::4:5:6my\u001b[38:2:7:8:9mz",
			["<color 1,2,3>x</><color 1,2,3 on 4,5,6>y</><color 7,8,9 on 4,5,6>z</>"],
		],
		[
			"bold, italic, underline, inverse, strike",
			"\u001b[1;3;4;7;9mx\u001b[22;23;24;27;29my",
			["<bold italic underline inverse strike>x</>y"],
		],
		["dim is what is less important", "\u001b[2mx\u001b[22my", ["<muted>x</>y"]],
		[
			"an underline of any shape, with a color that is not kept",
			"\u001b[4:3;58;2;1;2;3mx\u001b[4:0my",
			["<underline>x</>y"],
		],
		["what no terminal knows is nothing", "\u001b[38;5;999;48;9;3;m\u001b[1234mx", ["x"]],
		["a color goes on in the next lines", "\u001b[32ma\nb\u001b[0m\nc", ["<color 2>a</>", "<color 2>b</>", "c"]],
	])("%s", (_name, text, rows) => expect(drawn(text)).toEqual(rows));
});

describe("what moves the cursor", () => {
	test.each([
		["the last overwrite of a line wins", " 10 %\r 50 %\rdone\u001b[K", ["done"]],
		["what is not overwritten stays", "abcdef\rXY", ["XYcdef"]],
		["a line may be erased", "abc\u001b[2K\u001b[1Gx\u001b[1Ky", [" y"]],
		["backspaces go back", "abc\b\bX", ["aXc"]],
		["half of a wide character is none", "日本\rx", ["x 本"]],
		["lines may end in any way", "a\r\nb\r\r\n\nc", ["a", "b", "", "c"]],
		[
			"tabs stop at eight",
			"a\tb\n1234567\tc\n\u001b[1m日本\u001b[0m\td",
			["a       b", "1234567 c", "<bold>日本</>    d"],
		],
		[
			"titles, links and other sequences go",
			"\u001b]0;t\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\\u001b(B\u001b[3Ac\u001b[?25l",
			["abc"],
		],
		["what ends nowhere is text", "\u001b]0;title", ["␛]0;title"]],
	])("%s", (_name, text, rows) => expect(drawn(text)).toEqual(rows));
});

test("rows are full to the last cell, including spaces", () => {
	expect(drawn("ab  cdef", 3)).toEqual(["ab ", " cd", "ef"]);
	expect(drawn("日本x語", 3)).toEqual(["日", "本x", "語"]);
	expect(drawn("", 3)).toEqual([]);
	expect(drawn("日a", 1)).toEqual(["…", "a"]);
});

test("a part of an output continues in the color before it", () => {
	const text = `a\u001b[31mb\n${"c\n".repeat(100)}d\u001b[0me`;
	const at = text.indexOf("d");
	expect(styledTexts([...shellRows(text.slice(at), 40, penAt(text, at))])).toEqual(["<color 1>d</>e"]);
});

test("any text is drawn in rows of the width, whole and in order, and the same each time", () => {
	fc.assert(
		fc.property(oddLines, anyWidth, (text, width) => {
			const rows = [...shellRows(text, width)];
			expect(widest(rows)).toBeLessThanOrEqual(width);
			expect([...shellRows(text, width)]).toEqual(rows);
			if (width === 1) return;
			// Apart from control sequences, every character is drawn.
			const printed = text.replace(/[\r\b\u001b\u009b]/g, "");
			const shown = [...shellRows(printed, width)].map(textOfRow).join("");
			// Rows that continue a line begin with a sign.
			const withoutSigns = (drawnText: string) => letters(drawnText.replaceAll("↪", ""));
			expect(withoutSigns(shown)).toBe(withoutSigns(cleanText(printed)));
		}),
		{ numRuns: caseCount(300), seed: FIRST_SEED },
	);
});

test("a text is drawn only as far as it is read", () => {
	const text = "\u001b[32mok\u001b[0m some line of a log\n".repeat(400_000);
	const drawn = vi.spyOn(String.prototype, "matchAll");
	onTestFinished(() => drawn.mockRestore());
	expect(shellRows(text, 80).take(300).toArray()).toHaveLength(300);
	expect(drawn.mock.calls.length).toBeLessThan(1000);
});

test("an endless line is drawn part by part, in full rows", () => {
	const first = shellRows("0123456789".repeat(100_000), 32).take(201).toArray();
	expect(new Set(rowTexts(first.slice(1)).map((row) => `${row.length} ${row.slice(0, 2)}`))).toEqual(
		new Set(["32 ↪ "]),
	);
});

test.each([
	["at a space near the end", "with the following properties of it", 30, ["with the following properties", "↪ of it"]],
	[
		"where it is full, if the word is long",
		`see ${"/dir".repeat(9)}`,
		20,
		["see /dir/dir/dir/dir", "↪ /dir/dir/dir/dir/d", "↪ ir"],
	],
	["colors stay", "a red \u001b[31mfox leaps over it\u001b[0m", 18, ["a red fox leaps", "over it"]],
	[
		"an indented word is not left for a blank row",
		`  ${"x".repeat(30)}`,
		20,
		[`  ${"x".repeat(18)}`, `↪ ${"x".repeat(12)}`],
	],
	["a space at the break stays", "one two three four5 six", 20, ["one two three four5", "↪ six"]],
	["narrow rows have no mark", "one two three", 10, ["one two", "three"]],
])("a long line is broken %s", (_name, text, width, rows) =>
	expect(rowTexts([...shellRows(text, width)])).toEqual(rows),
);

test("a part that begins within a line is marked as its rest", () => {
	expect(rowTexts([...shellRows("rest\nnext", 40, {}, true)])).toEqual(["↪ rest", "next"]);
});
