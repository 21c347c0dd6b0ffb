import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ChangeSpan, type SessionChanges, sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDir, tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();
const ID = "01a10000-0000-7000-8000-00000000aaaa";

/** Of a directory that is not here: neither Git nor the disk tells of its files. */
function start(): EditingSession {
	return new EditingSession(ID, "/gone/work", Date.UTC(2026, 0, 1));
}

/** In a repository whose first commit has these files. */
function startIn(files: Readonly<Record<string, string>>): EditingSession {
	const repository = new GitRepository(join(tempDir(), "work"));
	const disk = new Map(Object.entries(files).map(([name, text]) => [repository.file(name), text]));
	repository.put(disk);
	repository.commit(Date.UTC(2026, 0, 1) - 60_000, "Begin");
	return new EditingSession(ID, repository.path, Date.UTC(2026, 0, 1), disk);
}

async function changesOf(one: EditingSession, span: ChangeSpan = { to: one.leaf ?? "" }): Promise<SessionChanges> {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, one.text);
	if (one.cwd !== "/gone/work") one.putDisk();
	return sessionChanges(await readSession(path), span, { home: "/home/x", rows: [] });
}

test("all edits of a file together, from before the first to after the last, in the order of the session", async () => {
	const one = startIn({ "a.ts": "1\n", "b.ts": "1\n2\n3\n" });
	one.prompt("Go");
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
		{ path: `${one.cwd}/b.ts`, answer: "exact", before: "1\n2\n3\n", after: "1\ntwo\nthree\n" },
		{ path: `${one.cwd}/a.ts`, answer: "exact", before: "1\n", after: "one\n" },
	]);
	expect(commands.map(({ text }) => text)).toEqual(["npm test"]);
	const later = await changesOf(one, { from: middle, to: one.leaf ?? "" });
	const changed = new Map(later.files.map(({ path, before, after, edits }) => [path, [before, after, edits.length]]));
	expect(changed).toEqual(
		new Map([
			[`${one.cwd}/a.ts`, ["1\n", "one\n", 1]],
			[`${one.cwd}/b.ts`, ["1\ntwo\n3\n", "1\ntwo\nthree\n", 1]],
		]),
	);
});

test("what a command did to a file between its first sight and its first edit belongs to the session", async () => {
	const one = start();
	one.disk.set("/gone/work/a.ts", "1\n2\n3\n");
	one.prompt("Go");
	one.read("a.ts");
	one.bash("sed -i s/1/one/ a.ts");
	one.disk.set("/gone/work/a.ts", "one\n2\n3\n");
	const middle = one.prompt("And now");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	const { files } = await changesOf(one);
	expect(files).toMatchObject([{ answer: "exact", why: "", before: "1\n2\n3\n", after: "one\ntwo\n3\n" }]);
	const later = await changesOf(one, { from: middle, to: one.leaf ?? "" });
	expect(later.files).toMatchObject([{ answer: "exact", before: "one\n2\n3\n", after: "one\ntwo\n3\n" }]);
});

test("a part of a session begins with the file as it was then, also if a command had changed or reset it", async () => {
	const one = startIn({ "a.ts": "1\n2\n3\n" });
	const file = `${one.cwd}/a.ts`;
	const early = one.prompt("Go");
	one.bash("sed -i s/1/one/ a.ts", () => one.disk.set(file, "one\n2\n3\n"));
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.bash("npm test");
	const middle = one.prompt("Begin again");
	one.bash("git checkout -- a.ts", () => one.disk.set(file, "1\n2\n3\n"));
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "3", newText: "three" }]);
	const to = one.leaf ?? "";
	const later = await changesOf(one, { from: middle, to });
	expect(later.files).toMatchObject([{ answer: "likely", before: "one\ntwo\n3\n", after: "1\n2\nthree\n" }]);
	expect(later.files[0]?.why).toContain("1 command ran since");
	const all = await changesOf(one, { from: early, to });
	expect(all.files).toMatchObject([{ answer: "exact", before: "1\n2\n3\n", after: "1\n2\nthree\n" }]);
});

test("what is not known is said: what a file held before it was written, or only edited; what ran in between", async () => {
	const one = start();
	one.prompt("Go");
	one.write("new.ts", "1\n2\n");
	one.disk.set("/gone/work/old.ts", "1\n2\n");
	one.edit("old.ts", [{ oldText: "2", newText: "two" }]);
	one.disk.delete("/gone/work/absent.ts");
	one.read("absent.ts");
	one.write("absent.ts", "1\n");
	one.bash("npm run format");
	one.edit("new.ts", [{ oldText: "2", newText: "two" }]);
	const { files } = await changesOf(one);
	expect(files).toMatchObject([
		{ answer: "likely", before: undefined, after: "1\ntwo\n", why: expect.stringContaining("whether it existed") },
		{ answer: "edits", why: expect.stringContaining("no session had written it, or read all of it, by then") },
		{ answer: "likely", before: undefined, after: "1\n", why: "1 command ran since (npm run format)" },
	]);
});

