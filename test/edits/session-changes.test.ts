import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StartText } from "../../src/edits/follow-files.ts";
import { type ChangeSpan, type SessionChanges, sessionChanges } from "../../src/edits/session-changes.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();

function start(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", "/work", Date.UTC(2026, 0, 1));
}

async function changesOf(
	one: EditingSession,
	span: ChangeSpan = { to: one.leaf ?? "" },
	starts?: ReadonlyMap<string, StartText>,
): Promise<SessionChanges> {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, one.text);
	return runToEnd(sessionChanges(await readSession(path), span, { home: "/home/x", starts }));
}

test("all edits of a file together, from before the first to after the last, in the order of the session", async () => {
	const one = start();
	one.prompt("Go");
	one.disk.set("/work/b.ts", "1\n2\n3\n");
	one.disk.set("/work/a.ts", "1\n");
	one.read("b.ts");
	one.edit("b.ts", [{ oldText: "2", newText: "two" }]);
	const middle = one.prompt("Now a");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "1", newText: "one" }]);
	one.bash("ls -l | head");
	one.edit("b.ts", [{ oldText: "3", newText: "three" }]);
	one.bash("npm test");
	const { files, commands } = await changesOf(one);
	expect(files).toMatchObject([
		{ path: "/work/b.ts", answer: "exact", why: "", before: "1\n2\n3\n", after: "1\ntwo\nthree\n" },
		{ path: "/work/a.ts", answer: "exact", why: "", before: "1\n", after: "one\n" },
	]);
	expect(commands.map(({ text }) => text)).toEqual(["npm test"]);
	const later = await changesOf(one, { from: middle, to: one.leaf ?? "" });
	expect(later.files.map(({ before, after, edits }) => [before, after, edits.length])).toEqual([
		["1\n", "one\n", 1],
		["1\ntwo\n3\n", "1\ntwo\nthree\n", 1],
	]);
});

test("what a command did to a file between its first sight and its first edit belongs to the session", async () => {
	const one = start();
	one.prompt("Go");
	one.disk.set("/work/a.ts", "1\n2\n3\n");
	one.read("a.ts");
	one.bash("sed -i s/1/one/ a.ts");
	one.disk.set("/work/a.ts", "one\n2\n3\n");
	const middle = one.prompt("And now");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	const { files } = await changesOf(one);
	expect(files).toMatchObject([{ answer: "exact", why: "", before: "1\n2\n3\n", after: "one\ntwo\n3\n" }]);
	const later = await changesOf(one, { from: middle, to: one.leaf ?? "" });
	expect(later.files).toMatchObject([{ answer: "exact", before: "one\n2\n3\n", after: "one\ntwo\n3\n" }]);
});

test("a part of a session begins with the file as it was then, also if something else changed it before the first edit", async () => {
	const one = start();
	one.disk.set("/work/a.ts", "1\n2\n3\n");
	const early = one.prompt("Go");
	one.bash("sed -i s/1/one/ a.ts", () => one.disk.set("/work/a.ts", "one\n2\n3\n"));
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.bash("npm test");
	const middle = one.prompt("Begin again");
	one.bash("git checkout -- a.ts", () => one.disk.set("/work/a.ts", "1\n2\n3\n"));
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "3", newText: "three" }]);
	const to = one.leaf ?? "";
	const later = await changesOf(one, { from: middle, to });
	expect(later.files).toMatchObject([{ answer: "likely", before: "one\ntwo\n3\n", after: "1\n2\nthree\n" }]);
	expect(later.files[0]?.why).toContain("something else changed it before its first edit");
	// The session had not seen it at the beginning: only a commit tells what it was.
	const all = await changesOf(one, { from: early, to });
	expect(all.files).toMatchObject([{ answer: "likely", before: "one\n2\n3\n", isSeenLate: true }]);
	expect(all.files[0]?.why).toBe("sed -i s/1/one/ a.ts ran before its first edit, and what it changed is left out");
	const starts = new Map([["/work/a.ts", { text: "1\n2\n3\n", why: "commit 4be19c2" }]]);
	const fromCommit = await changesOf(one, { from: early, to }, starts);
	expect(fromCommit.files).toMatchObject([{ answer: "likely", before: "1\n2\n3\n", after: "1\n2\nthree\n" }]);
});

