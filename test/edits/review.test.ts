import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Comment } from "../../src/catalog/model/marks.ts";
import {
	excerptLines,
	indexOfLine,
	placeByText,
	placeComments,
	placeName,
	reviewPrompt,
} from "../../src/edits/review.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { COMMENT } from "../support/comments.ts";
import { EditingSession } from "../support/editing-session.ts";
import { NOW } from "../support/rows.ts";
import { tempDir } from "../support/temp-dir.ts";

const at = (text: readonly string[], comment: Partial<Comment> = {}): number | undefined =>
	indexOfLine({ ...COMMENT, ...comment }, text);

test("a line is found where its neighbors are, then where it is nearest to its number", () => {
	expect(at(["zero", "one", "two", "three", "four"])).toBe(3);
	expect(at(["three", "x", "one", "two", "three", "four", "three"])).toBe(4);
	expect(at(["three", "x", "y", "three"], { line: 1 })).toBe(0);
	expect(at(["three", "x", "y", "three"], { line: 4 })).toBe(3);
	expect(at(["one", "two", "3", "four"])).toBeUndefined();
});

test("a line that may be anywhere needs a neighbor, too", () => {
	const bracket = { lines: ["a();", "b();", "}", "", "c();"], index: 2 };
	expect(at(["if (x) {", "}"], bracket)).toBeUndefined();
	expect(at(["if (x) {", "}", "b();", "}"], bracket)).toBe(3);
});

test("the prompt has each line as it is now, with those around it, who wrote it, and the words", async () => {
	const home = tempDir();
	const cwd = join(home, "api");
	mkdirSync(cwd);
	const made = new EditingSession("01a10001-0000-7000-8000-000000000001", cwd, NOW);
	made.prompt("Rotate the tokens");
	const entry = made.write("a.ts", "one\ntwo\nthree\nfour\nfive\n");
	const session = await readSession(made.save(join(home, "agent")));
	const path = join(cwd, "a.ts");
	writeFileSync(path, "new\none\ntwo\nthree\nfour\nfive\n");
	const comment = { ...COMMENT, entry, path, line: 3 };
	const comments: readonly Comment[] = [
		comment,
		{ ...comment, key: "k2", path: join(cwd, "gone.ts"), text: "And\n\n- this" },
		{ ...comment, key: "k3", kind: "removed", text: "Keep it" },
		{ ...comment, key: "k4", path: undefined, line: undefined, kind: "same", lines: ["It is done."], index: 0 },
		{ ...comment, key: "k5", kind: "same", lines: ["no such line"], index: 0 },
	];
	const placed = await placeComments(comments, session, { home, rows: [], isRemote: false });
	expect([...placed.values()].map(({ line, change }) => [line, change])).toEqual([
		[4, "was line 3"],
		[undefined, "removed"],
		[undefined, "the line is gone"],
		[undefined, "the file is gone"],
		[undefined, ""],
	]);
	const text = [...reviewPrompt(placed.values(), session, "Please:")].join("");
	expect(text).toBe(`# Review

Please:

5 comments. Lines have the numbers that they have now; paths are from \`${cwd}\`.

## 1. \`a.ts\`, line 4 (was line 3; turn 1 “Rotate the tokens”)

\`\`\`
  2  one
  3  two
> 4  three
  5  four
  6  five
\`\`\`

Why twice?

## 2. \`a.ts\`, line 3 (removed; turn 1 “Rotate the tokens”)

\`\`\`
  1  one
  2  two
- 3  three
  4  four
  5  five
\`\`\`

Keep it

## 3. \`a.ts\`, line 3 (the line is gone)

\`\`\`
> 3  no such line
\`\`\`

Why twice?

## 4. \`gone.ts\`, line 3 (the file is gone; turn 1 “Rotate the tokens”)

\`\`\`
  1  one
  2  two
> 3  three
  4  four
  5  five
\`\`\`

And

- this

## 5. What was said (turn 1 “Rotate the tokens”)

> It is done.

Why twice?

`);
	expect(placeName(comment, cwd)).toBe("a.ts:3");
	// The files of another machine are not read.
	const [remote] = (await placeComments([comment], session, { home, rows: [], isRemote: true })).values();
	expect(remote).toMatchObject({ line: 3, change: "", excerpt: { first: 1 } });
});

test("nothing that is quoted ends the fence", async () => {
	const made = new EditingSession("01a10001-0000-7000-8000-000000000001", tempDir(), NOW);
	made.prompt("Begin");
	const session = await readSession(made.save(join(tempDir(), "agent")));
	const placed = await placeByText([{ ...COMMENT, lines: ["```", "````", "x"], index: 1 }], true);
	expect([...reviewPrompt(placed.values(), session)].join("")).toContain("\n`````\n");
});

test("a range of lines is named and marked as a whole; of a long one the middle is left out, which is said", async () => {
	const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
	const comment = { ...COMMENT, line: 6, lines: lines.slice(3, 33), index: 2, count: 26 };
	expect(placeName(comment, "/work/api")).toBe("a.ts:6-31");
	const [place] = (await placeByText([comment], true)).values();
	const rows = place === undefined ? [] : excerptLines(place);
	expect(rows.filter((row) => row.startsWith(">"))).toHaveLength(20);
	expect(rows.slice(10, 15)).toEqual([
		"> 14  line 14",
		"> 15  line 15",
		"  … 6 lines left out …",
		"> 22  line 22",
		"> 23  line 23",
	]);
	expect(rows.slice(-2)).toEqual(["  32  line 32", "  33  line 33"]);
});
