import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/edits/apply-edits.ts";
import { holdsLines, lineStart } from "../../src/edits/edit-text.ts";
import { toolChange, toolPath } from "../../src/store/format/tool-change.ts";
import { caseCount } from "../support/cases.ts";

const edit = (oldText: string, newText: string) => ({ oldText, newText });

test("all texts are searched for in the file as it was before, in any order", () => {
	expect(applyEdits("a\nb\nc\n", [edit("c", "a"), edit("a", "c")])).toEqual(["c\nb\na\n"]);
});

test("what pi refuses cannot have succeeded", () => {
	expect(applyEdits("a\nb\n", [edit("x", "y")])).toEqual([]);
	expect(applyEdits("a\na\n", [edit("a", "y")])).toEqual([]);
	expect(applyEdits("abc\n", [edit("ab", "x"), edit("bc", "y")])).toEqual([]);
	expect(applyEdits("abc\n", [edit("", "x")])).toEqual([]);
	expect(applyEdits("abc\n", [edit("b", "b")])).toEqual([]);
});

test("a byte order mark stays, and is not part of the text", () => {
	expect(applyEdits("\uFEFFa\n", [edit("a", "b")])).toEqual(["\uFEFFb\n"]);
});

test("line ends become those of the file; if they are mixed, the versions of pi differ", () => {
	expect(applyEdits("a\r\nb\r\n", [edit("a\nb", "x\ny")])).toEqual(["x\r\ny\r\n"]);
	expect(applyEdits("a\r\nb\nc\n", [edit("c", "d")])).toEqual(["a\r\nb\nd\n", "a\r\nb\r\nd\r\n"]);
});

test("text that is not found verbatim is matched loosely: newer versions change only the lines that it touches", () => {
	expect(applyEdits("x \nsay “hi” \n", [edit('"hi"', "ho")])).toEqual(["x \nsay ho\n", "x\nsay ho\n"]);
	expect(applyEdits("a — b\n", [edit("a - b", "c")])).toEqual(["c\n"]);
});

test("the first versions took what follows a $ in the new text as a pattern", () => {
	expect(applyEdits("a b", [{ oldText: "b", newText: "$$&" }], true)).toEqual(["a $$&", "a $&"]);
	expect(applyEdits("a b", [{ oldText: "b", newText: "$$&" }])).toEqual(["a $$&"]);
});

test("arguments are read as pi reads what models send", () => {
	const edits = [edit("a", "b")];
	const known = { tool: "edit", path: "p", edits };
	expect(toolChange("edit", { path: "p", edits })).toEqual({ ...known, isOldForm: false });
	expect(toolChange("edit", { path: "p", edits: JSON.stringify(edits) })).toEqual({ ...known, isOldForm: false });
	expect(toolChange("edit", { path: "p", edits: edit("a", "b") })).toEqual({ ...known, isOldForm: false });
	expect(toolChange("edit", { path: "p", oldText: "a", newText: "b" })).toEqual({ ...known, isOldForm: true });
	expect(toolChange("write", { path: "p", content: "" })).toEqual({ tool: "write", path: "p", content: "" });
	for (const args of [{}, { path: "p" }, { path: "p", edits: [] }, { path: "p", edits: [{ oldText: 1 }] }, null, "x"])
		expect(toolChange("edit", args)).toBeUndefined();
	expect(toolChange("Edit", { path: "p", edits })).toBeUndefined();
});

test("paths are resolved as pi does", () => {
	expect(toolPath("@src/a.ts", "/work", "/home/x")).toBe("/work/src/a.ts");
	expect(toolPath("../b\u00a0c", "/work/api", "/home/x")).toBe("/work/b c");
	expect(toolPath("~/a", "/work", "/home/x")).toBe("/home/x/a");
	expect(toolPath("file:///a/b", "/work", "/home/x")).toBe("/a/b");
	expect(toolPath("a", "", "/home/x")).toBeUndefined();
	expect(toolPath("/a", "", "/home/x")).toBe("/a");
});

