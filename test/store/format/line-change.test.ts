import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineChange } from "../../../src/store/format/tool-change.ts";
import { caseCount } from "../../support/cases.ts";

const lines = fc.array(fc.constantFrom("a", "b", "-- c", "++ d", "@@ e", "", "  1 f"), { maxLength: 12 });

test("the lines of a unified diff, whatever they begin with", () => {
	fc.assert(
		fc.property(lines, lines, (before, after) => {
			const diff = createTwoFilesPatch("a", "b", before.join("\n"), after.join("\n"));
			const body = diff.slice(diff.indexOf("@@ "));
			const expected = {
				added: diff.includes("@@ ") ? body.split("\n").filter((line) => line.startsWith("+")).length : 0,
				removed: diff.includes("@@ ") ? body.split("\n").filter((line) => line.startsWith("-")).length : 0,
			};
			expect(lineChange("edit", {}, { diff })).toEqual(expected);
		}),
		{ numRuns: caseCount(300) },
	);
});

test("the lines of a diff as pi writes it", () => {
	const diff = "   1 import x;\n-  2 import chalk;\n+  2 import { theme };\n+  3 --- y\n     ...\n- 20 z";
	expect(lineChange("edit", {}, { diff })).toEqual({ added: 2, removed: 2 });
});

test("without a diff, the lines that differ in the edits", () => {
	const edits = [
		{ oldText: "a\nb\nc", newText: "a\nB\nBB\nc" },
		{ oldText: "x", newText: "x\ny" },
	];
	expect(lineChange("edit", { edits }, undefined)).toEqual({ added: 3, removed: 1 });
	expect(lineChange("edit", { oldText: "a\nb", newText: "a" }, undefined)).toEqual({ added: 0, removed: 1 });
});

test("a written file gains its lines; other tools change none", () => {
	expect(lineChange("write", { content: "a\nb\n" }, undefined)).toEqual({ added: 2, removed: 0 });
	expect(lineChange("write", { content: 5 }, undefined)).toEqual({ added: 0, removed: 0 });
	expect(lineChange("bash", { content: "a" }, { diff: "+a" })).toBeUndefined();
});

test("a line of a minified file, however long, is one line", () => {
	const [before, after] = ["a".repeat(1_100_000), "b".repeat(1_100_000)];
	const edits = [{ oldText: before, newText: after }];
	const expected = { added: 1, removed: 1 };
	expect(lineChange("edit", {}, { diff: `-1 ${before}\n+1 ${after}` })).toEqual(expected);
	expect(lineChange("edit", {}, { diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${before}\n+${after}\n` })).toEqual(expected);
	expect(lineChange("edit", { edits }, undefined)).toEqual(expected);
	expect(lineChange("write", { content: `${before}\n${after}` }, undefined)).toEqual({ added: 2, removed: 0 });
});
