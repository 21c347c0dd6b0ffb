import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import { type RowFacts, rowMeets } from "../../../src/catalog/query/conditions.ts";
import { fold } from "../../../src/catalog/query/fold.ts";
import { maskOf } from "../../../src/catalog/query/kinds.ts";
import { parseQuery, type Query } from "../../../src/catalog/query/parse-query.ts";
import { readingNote, unknownFields } from "../../../src/catalog/query/propose.ts";
import { caseCount } from "../../support/cases.ts";
import { makeRow } from "../../support/rows.ts";

const NO_FACTS: RowFacts = {
	live: new Set(),
	marks: NO_MARKS,
	counts: new Map(),
	fileNames: new Set(),
	runs: new Map(),
	familyCosts: new Map(),
	gone: new Set(),
	branches: new Map(),
	now: Date.parse("2026-11-18T12:00:00"),
};

function terms(text: string): unknown[] {
	const parsed = parseQuery(text);
	return "error" in parsed ? [parsed.error] : parsed.query.terms.map((term) => term.needle ?? term.regex ?? "*");
}

function read(text: string): Query {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return parsed.query;
}

describe("parseQuery", () => {
	test.each([
		["retry Loop", ["retry", "loop"]],
		["019b8d3c-2196#c49bee5b", ["019b8d3c-2196", "c49bee5b"]],
		['"019b8d3c#c49bee5b" lib#1 face#b', ["019b8d3c#c49bee5b", "lib#1", "face#b"]],
		['"retry loop" x', ["retry loop", "x"]],
		["std::vector http://x 12:30 C:\\x foo:bar", ["std::vector", "http://x", "12:30", "c:\\x", "foo:bar"]],
		["!important ! key=val", ["!important", "!", "key=val"]],
		['label:"to do"', ["to do"]],
		["role:user", ["*"]],
		["tool:bash", ["*"]],
		["is:running", []],
		["", []],
		["Straße ÉTÉ e\u0301", ["straße", "été", "é"]],
		["日本 語", ["日本", "語"]],
		['{"type":"x"} say"hi', ['{"type":"x"}', 'say"hi']],
		["cannot open file: no such name: x", ["cannot", "open", "file:", "no", "such", "name:", "x"]],
	])("%s", (text, expected) => expect(terms(text)).toEqual(expected));

	test.each([
		['"parser bug', ["parser bug"]],
		['say "hi there', ["say", "hi there"]],
		['label:"to d', ["to d"]],
		['retry "', ["retry"]],
	])("a quote that is open reaches to the end: %s", (text, expected) => expect(terms(text)).toEqual(expected));

	test.each([
		["re:a b|c", ["a b|c"]],
		["x re:a+b", ["x", "a+b"]],
		["x re:a+ b", ["x", "a+ b"]],
		["re: a b", ["a b"]],
		["re:/a b/ c", ["a b", "c"]],
		['re:"a b" c', ["a b", "c"]],
		["re:/usr/local", ["/usr/local"]],
		["re:/a/b /", ["a/b "]],
		["re:x re:y", ["x", "y"]],
	])("re: takes all up to the next field, or what is between slashes or quotes: %s", (text, expected) => {
		expect(terms(text)).toEqual(expected);
	});

	test("re: at the beginning leaves room for fields", () => {
		const { terms: found } = read("re:bug was role:assistant");
		expect(found).toEqual([{ regex: "bug was", kinds: expect.any(Number) }]);
		expect(found[0]?.kinds).toBe(read("x role:assistant").terms[0]?.kinds);
	});

	test("fields are known in upper case too", () => {
		expect(read("Role:User x")).toEqual({ ...read("role:user x"), text: "Role:User x" });
		expect(read("CWD:api")).toEqual({ ...read("cwd:api"), text: "CWD:api" });
		expect(read("IS:Named").conditions).toEqual([{ field: "is", value: "named", not: false }]);
	});

	test.each([
		["re:(", /^The pattern is not valid: .*\.$/],
		["re:(?=x)", /^The pattern is not valid: .*\.$/],
		["re:", /^re: needs a pattern after it\.$/],
		["role:me", /^role:me is not known\. There are role:user, /],
		["role:usr", /^role:usr is not known\. Did you mean role:user\?/],
		["in:nowhere", /in:summary/],
		["in:constructor", /^in:constructor is not known/],
		["in:__proto__", /^in:__proto__ is not known/],
		["is:__proto__", /^is:__proto__ is not known/],
		["is:constructor", /^is:constructor is not known/],
		["is:today", /^is:today is not known\. There are is:waiting, is:asks, .* and more\.$/],
		["is:nmaed", /Did you mean is:named\?/],
		["is:live", /Did you mean is:running\?/],
		["bug role:", /^role: needs one of role:user, /],
		["label:", /^label: needs a word after it; "label:" in quotes is text\.$/],
	])("says what is wrong with %s", (text, expected) => expect(terms(text)).toEqual([expect.stringMatching(expected)]));

	test("scopes narrow the plain terms, and fields keep their own kinds", () => {
		const query = read("role:user x label:y tool:Bash is:Running");
		expect(query.terms.map((term) => term.kinds)).toEqual([maskOf(["title", "user"]), maskOf(["label"])]);
		expect(query.terms.map((term) => term.tool)).toEqual(["bash", "bash"]);
		expect(query.conditions).toEqual([{ field: "is", value: "running", not: false }]);
	});

	test("an invalid condition holds for no session, whatever its name", () => {
		for (const word of ["__proto__", "constructor", "toString", "hasOwnProperty", "foo"])
			expect([word, rowMeets(makeRow("a"), [{ field: "is", value: word, not: false }], NO_FACTS)]).toEqual([
				word,
				false,
			]);
	});

	test("no text throws, and the same text gives the same query", () => {
		const piece = fc.oneof(
			fc.constantFrom(
				"re:",
				"is:",
				"in:",
				"role:",
				"label:",
				"__proto__",
				"constructor",
				'"',
				"/",
				"\\",
				"(",
				"[",
				" ",
			),
			fc.constantFrom("\\E", "\\Q", "{1001}", "(?i)", "re:/", "C:\\", "http://", "roel:", "e\u0301", "\ud800", "🏳️‍🌈"),
			fc.string({ unit: "binary", maxLength: 6 }),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
				const text = pieces.join("");
				expect(parseQuery(text)).toEqual(parseQuery(text));
				readingNote(text);
			}),
			{ numRuns: caseCount(25, 200) },
		);
	});
});

