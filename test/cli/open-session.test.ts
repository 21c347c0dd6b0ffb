import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let parser: string;
beforeEach(() => {
	({ parser } = threeSessions(sandbox));
});

/** The id in the name of a session's file. */
const idOf = (path: string): string => basename(path, ".jsonl").replace(/^.*_/, "");

/** What the program says instead of opening a session, with a terminal and without. */
function refusal(word: string): string {
	const { code, err } = run(sandbox, [word]);
	expect(code).toBe(2);
	return err.trim();
}

test("a path opens the tree of that session, among all others", async () => {
	const other = join(sandbox.home, "link");
	symlinkSync(join(parser, ".."), other);
	// How a word names a session, the tests of its opening say.
	const terminal = sandbox.start([join(other, basename(parser))]);
	expect(await terminal.waitFor("Stream it instead")).toContain("› Refactor the parser");
	await terminal.waitFor("/ filter");
	terminal.press("left");
	await terminal.waitFor("3 sessions");
});

test("a file anywhere else is opened with those beside it", async () => {
	const elsewhere = join(sandbox.home, "kept here");
	mkdirSync(elsewhere);
	copyFileSync(parser, join(elsewhere, "old.jsonl"));
	const terminal = sandbox.start(["kept here/old.jsonl"]);
	await terminal.waitFor("Stream it instead");
	terminal.press("left");
	await terminal.waitFor(/^ pi-grove .* {2}1 session\b/m);
});

test("what is no session is refused, with the reason", () => {
	writeFileSync(join(sandbox.home, "notes.txt"), "");
	const notSession = /notes\.txt is not a session file: its name does not end in \.jsonl$/;
	expect(refusal("./notes.txt")).toMatch(notSession);
});

test("words that name no session are typed into the filter", async () => {
	const terminal = sandbox.start(["--query", "retry", "loop"]);
	await terminal.waitFor("❯ retry loop");
	await terminal.waitFor(/1(?:\/1| of 3)/);
});

test("an id that several sessions have names them", () => {
	const copy = parser.replace(idOf(parser), "copy");
	copyFileSync(parser, copy);
	const said = refusal(idOf(parser));
	expect(said).toContain("2 sessions have the id");
	expect(said).toContain(copy);
	const start = idOf(parser).slice(0, 9);
	expect(refusal(start)).toMatch(new RegExp(`[34] sessions have an id that begins with ${start}`));
});