test("what is not known is said: what a file held before it was written, or only edited; what ran in between", async () => {
	const one = start();
	one.prompt("Go");
	one.write("new.ts", "1\n2\n");
	one.disk.set("/work/old.ts", "1\n2\n");
	one.edit("old.ts", [{ oldText: "2", newText: "two" }]);
	one.disk.delete("/work/absent.ts");
	one.read("absent.ts");
	one.write("absent.ts", "1\n");
	one.bash("npm run format");
	one.edit("new.ts", [{ oldText: "2", newText: "two" }]);
	const { files } = await changesOf(one);
	expect(files).toMatchObject([
		{ answer: "likely", before: undefined, after: "1\ntwo\n", why: expect.stringContaining("npm run format") },
		{ answer: "edits", why: "the session had not yet written it or read it whole" },
		{ answer: "exact", before: undefined, after: "1\n", why: "" },
	]);
	// What the commit had is checked by the diff of the edit.
	const why = "before the session it is taken from commit 4be19c2";
	const startOf = (text: string) => new Map([["/work/old.ts", { text, why }]]);
	const [, right] = (await changesOf(one, undefined, startOf("1\n2\n"))).files;
	expect(right).toMatchObject({ answer: "likely", before: "1\n2\n", after: "1\ntwo\n", why });
	const [, wrong] = (await changesOf(one, undefined, startOf("2\n1\n"))).files;
	expect(wrong).toMatchObject({ answer: "edits", why: "something else had changed it before its edit in turn 1" });
});

test("what Git may have put back after the last edit is likely, unless the file was read again", async () => {
	const one = start();
	one.prompt("Go");
	for (const name of ["a.ts", "b.ts", "c.ts"]) {
		one.read(name);
		one.write(name, "1\n");
	}
	one.bash("git checkout -- a.ts b.ts");
	one.bash("npm test");
	one.read("b.ts");
	one.bash("npm run build");
	const { files } = await changesOf(one);
	const later = "later, git checkout -- a.ts b.ts may have put it back";
	expect(files.map(({ answer, why }) => [answer, why])).toEqual([
		["likely", later],
		["exact", ""],
		["exact", ""],
	]);
});

test("what a branch that was left changed is said: in the same file, and in others", async () => {
	const one = start();
	one.prompt("Go");
	const fork = one.write("a.ts", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	one.prompt("One way");
	one.edit("a.ts", [{ oldText: "1", newText: "one" }]);
	one.write("b.ts", "1\n");
	one.leaf = fork;
	one.prompt("Another way");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	const { files, left } = await changesOf(one, { from: fork, to: one.leaf ?? "" });
	expect(files).toMatchObject([
		{ answer: "exact", after: "one\ntwo\n3\n4\n5\n6\n7\n8\n9\n", why: expect.stringContaining("left (turn 2)") },
	]);
	expect(left).toMatchObject([{ path: "/work/b.ts", edits: [{ isActive: false }] }]);
});

test("a file that a command removed after its edits is removed by the session", async () => {
	const one = start();
	one.disk.set("/work/a.ts", "1\n2\n");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.write("b.ts", "1\n");
	one.bash("rm a.ts");
	const { files } = await changesOf(one);
	expect(files).toMatchObject([
		{ answer: "exact", before: "1\n2\n", after: undefined },
		{ before: undefined, after: "1\n" },
	]);
});

test("an edit after a command that has reset the file goes on from the text that it had at first", async () => {
	const one = start();
	one.prompt("Go");
	one.disk.set("/work/a.ts", "1\n2\n3\n");
	one.edit("a.ts", [{ oldText: "1", newText: "one" }]);
	one.bash("git checkout -- a.ts", (disk) => disk.set("/work/a.ts", "1\n2\n3\n"));
	one.edit("a.ts", [{ oldText: "1", newText: "first" }]);
	const starts = new Map([["/work/a.ts", { text: "1\n2\n3\n", why: "it is taken from a commit" }]]);
	expect((await changesOf(one, undefined, starts)).files).toMatchObject([
		{
			answer: "likely",
			before: "1\n2\n3\n",
			after: "first\n2\n3\n",
			why: expect.stringContaining("before its edit in turn 1, which fits the text that it had at first"),
		},
	]);
});