test("a text before that was never seen is that of the commit, if the edit fits it", async () => {
	const one = startIn({ "old.ts": "1\n2\n", "other.ts": "2\n1\n" });
	one.prompt("Go");
	one.disk.set(`${one.cwd}/other.ts`, "1\n2\n");
	for (const name of ["old.ts", "other.ts"]) one.edit(name, [{ oldText: "2", newText: "two" }]);
	one.disk.set(`${one.cwd}/other.ts`, "something else\n");
	expect((await changesOf(one)).files).toMatchObject([
		{ answer: "exact", before: "1\n2\n", after: "1\ntwo\n" },
		{ answer: "edits", why: expect.stringContaining("something changed it in between") },
	]);
});

test("what Git put back is as the commit has it in the end, and leaves the other files alone", async () => {
	const one = startIn({ "a.ts": "0\n", "b.ts": "0\n", "c.ts": "0\n" });
	one.prompt("Go");
	for (const name of ["a.ts", "b.ts", "c.ts"]) {
		one.read(name);
		one.write(name, "1\n");
	}
	one.bash("git checkout -- a.ts && python3 -c pass", (disk) => disk.set(`${one.cwd}/a.ts`, "0\n"));
	const { files } = await changesOf(one);
	expect(files.map(({ path, answer, before, after }) => [path.slice(-4), answer, before, after])).toEqual([
		["a.ts", "exact", "0\n", "0\n"],
		["b.ts", "exact", "0\n", "1\n"],
		["c.ts", "exact", "0\n", "1\n"],
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
		{ answer: "likely", after: "one\ntwo\n3\n4\n5\n6\n7\n8\n9\n", why: expect.stringContaining("left (turn 2)") },
	]);
	expect(left).toMatchObject([{ path: "/gone/work/b.ts", edits: [{ isActive: false }] }]);
});

test("a file that a command removed after its edits is removed by the session", async () => {
	const one = startIn({ "a.ts": "1\n2\n" });
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "2", newText: "two" }]);
	one.write("b.ts", "1\n");
	one.bash("rm a.ts", (disk) => void disk.delete(`${one.cwd}/a.ts`));
	const { files } = await changesOf(one);
	expect(files).toMatchObject([
		{ answer: "exact", before: "1\n2\n", after: undefined },
		{ answer: "exact", before: undefined, after: "1\n" },
	]);
});

test("an edit after a command that has reset the file goes on from the text that the commit has", async () => {
	const one = startIn({ "a.ts": "1\n2\n3\n" });
	one.prompt("Go");
	one.edit("a.ts", [{ oldText: "1", newText: "one" }]);
	one.bash("git checkout -- a.ts", (disk) => disk.set(`${one.cwd}/a.ts`, "1\n2\n3\n"));
	one.edit("a.ts", [{ oldText: "1", newText: "first" }]);
	expect((await changesOf(one)).files).toMatchObject([
		{ answer: "exact", before: "1\n2\n3\n", after: "first\n2\n3\n" },
	]);
});

test("a file that is moved before it is changed is a rename, and not two files", async () => {
	const one = startIn({ "a.ts": "1\n2\n" });
	one.prompt("Go");
	one.bash("mv a.ts b.ts", (disk) => {
		disk.set(`${one.cwd}/b.ts`, disk.get(`${one.cwd}/a.ts`) ?? "");
		disk.delete(`${one.cwd}/a.ts`);
	});
	one.edit("b.ts", [{ oldText: "2", newText: "two" }]);
	expect((await changesOf(one)).files).toMatchObject([
		{
			...{ path: `${one.cwd}/b.ts`, renamedFrom: `${one.cwd}/a.ts`, answer: "exact" },
			...{ before: "1\n2\n", after: "1\ntwo\n" },
		},
	]);
});

test("a file that is moved twice is one rename: the name in between is no file", async () => {
	const one = startIn({ "a.ts": "1\n2\n" });
	const move = (from: string, to: string): void =>
		void one.bash(`mv ${from} ${to}`, (disk) => {
			disk.set(`${one.cwd}/${to}`, disk.get(`${one.cwd}/${from}`) ?? "");
			disk.delete(`${one.cwd}/${from}`);
		});
	one.prompt("Go");
	one.read("a.ts");
	move("a.ts", "b.ts");
	move("b.ts", "c.ts");
	one.read("c.ts");
	expect((await changesOf(one)).files).toMatchObject([
		{ path: `${one.cwd}/c.ts`, renamedFrom: `${one.cwd}/a.ts`, before: "1\n2\n", after: "1\n2\n" },
	]);
});

test("what was edited under a name in between is said, and the names that the file had", async () => {
	const one = startIn({ "a.ts": "1\n2\n3\n" });
	const move = (from: string, to: string): void =>
		void one.bash(`mv ${from} ${to}`, (disk) => {
			disk.set(`${one.cwd}/${to}`, disk.get(`${one.cwd}/${from}`) ?? "");
			disk.delete(`${one.cwd}/${from}`);
		});
	one.prompt("Go");
	const names = ["a.ts", "b.ts", "c.ts"] as const;
	for (const [at, name] of names.entries()) {
		one.edit(name, [{ oldText: String(at + 1), newText: name }]);
		const next = names[at + 1];
		if (next !== undefined) move(name, next);
	}
	const [file, second] = (await changesOf(one)).files;
	expect(second).toBeUndefined();
	expect(file).toMatchObject({ renamedFrom: `${one.cwd}/a.ts`, renamedVia: [`${one.cwd}/b.ts`] });
	expect(file?.edits.map(({ path }) => path)).toEqual(names.map((name) => `${one.cwd}/${name}`));
});
