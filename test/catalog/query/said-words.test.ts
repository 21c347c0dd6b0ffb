import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchText, spanOf } from "../../../src/catalog/query/match.ts";
import { plainWordOf, saidWords } from "../../../src/catalog/query/said-words.ts";
import { caseCount } from "../../support/cases.ts";
import { assistant, message, user } from "../../support/session-builder.ts";
import { termOf } from "../../support/term.ts";

const said = (text: string) => saidWords(JSON.parse(user("e1", null, 1, text)));

describe("the words that a person has said", () => {
	test("are in lower case, without accents, and between anything that is no letter, digit or underscore", () => {
		expect(said("The Retry-loop: re_try2, réTRY “x”")).toEqual(["the", "retry", "loop", "re_try2", "retry", "x"]);
		expect(saidWords(JSON.parse(assistant("e1", null, 1, "an answer")))).toEqual([]);
		const content = [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }];
		expect(saidWords(JSON.parse(message("e1", null, 1, { role: "user", content })))).toEqual(["one", "two"]);
	});

	test("are not told where an accent stands alone, or there are very many", () => {
		expect(said("7\u0301retry")).toBeUndefined();
		expect(said("x ".repeat(600_000))).toBeUndefined();
	});

	test("have every word that a search would find there as a whole word", () => {
		const parts = [
			"retry",
			"Retry",
			"RÉTRY",
			"re\u0301try",
			"loop",
			"2",
			"_",
			"-",
			" ",
			"\n",
			"é",
			"ß",
			"İ",
			"ς",
			"К",
			"\u0301",
		];
		const astral = ["\ud835\udcb3", "\ud835", "\u{1f600}", "日本", "\u0e01\u0e31"];
		const text = fc.array(fc.constantFrom(...parts, ...astral), { maxLength: 7 }).map((all) => all.join(""));
		const terms = ["retry", "loop", "2", "retry2", "_", "ss", "i"].map(termOf);
		let whole = 0;
		fc.assert(
			fc.property(text, (some) => {
				const words = said(some);
				for (const term of terms) {
					const { needle = "" } = term;
					const searched = new SearchText("user", some);
					if (!searched.folded.includes(needle) && !searched.bare.includes(needle)) continue;
					if (!spanOf(searched, term).word || words === undefined) continue;
					whole += 1;
					expect(words, some).toContain(plainWordOf(term));
				}
			}),
			{ numRuns: caseCount(400) * 10 },
		);
		expect(whole).toBeGreaterThan(20);
	});

	test("can be asked for single words only", () => {
		expect(["retry", "Retry2", "x_y"].map((text) => plainWordOf(termOf(text)))).toEqual(["retry", "retry2", "x_y"]);
		for (const text of ['"re try"', "re-try", "rétry", "/retry/", "ретрай"])
			expect(plainWordOf(termOf(text))).toBeUndefined();
	});
});
