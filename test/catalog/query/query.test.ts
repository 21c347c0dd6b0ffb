import { describe, expect, test } from "vitest";
import { fold } from "../../../src/catalog/query/fold.ts";
import { maskOf } from "../../../src/catalog/query/kinds.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";

function terms(text: string): unknown[] {
	const parsed = parseQuery(text);
	return "error" in parsed ? [parsed.error] : parsed.query.terms.map((term) => term.needle ?? term.regex ?? "*");
}

describe("parseQuery", () => {
	test.each([
		["retry Loop", ["retry", "loop"]],
		['"retry loop" x', ["retry loop", "x"]],
		['say "hi', ["say", '"hi']],
		["re:a b|c", ["a b|c"]],
		["x re:a+b", ["x", "a+b"]],
		["std::vector http://x", ["std::vector", "http://x"]],
		['label:"to do"', ["to do"]],
		["role:user", ["*"]],
		["tool:bash", ["*"]],
		["is:live", []],
		["", []],
		["Straße ÉTÉ e\u0301", ["straße", "été", "é"]],
		["日本 語", ["日本", "語"]],
	])("%s", (text, expected) => expect(terms(text)).toEqual(expected));

	test("says what is wrong with a query", () => {
		expect(terms("re:(")).toEqual([expect.stringMatching(/^The pattern is not valid: .*\.$/)]);
		expect(terms("re:")).toEqual(["re: needs a pattern after it."]);
		expect(terms("role:me")).toEqual([expect.stringMatching(/^role:me is not known; there are role:user, /)]);
		expect(terms("in:nowhere")).toEqual([expect.stringMatching(/in:summary/)]);
	});

	test("scopes narrow the plain terms, and fields keep their own kinds", () => {
		const parsed = parseQuery("role:user x label:y tool:Bash is:Live");
		if ("error" in parsed) throw new Error(parsed.error);
		expect(parsed.query.terms.map((term) => term.kinds)).toEqual([maskOf(["title", "user"]), maskOf(["label"])]);
		expect(parsed.query).toMatchObject({ tool: "bash", is: ["live"] });
	});
});

test("fold makes different spellings of the same text equal", () => {
	expect(fold("ΟΔΟΣ")).toBe(fold("οδοσ"));
	expect(fold("e\u0301É")).toBe("éé");
	expect(fold("\u212aelvin")).toBe("kelvin");
});
