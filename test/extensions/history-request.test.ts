import { expect, test } from "vitest";
import { CHARS, LIMIT, readRequest } from "../../extensions/history-request.ts";
import { brief } from "../../extensions/text.ts";

test("arguments that are left out have their defaults", () => {
	expect(readRequest({ query: " newline " })).toEqual({
		kind: "search",
		query: "newline",
		everywhere: false,
		limit: LIMIT.usual,
	});
	expect(readRequest({ read: "a#b@7", turn: true, query: null })).toEqual({
		kind: "read",
		address: "a#b@7",
		turn: true,
		chars: CHARS.usual,
	});
});

test.each([
	[{}, "Give either query or read."],
	[{ query: "x", read: "y" }, "Give either query or read."],
	[{ query: " " }, "Give either query or read."],
	[{ query: "x".repeat(200_000) }, "query is too long: it may have 4000 characters, not 200000."],
	[{ read: "x".repeat(200_000) }, "read is too long: it may have 4000 characters, not 200000."],
	[{ query: ["a", "b"] }, "query must be a string."],
	[{ query: 5 }, "query must be a string."],
	[{ query: { toString: 1 } }, "query must be a string."],
	[{ query: "a\0b" }, "query contains a NUL character, which no text has."],
	[{ query: "a", limit: 0 }, "limit must be a whole number from 1 to 20."],
	[{ query: "a", limit: "3" }, "limit must be a whole number from 1 to 20."],
	[{ query: "a", everywhere: "yes" }, "everywhere must be true or false."],
	[{ read: "a", chars: -1 }, "chars must be a whole number from 1 to 40000."],
	[{ read: "a", chars: 1e9 }, "chars must be a whole number from 1 to 40000."],
	[{ read: "a", chars: Number.NaN }, "chars must be a whole number from 1 to 40000."],
	[{ read: "a", turn: [] }, "turn must be true or false."],
])("%j is refused with a plain sentence", (given, sentence) => {
	expect(() => readRequest(given)).toThrow(new Error(sentence));
});

test("whatever the arguments are, the call is drawn", () => {
	for (const value of [undefined, null, [], { toString: 1 }, 7]) expect(brief(value)).toBe("");
	expect(brief("a\n\u202eb")).toBe("a b");
});
