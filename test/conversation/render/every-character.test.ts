import { describe, expect, test } from "vitest";
import { codeRows } from "../../../src/conversation/render/code-lines.ts";
import { writtenLines } from "../../../src/conversation/render/edit-lines.ts";
import { drawnRows } from "../../../src/conversation/render/render-diff.ts";
import { loadRenderers } from "../../../src/conversation/render/renderers.ts";
import { shellRows } from "../../../src/conversation/render/shell-lines.ts";
import type { Line } from "../../../src/ui/text/line.ts";
import { inShort } from "../../support/cases.ts";
import { widest } from "../../support/drawn-rows.ts";
import { markdownRows } from "../../support/markdown-rows.ts";

const renderers = await loadRenderers();

/** Characters that take no cell, or two, or change their neighbors, by Unicode's own lists. */
const ODD =
	/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Emoji}\p{Regional_Indicator}\p{Z}\uff01-\uff60\p{Noncharacter_Code_Point}\ue000\uf8ff\u{f0000}\u{10fffd}]/v;

/** All such characters, each between letters, on another one of its kind, and at the start of a word; several per line. */
function texts(): string[] {
	const characters: string[] = [];
	for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
		const character = String.fromCodePoint(codePoint);
		if (ODD.test(character)) characters.push(character);
	}
	const units = characters.map((character) => `a${character}b 日${character}${character} **${character}c** `);
	return Array.from({ length: Math.ceil(units.length / 20) }, (_, index) =>
		units.slice(20 * index, 20 * index + 20).join(""),
	);
}

const KINDS: Readonly<Record<string, (text: string, width: number) => Iterable<Line>>> = {
	Markdown: (text, width) => [...markdownRows(text, width, renderers)].flat(),
	"a list": (text, width) => [...markdownRows(`- > ${text}`, width, renderers)].flat(),
	"a table": (text, width) => [...markdownRows(`| ${text} | b |\n|-|-|\n| a | ${text} |`, width, renderers)].flat(),
	code: (text, width) => codeRows(text, width, "ts", renderers),
	"a diff": (text, width) =>
		drawnRows(writtenLines(text), width, { language: "ts", isSplit: false }, renderers).map(({ line }) => line),
	"shell output": (text, width) => shellRows(text, width),
};

const WIDTHS = [2, 11, 1, 3, 40];

describe("no character of Unicode makes a row wider than its width", () => {
	const all = texts();

	test("there are thousands of them", () => expect(all.length).toBeGreaterThan(200));

	test.each(Object.entries(KINDS).map(([name, rows], kind) => [name, rows, kind] as const))(
		"in %s",
		(_, rows, kind) => {
			// `npm test` draws each text in every fourth kind of block.
			for (const [index, text] of inShort([...all.entries()], ([index]) => index % 4 === kind % 4)) {
				// `npm test` draws each of them at one width, `npm run test:long` at all.
				for (const width of inShort(WIDTHS, (_, at) => at === index % WIDTHS.length)) {
					const most = widest([...rows(text, width)]);
					if (most > width) expect({ text, width, most }).toEqual({ text, width, most: width });
				}
			}
		},
	);
});
