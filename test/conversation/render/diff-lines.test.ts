import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DiffLine, parseDiff } from "../../../src/conversation/render/diff-lines.ts";
import { editLines, writtenLines } from "../../../src/conversation/render/edit-lines.ts";
import { loadRenderers } from "../../../src/conversation/render/renderers.ts";

const SIGNS = { same: " ", added: "+", removed: "-", gap: "…", note: "!" } as const;

/** "-3,4 text": sign, old number, new number, text. */
function told(lines: Iterable<DiffLine>): string[] {
	return Array.from(lines, ({ kind, before, after, text }) => `${SIGNS[kind]}${before ?? ""},${after ?? ""} ${text}`);
}

describe("pi's own diffs", () => {
	test("an unchanged line has its old number, and gets its new one", () => {
		expect(told(parseDiff("  1 a\n- 2 b\n- 3 c\n+ 2 B\n  4 d\n+ 4 e\n  5 f"))).toEqual([
			" 1,1 a",
			"-2, b",
			"-3, c",
			"+,2 B",
			" 4,3 d",
			"+,4 e",
			" 5,5 f",
		]);
	});

	test("an unchanged line may have its new number instead", () => {
		expect(told(parseDiff("  1 a\n- 2 b\n+ 2 B\n+ 3 C\n  4 d\n  5 e\n- 5 f"))).toEqual([
			" 1,1 a",
			"-2, b",
			"+,2 B",
			"+,3 C",
			" 3,4 d",
			" 4,5 e",
			"-5, f",
		]);
	});

	test("numbers that started over after a gap are corrected", () => {
		const diff = "     ...\n   1 a\n   2 b\n- 32 c\n+ 32 C\n  33 d\n     ...\n  34 y\n  35 z\n-118 e";
		expect(told(parseDiff(diff))).toEqual([
			"…, ",
			" 30,30 a",
			" 31,31 b",
			"-32, c",
			"+,32 C",
			" 33,33 d",
			"…, ",
			" 116,116 y",
			" 117,117 z",
			"-118, e",
		]);
	});

	test("numbers that started over are corrected before added lines, too", () => {
		expect(told(parseDiff("    ...\n  1 a\n  2 b\n+21 x\n+22 y\n 21 c\n-22 d"))).toEqual([
			"…, ",
			" 19,19 a",
			" 20,20 b",
			"+,21 x",
			"+,22 y",
			" 21,23 c",
			"-22, d",
		]);
	});

	test("texts stay as they are: tabs, spaces, what looks like a sign or a number", () => {
		expect(told(parseDiff("- 9 \t- 1 x\n+ 9   \n+10 "))).toEqual(["-9, \t- 1 x", "+,9   ", "+,10 "]);
		expect(told(parseDiff("+ 1 a\nno number\n+ 2 b"))).toEqual(["+,1 a", "!, no number", "+,2 b"]);
	});
});

describe("unified diffs", () => {
	test("lines are numbered by their hunks, whatever the stated lengths", () => {
		const diff =
			"--- a/x\n+++ b/x\n@@ -30,8 +40,7 @@ function f()\n a\n-b\n+c\n\n@@ -50 +60 @@\n-d\n\\ No newline at end of file\n";
		expect(told(parseDiff(diff))).toEqual([
			"…, function f()",
			" 30,40 a",
			"-31, b",
			"+,41 c",
			" 32,42 ",
			"…, ",
			"-50, d",
			"!, \\ No newline at end of file",
		]);
	});

	test("a removed line may begin with minus signs; the next file is named", () => {
		const diff = "@@ -1,2 +1,2 @@\n--- a comment\n+-- b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n";
		expect(told(parseDiff(diff))).toEqual([
			"-1, -- a comment",
			"+,1 -- b",
			"!, diff --git a/y b/y",
			"!, --- a/y",
			"!, +++ b/y",
			"…, ",
			"-1, 1",
			"+,1 2",
		]);
	});

	test("lines with only signs have no numbers", () => {
		expect(told(parseDiff("-a\n+b\r\n c\r\n"))).toEqual(["-, a", "+, b", " , c"]);
		expect(told(parseDiff(""))).toEqual([]);
	});
});

function counted(diff: string): { added: number; removed: number } {
	const kinds = Array.from(parseDiff(diff), ({ kind }) => kind);
	const count = (wanted: DiffLine["kind"]) => kinds.filter((kind) => kind === wanted).length;
	return { added: count("added"), removed: count("removed") };
}

test("the diffs of the demo and of pi's fixture are counted as their lines say", () => {
	const roots = ["demo/work/api", "demo/work/site", "fixtures"];
	const files = roots.flatMap((root) => readdirSync(root).map((name) => join(root, name)));
	const diffs = files
		.filter((file) => file.endsWith(".jsonl"))
		.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/"diff":("(?:[^"\\]|\\.)*")/g)])
		.map(([, json = ""]) => String(JSON.parse(json)));
	expect(diffs.length).toBeGreaterThan(3);
	for (const diff of diffs) {
		const lines = diff.split("\n").filter((line) => !/^(?:---|\+\+\+) /.test(line));
		expect(counted(diff)).toEqual({
			added: lines.filter((line) => line.startsWith("+")).length,
			removed: lines.filter((line) => line.startsWith("-")).length,
		});
	}
});

describe("edits", () => {
	test("lines are compared, and edits have a gap between them", async () => {
		const renderers = await loadRenderers();
		const edits = [
			{ oldText: "a\nb\nc\nd\n", newText: "a\nB\nc\nD\n" },
			{ oldText: "x", newText: "" },
		];
		const lines = [" , a", "-, b", "+, B", " , c", "-, d", "+, D", "…, ", "-, x"];
		expect(told(editLines(edits, renderers))).toEqual(lines);
	});

	test("without the library, or if too much differs, only the ends are the same", async () => {
		const ends = [" , a", "-, b", "-, c", "-, d", "+, B", "+, c", "+, D", " , e"];
		expect(told(editLines([{ oldText: "a\nb\nc\nd\ne", newText: "a\nB\nc\nD\ne" }], undefined))).toEqual(ends);
		const long = (letter: string) => Array.from({ length: 1500 }, (_, index) => `${letter}${index}\n`).join("");
		const edit = { oldText: `same\n${long("a")}end`, newText: `same\n${long("b")}end` };
		const lines = told(editLines([edit], await loadRenderers()));
		expect(lines).toHaveLength(3002);
		expect([lines[0], lines[1], lines[1501], lines[3001]]).toEqual([" , same", "-, a0", "+, b0", " , end"]);
	});

	test("all lines of a written file are new", () => {
		expect(told(writtenLines("a\n\nb\n"))).toEqual(["+,1 a", "+,2 ", "+,3 b"]);
	});
});