test("a query has up to 30 parts; a pasted text with very many patterns is refused without parsing all of them", () => {
	expect(terms("a ".repeat(30))).toHaveLength(30);
	for (const part of ["a ", "re:a ", 're:"a ', "re:/a "])
		for (const count of [31, 100_000]) expect(terms(part.repeat(count)), part).toEqual([TOO_MANY]);
});

const TOO_MANY = "A query may have up to 30 parts; this one has more.";

describe("readingNote", () => {
	test.each([
		["roel:user bug", "did you mean role:user?"],
		["Lable:todo", "did you mean label:todo?"],
		["user:bob", "did you mean role:user?"],
		["date:2026", "did you mean on:2026?"],
		["projct:x", "did you mean project:x?"],
		["status:failed", "did you mean is:failed?"],
		["author:me", "did you mean role:user?"],
		["price:x", "did you mean cost:?"],
		["foo:bar", "fields are project: since: is:"],
	])("%s: %s", (text, note) => expect(readingNote(text)).toContain(note));

	test.each(["http://x", "std::vector", "12:30", "C:\\x", "d:/x", "role:user", '"roel:user"', "re:roel:x", "a: b"])(
		"nothing is said of %s",
		(text) => expect(readingNote(text)).toBeUndefined(),
	);
});

test("words that look like fields are known, with the query that was probably meant", () => {
	const asked = "bug status:failed author:me price:x foo:bar http://x is:named";
	expect(unknownFields(asked).map(({ word, meant }) => [word, meant])).toEqual([
		["status:failed", "is:failed"],
		["author:me", "role:user"],
		["price:x", "cost:"],
		["foo:bar", undefined],
	]);
	expect(unknownFields("bug -status:live")[0]?.query).toBe("bug -is:running");
});

test("fold makes different spellings of the same text equal", () => {
	expect(fold("ΟΔΟΣ")).toBe(fold("οδοσ"));
	expect(fold("e\u0301É")).toBe("éé");
	expect(fold("\u212aelvin")).toBe("kelvin");
});
