import fc from "fast-check";
import { expect, test } from "vitest";
import { visible, visiblePlaces } from "../../../src/catalog/query/hidden.ts";
import { holdsTerm, SearchText, spanOf } from "../../../src/catalog/query/match.ts";
import { makeSnippet, rangesIn } from "../../../src/catalog/query/snippet.ts";
import { caseCount } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { oddText } from "../../support/random-text.ts";

/** Characters that do not show, and a sequence of them beyond the first plane. */
const hidden = fc.constantFrom(
	..."\u00ad\u034f\u061c\u180b\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufe0f\ufeff",
	"\u{e0101}",
	"\u{e0041}\u{e007f}",
);
const word = fc.constantFrom(
	"retry",
	"don't",
	"\u0645\u06cc\u062e\u0648\u0627\u0647\u0645",
	"caf\u00e9",
	"\u691c\u7d22",
	"a-b",
);

/** A word with some of them in it. */
const strewn = fc
	.tuple(word, fc.array(fc.tuple(fc.nat({ max: 12 }), hidden), { minLength: 1, maxLength: 4 }))
	.map(([plain, some]) => {
		const letters = [...plain];
		for (const [at, one] of some) letters.splice(at % (letters.length + 1), 0, one);
		return { plain, text: letters.join("") };
	});

test("what does not show never counts, typed or stored, and stays in the text that is shown", () => {
	fc.assert(
		fc.property(strewn, oddText, oddText, ({ plain, text }, before, after) => {
			// Accents behind the word, or what joins it to others, would make it another one.
			const said = `${before.normalize("NFC")} ${text} ${after.normalize("NFC")}`;
			for (const typed of [plain, text]) {
				const [term] = queryOf(`"${typed}"`).terms;
				if (term === undefined) throw new Error("no term");
				const source = new SearchText("user", said);
				expect(holdsTerm(source, term)).toBe(true);
				const { text: shown, ranges } = makeSnippet(
					new SearchText("user", text),
					spanOf(new SearchText("user", text), term),
					[term],
				);
				expect(shown).toBe(text.replaceAll("\ufeff", " ").replace(/ +/g, " ").trim());
				expect(ranges.map(([start, end]) => visible(shown.slice(start, end)).replace(/\s/g, ""))).toEqual(
					/\s/.test(shown) ? ranges.map(() => expect.any(String)) : [plain],
				);
			}
		}),
		{ numRuns: caseCount(200) },
	);
});

test("each unit of the visible text has its place", () => {
	fc.assert(
		fc.property(
			fc.oneof(
				oddText,
				strewn.map(({ text }) => text),
			),
			(text) => {
				const places = visiblePlaces(text);
				const seen = visible(text);
				expect(places).toHaveLength(seen.length + 1);
				expect(
					places
						.slice(0, -1)
						.map((place) => text[place])
						.join(""),
				).toBe(seen);
			},
		),
		{ numRuns: caseCount(200) },
	);
});

test.each([
	["don't", "don’t do it", "don’t"],
	["don’t", "don't do it", "don't"],
	["re-try", "a re–try", "re–try"],
	["re—try", "a re-try", "re-try"],
	['"say “no”"', 'he may say "no"', undefined],
	["5-3", "it is 5−3", "5−3"],
	["'tis", "‘tis", "‘tis"],
])("typographic signs are the plain ones: %s in %s", (typed, text, found) => {
	const { terms } = queryOf(typed);
	const ranges = rangesIn(text, terms);
	if (found !== undefined) expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual([found]);
	for (const term of terms) expect(holdsTerm(new SearchText("user", text), term)).toBe(true);
});

test("typographic quotes enclose a phrase like plain ones", () => {
	expect(queryOf("“retry loop” -„no go“").terms.map(({ needle }) => needle)).toEqual(["retry loop"]);
	expect(queryOf("“retry loop” -„no go“").without.map(({ needle }) => needle)).toEqual(["no go"]);
});
