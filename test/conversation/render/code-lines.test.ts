import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeRows, languageOfPath } from "../../../src/conversation/render/code-lines.ts";
import { loadRenderers, type Renderers } from "../../../src/conversation/render/renderers.ts";
import { cleanText } from "../../../src/ui/text/sanitize.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { letters, rowTexts, styledTexts, textOfRow, widest } from "../../support/drawn-rows.ts";
import { anyWidth, oddLines } from "../../support/random-text.ts";

const renderers = await loadRenderers();

function drawn(code: string, language: string | undefined, width = 60): string[] {
	return styledTexts([...codeRows(code, width, language, renderers)]);
}

describe("highlighting", () => {
	test.each([
		[
			"ts",
			'const x: Foo = "s"; // c',
			['<keyword>const</> <name>x</>: <type>Foo</> = <string>"s"</>; <comment>// c</>'],
		],
		["py", "def f(a):\n    return 1", ["<keyword>def</> <name>f</>(a):", "    <keyword>return</> <number>1</>"]],
		["json", '{"a": [1, true]}', ['{<name>"a"</>: [<number>1</>, <keyword>true</>]}']],
		["sh", 'echo "$HOME" # c', ['<type>echo</> <string>"$HOME"</> <comment># c</>']],
		["diff", "-a\n+b", ["<removed>-a</>", "<added>+b</>"]],
	])("%s", (language, code, rows) => expect(drawn(code, language)).toEqual(rows));

	test("a comment over several lines is highlighted in each", () => {
		expect(drawn("/* a\nb */ c", "js")).toEqual(["<comment>/* a</>", "<comment>b */</> c"]);
	});

	test("embedded code is highlighted in its own language: a style in HTML", () => {
		expect(drawn("<style>p { color: red }</style>", "html").join("")).toContain("<keyword>p</>");
	});

	test("a language is never guessed", () => {
		const code = "const x = 1;";
		expect([drawn(code, undefined), drawn(code, "no-language"), drawn(code, "constructor")]).toEqual([
			[code],
			[code],
			[code],
		]);
		expect(styledTexts([...codeRows(code, 60, "ts", undefined)])).toEqual([code]);
	});

	test.each([
		["64 KB", "let a = 1;\n".repeat(7000)],
		["2,000 lines", "a\n".repeat(2001)],
		["a line of 1,000 characters", `let a = "${"x".repeat(1000)}";`],
	])("code of more than %s is plain", (_name, code) => {
		let asked = 0;
		const counting: Renderers = { ...renderers, highlightCode: () => void asked++ };
		expect(rowTexts([...codeRows(code, 10_000, "ts", counting)])).toEqual(code.replace(/\n$/, "").split("\n"));
		expect(asked).toBe(0);
	});

	test("the same code is highlighted once", () => {
		let asked = 0;
		const counting: Renderers = {
			...renderers,
			highlightCode: (...args) => {
				asked++;
				return renderers.highlightCode(...args);
			},
		};
		for (const width of [80, 20, 80]) for (const _ of codeRows("let a = 1;", width, "ts", counting));
		expect(asked).toBe(1);
	});
});

test.each([
	["src/a.test.ts", "ts"],
	["/x/Makefile", "makefile"],
	["C:\\x\\Dockerfile", "dockerfile"],
	["a.mts", "typescript"],
	["a/.bashrc", "bash"],
	["a.b/README", "readme"],
	["notes.", undefined],
	["", undefined],
	["a.ты", undefined],
])("the language of %s is %s", (path, language) => expect(languageOfPath(path)).toBe(language));

test("rows are full to the last cell; tabs stop at four", () => {
	expect(drawn("\tab\tc", undefined, 5)).toEqual(["    a", "b  c"]);
});

const LANGUAGES = ["ts", "py", "html", "sh", "css", "md", "yaml", "sql", "json", "rb", "cpp", "php", "diff", undefined];

test("any code in any language is drawn in rows of the width, whole and in order, and the same each time", () => {
	fc.assert(
		fc.property(oddLines, fc.constantFrom(...LANGUAGES), anyWidth, (code, language, width) => {
			const rows = [...codeRows(code, width, language, renderers)];
			expect(widest(rows)).toBeLessThanOrEqual(width);
			expect([...codeRows(code, width, language, renderers)]).toEqual(rows);
			const lines = code.split(/\r\n?|[\n\u2028\u2029]/).map((line) => cleanText(line));
			// Rows that continue a line begin with a sign.
			const drawnLetters = letters(rows.map(textOfRow).join("").replaceAll("↪", ""));
			if (width > 1) expect(drawnLetters).toBe(letters(lines.join("").replaceAll("↪", "")));
		}),
		{ numRuns: caseCount(300), seed: FIRST_SEED },
	);
});
