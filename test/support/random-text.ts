import fc from "fast-check";

/** Characters that take no cell, two cells, or change their neighbors; and what a terminal obeys. */
const ODD = [
	..."\u0301\u0308\u20dd\u0e33\u093e\u200b\u200d\u2060\ufeff\u00ad\u034f\u115f\u3164\ufe0f\ufe0e\u202e\u2066",
	..."日本語ー한글ｗ👍👩🏽‍🚀🇩🇪①ﷺ\u{1d173}\u{e0041}\u{1f3fd}אבشنक्षि",
	"\u001b",
	"\u001b[31m",
	"\u001b[0m",
	"\u001b[2K",
	"\u001b]8;;http://x\u0007",
	"\u001b[",
	"\u009b1m",
	"\u0000",
	"\u0007",
	"\u007f",
	"\u0085",
	"\u2028",
	"\ud800",
	"\t",
];

const WORDS = [
	"a",
	"word",
	"longer_word",
	"x1",
	"if",
	"return",
	"const",
	"0x1f",
	"ÄÖÜ",
	"été",
	"...",
	"(",
	")",
	"{",
	"}",
	";",
];

/** Texts of any characters, the odd ones more often than they are found; without line ends. */
export const oddText = fc
	.array(
		fc.oneof(
			fc.constantFrom(...ODD),
			fc.constantFrom(...WORDS, " ", "  "),
			fc.string({ unit: "binary", maxLength: 2 }),
		),
		{
			maxLength: 40,
		},
	)
	.map((parts) => parts.join("").replaceAll("\n", ""));

const MARKS = [
	..."*_`~#>-+=|[]()!<&\\:\"'",
	"\n",
	"\n\n",
	"\n",
	"**",
	"```",
	"~~~",
	"\n```ts\n",
	"\n~~~\n",
	"\n- ",
	"\n  - ",
	"\n1. ",
	"\n10) ",
	"- [ ] ",
	"\n> ",
	"> > ",
	"\n# ",
	"\n### ",
	"\n|a|b|\n|-|:-:|\n",
	"\n| ",
	" | ",
	"\n---\n",
	"\n    ",
	"](http://a.b/c)",
	"[x]: http://y\n",
	"[x]",
	"![",
	"<http://a.b>",
	"https://a.b/c?d=e",
	"<b>",
	"<!--",
	"&amp;",
	"&#27;",
	"&#x202e;",
	"<br>",
];

/** Texts that are full of what Markdown means something by. */
export const markdownSoup = fc
	.array(fc.oneof(fc.constantFrom(...MARKS), fc.constantFrom(...WORDS, " "), oddText), { maxLength: 60 })
	.map((parts) => parts.join(""));

/** Some odd lines. */
export const oddLines = fc.array(oddText, { maxLength: 12 }).map((lines) => lines.join("\n"));

/** Widths, the smallest more often. */
export const anyWidth = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 120 }));
