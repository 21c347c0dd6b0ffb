import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAge, formatCounted, formatSize, shortenHome } from "../../../src/ui/text/format.ts";
import { span, strong } from "../../../src/ui/text/line.ts";
import { cleanLines, cleanText, sanitizeLine } from "../../../src/ui/text/sanitize.ts";
import {
	cutLine,
	cutText,
	cutTextStart,
	cutWords,
	joinEnds,
	lineWidth,
	textWidth,
} from "../../../src/ui/text/width.ts";
import { wrapLine, wrapText } from "../../../src/ui/text/wrap.ts";

const anyText = fc.string({
	unit: fc.oneof(
		fc.constantFrom("\u001b", "[", "3", "m", "\t", "\r", "\n", "\u202e", "é", "日", "👍", "\u0085", " "),
		fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
	),
});

describe("cleanLines", () => {
	test.each([
		["colors go", "\u001b[31mred\u001b[0m", "red"],
		["a title sequence is removed", "a\u001b]0;owned\u0007b", "ab"],
		["a lone escape is shown", "a\u001b", "a␛"],
		["other controls are shown", "a\u0000b\u007f", "a␀b␡"],
		["bidirectional overrides go", "a\u202eb", "ab"],
		["every line end is one", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
		["a tab goes to the next tab stop", "a\tb\n日本\tc\n12345678\td", "a       b\n日本    c\n12345678        d"],
		["emoji are one simple emoji, as wide in every terminal", "👍🏽 ✂️ 👨‍👩‍👧", "👍 ✂ 👨"],
		["private characters are shown, one for each", "a\ue000b\uf8ff\u{f0000}\u{10fffd}c", "a\ufffdb\ufffd\ufffd\ufffdc"],
		["and so is what is no character", "a\ufffe\ufdd0\u{1ffff}b", "a\ufffd\ufffd\ufffdb"],
		["what has no width goes", "a\u200bb\u200c\u2060\ufeff\u00ad\u034fc", "abc"],
		["lone surrogates are replaced", "a\ud800b", "a\ufffdb"],
	])("%s", (_name, raw, clean) => expect(cleanLines(raw).join("\n")).toBe(clean));

	test("lets no control character through except line ends", () => {
		fc.assert(
			fc.property(
				anyText,
				(text) =>
					!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(cleanLines(text).join("\n")),
			),
		);
	});

	test("sanitizeLine returns one trimmed row", () => {
		fc.assert(fc.property(anyText, (text) => !/[\n\u2028]|^\s|\s$/.test(sanitizeLine(text))));
	});
});

describe("width", () => {
	test.each([
		["hello", 5, "hello"],
		["hello", 4, "hel…"],
		["日本語", 4, "日…"],
		["hello", 0, ""],
	])("cutText(%j, %i)", (text, width, cut) => expect(cutText(cleanText(text), width)).toBe(cut));

	test.each([
		["Users get logged out", 20, "Users get logged out"],
		["Users get logged out", 19, "Users get logged…"],
		["Users get logged out", 17, "Users get logged…"],
		["Users get logged out", 16, "Users get…"],
		["a verylongwordthatends nowhere", 20, "a verylongwordthate…"],
		["hello", 0, ""],
	])("cutWords(%j, %i)", (text, width, cut) => expect(cutWords(cleanText(text), width)).toBe(cut));

	test("cutTextStart leaves the end", () => expect(cutTextStart(cleanText("/home/me/project"), 8)).toBe("…project"));

	test("a cut line fits and ends in an ellipsis", () => {
		const line = [span("abc"), strong("def"), span("g")];
		expect(cutLine(line, 6).map((span) => span.text)).toEqual(["abc", "de…"]);
		expect(cutLine(line, 7)).toBe(line);
	});

	test("joinEnds has exactly the requested width, whatever the text", () => {
		fc.assert(
			fc.property(anyText, anyText, fc.integer({ min: 0, max: 40 }), (left, right, width) => {
				const line = joinEnds([span(sanitizeLine(left))], [span(cutText(sanitizeLine(right), width))], width);
				expect(lineWidth(line)).toBe(width);
			}),
		);
	});
});

describe("wrapText", () => {
	test.each([
		["one two three", 8, ["one two", "three"]],
		["", 8, [""]],
		["a\n\nb", 8, ["a", "", "b"]],
		["abcdefghij", 4, ["abcd", "efgh", "ij"]],
		["  indented", 20, ["  indented"]],
		["日本語の文", 4, ["日本", "語の", "文"]],
	])("wrapText(%j, %i)", (text, width, rows) => expect(wrapText(text, width)).toEqual(rows));

	test.each([0, -1])("a row takes at least one character, also where there are %i cells", (width) => {
		const rows = wrapLine([span("a 日"), strong("b")], width).map((row) => row.map(({ text }) => text).join(""));
		expect(rows).toEqual(["a", "日", "b"]);
	});

	test("no row is wider than asked, and only spaces are lost", () => {
		fc.assert(
			fc.property(anyText, fc.integer({ min: 2, max: 30 }), (raw, width) => {
				const text = cleanLines(raw).join("\n");
				const rows = wrapText(text, width);
				for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
				expect(rows.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
			}),
		);
	});
});

describe("format", () => {
	const now = Date.parse("2026-11-21T12:00:00Z");
	test.each([
		[-5, "now"],
		[30, "now"],
		[90, "1m"],
		[3 * 3600, "3h"],
		[6 * 86400, "6d"],
		[8 * 86400, "1w"],
		[40 * 86400, "1mo"],
		[800 * 86400, "2y"],
	])("an age of %i s is %s", (seconds, text) => expect(formatAge(now - seconds * 1000, now)).toBe(text));
	test.each([
		[0, "0 B"],
		[999, "999 B"],
		[1500, "1.5 KB"],
		[999_600, "1.0 MB"],
		[12_345_678, "12.3 MB"],
		[2e9, "2.0 GB"],
	])("%i bytes are %s", (bytes, text) => expect(formatSize(bytes)).toBe(text));
	test("counted nouns", () =>
		expect([formatCounted(1, "fork"), formatCounted(1204, "session")]).toEqual(["1 fork", "1,204 sessions"]));
	test("the home directory becomes a tilde only as a whole path component", () =>
		expect([shortenHome("/home/me/x", "/home/me"), shortenHome("/home/men", "/home/me")]).toEqual([
			"~/x",
			"/home/men",
		]));
});