test.each([
	["/home/x/work", "/home/x/a"],
	["/Users/ada/work", "/Users/ada/a"],
	["/home/dev", "/home/dev/a"],
	["/root/work", "/root/a"],
	["/Users/Shared/work", "/home/x/a"],
	["/srv/work", "/home/x/a"],
	["", "/home/x/a"],
])("in a session of %s, ~/a is %s", (cwd, path) => {
	expect(toolPath("~/a", cwd, "/home/x")).toBe(path);
});

test("a home below another one is the home of its sessions", () => {
	expect(toolPath("~/a", "/home/group/x/work", "/home/group/x")).toBe("/home/group/x/a");
});

test("lines found by their offset are those of the text cut at its line feeds", () => {
	const texts = ["", "\n", "a", "a\n", "a\nb", "\n\na\n", "ab\na\n\nab"];
	for (const text of texts) {
		const lines = text.split("\n");
		for (let number = 1; number <= lines.length + 1; number++) {
			const start = lineStart(text, number);
			expect(start).toBe(
				number > lines.length ? -1 : lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0),
			);
			for (const line of ["", "a", "ab", "a\nb"])
				expect(start !== -1 && holdsLines(text, start, line)).toBe(
					number <= lines.length && `${lines.slice(number - 1).join("\n")}\n`.startsWith(`${line}\n`),
				);
		}
	}
});

interface Piece {
	readonly text: string;
	readonly isReplaced: boolean;
}

/** Pieces that are all different, "…" being no part of any. */
const pieces = fc
	.array(fc.record({ word: fc.constantFrom("x", "line ", "\n\t", "const a = "), isReplaced: fc.boolean() }), {
		maxLength: 300,
	})
	.map((all) => all.map(({ word, isReplaced }, index): Piece => ({ text: `${word}<${index}>`, isReplaced })));

test("many replacements, in any order, are made at once, with the line ends of the file", () => {
	fc.assert(
		fc.property(pieces, fc.boolean(), fc.constantFrom("", "“", "<0>"), (all, isReturned, bad) => {
			const withEnds = (one: string): string => (isReturned ? one.replaceAll("\n", "\r\n") : one);
			const changed = ({ text: old }: Piece): string => old.toUpperCase().replace("<", "…\n<");
			const fileOf = (words: readonly string[]): string => withEnds(`${words.join("")}\n<0>\n<0>\n`);
			const edits = all
				.filter(({ isReplaced }) => isReplaced)
				.map((piece) => ({ oldText: piece.text, newText: changed(piece) }));
			const before = fileOf(all.map((piece) => piece.text));
			const after = fileOf(all.map((piece) => (piece.isReplaced ? changed(piece) : piece.text)));
			expect(applyEdits(before, edits.toReversed())).toEqual(edits.length === 0 ? [] : [after]);
			// One that is not there, or there more than once, is none of them made.
			if (bad !== "") expect(applyEdits(before, [...edits, { oldText: bad, newText: "y" }])).toEqual([]);
		}),
		{ numRuns: caseCount(100) },
	);
});

test("among many, one that is found loosely has all of them replaced in whole lines", () => {
	const lines = Array.from({ length: 500 }, (_, index) => `say “${index}” \n`);
	const edits = lines.map((_, index) => ({ oldText: `say "${index}"`, newText: `said ${index}` }));
	const both = applyEdits(`${lines.join("")}kept \n`, edits);
	const said = edits.map(({ newText }) => `${newText}\n`).join("");
	expect(both).toEqual([`${said}kept \n`, `${said}kept\n`]);
	expect(applyEdits(lines.join(""), [...edits, { oldText: "say", newText: "" }])).toEqual([]);
});

test("a thousand replacements of one call are made; what a hundred thousand made is not known", () => {
	const made = (count: number): readonly string[] => {
		const names = Array.from({ length: count }, (_, index) => `value${index} =`);
		const before = names.map((name) => `\tconst ${name} call(1);\r\n`).join("");
		const edits = names.map((oldText) => ({ oldText, newText: oldText.replace("value", "v") }));
		return applyEdits(before, edits).map((text) => (text === before.replaceAll("value", "v") ? "all" : text));
	};
	expect(made(1000)).toEqual(["all"]);
	expect(made(100_000)).toEqual([]);
});
