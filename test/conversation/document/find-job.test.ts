import { expect, test } from "vitest";
import { textMatcher } from "../../../src/conversation/document/find-job.ts";

test.each([
	["cafe", "a Café, a cafe\u0301!", ["Café", "cafe\u0301"]],
	["café", "a cafe, a CAFÉ, a cafe\u0301", ["CAFÉ", "cafe\u0301"]],
	["a.b(", "axb( A.B(", ["A.B("]],
	["naïve", "naive", []],
	['"a-b"', '“a–b” "a-b"', ["“a–b”", '"a-b"']],
	["か", "が か", ["か"]],
	["елка", "Ёлка", ["Ёлка"]],
])("what is found for %s in %s", (wanted, text, found) => {
	expect(textMatcher(wanted)(text).map(([start, end]) => text.slice(start, end))).toEqual(found);
});
