import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completionsFor, fieldsForWord } from "../../../src/catalog/query/complete.ts";
import { FIELDS } from "../../../src/catalog/query/fields.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";

const FACTS = {
	projects: ["pi-grove", "parser", "my site", "Grün"],
	tags: ["todo", "keep it"],
	agents: ["scout", "doc writer"],
};

function proposed(text: string, cursor = text.length): string[] {
	return completionsFor(text, cursor, FACTS).map((one) => text.slice(0, one.start) + one.text + text.slice(one.end));
}

describe("completionsFor", () => {
	test.each([
		["mes:", ["messages:"]],
		["-mes:", ["-messages:"]],
		["bug PROJ:pa", ["bug project:parser"]],
		["to:", ["tool:", "tokens:"]],
		["c:", ["cmd:", "cwd:", "cost:"]],
		["si:y", ["since:yesterday"]],
		["-pr:site", ['-project:"my site"']],
		['ta:"k', ['tag:"keep it"']],
		["project:", ["project:pi-grove", "project:parser", 'project:"my site"', "project:Grün"]],
		["project:pa", ["project:parser"]],
		["project:grun", ["project:Grün"]],
		["-project:grove", ["-project:pi-grove"]],
		['project:"my', ['project:"my site"']],
		["tag:k", ['tag:"keep it"']],
		["-#t", ["-#todo"]],
		["#k", ['tag:"keep it"']],
		["ag:", ["agent:scout", 'agent:"doc writer"']],
		["-agent:writ", ['-agent:"doc writer"']],
		["ru:", ["runs:"]],
		["is:pi", ["is:pinned"]],
		["role:u", ["role:user"]],
		["since:y", ["since:yesterday"]],
	])("%s becomes %j", (text, expected) => expect(proposed(text)).toEqual(expected));

	test.each([
		["bug", "a plain word"],
		["mes", "a word that is the beginning of a field"],
		["std:", "no field"],
		["", "nothing"],
		["bug ", "the next word"],
		['"in a phrase na', "a phrase"],
		['"in a phrase #to', "a phrase"],
		["is:pinned", "a whole value"],
		["cost:>", "a number"],
		["http:", "no field"],
		["label:to", "a value that may be anything"],
	])("%s: nothing is proposed for %s", (text) => expect(proposed(text)).toEqual([]));

	test("in a shell a word is completed to the fields that begin so", () => {
		const fields = (word: string) => fieldsForWord(word).map(({ text, start }) => word.slice(0, start) + text);
		expect(fields("si")).toEqual(["since:", "size:"]);
		expect(fields("-MES")).toEqual(["-messages:"]);
		expect(fields("on")).toEqual(["on:"]);
		for (const word of ["", "x", "a b", '"na', "si:"]) expect(fields(word), word).toEqual([]);
	});

	test("only the word before the cursor changes, and never in the middle of a word", () => {
		expect(proposed("cos: bug", 4)).toEqual(["cost: bug"]);
		expect(proposed("cost:bug", 5)).toEqual([]);
	});

	test("whatever is typed: nothing throws, and a completion is a field or a valid query", () => {
		const text = fc.array(fc.constantFrom("is:", "project:", "-", '"', " ", "na", "since:", "to", "p:", ":"), {
			maxLength: 8,
		});
		fc.assert(
			fc.property(text, fc.nat({ max: 30 }), (parts, at) => {
				const typed = parts.join("");
				const cursor = Math.min(at, typed.length);
				for (const { start, end, text: becomes, isWhole } of completionsFor(typed, cursor, FACTS)) {
					expect(start).toBeLessThanOrEqual(end);
					expect(end).toBe(cursor);
					const before = /(\S*)$/.exec(typed.slice(0, start))?.[1] ?? "";
					if (isWhole) expect(parseQuery(before.replace(/^-?/, "") + becomes)).toHaveProperty("query");
					else expect(FIELDS.has(becomes.slice(0, -1))).toBe(true);
				}
			}),
		);
	});
});
