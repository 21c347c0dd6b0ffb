import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { filesAtEntry } from "../../src/edits/files-at.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDir } from "../support/temp-dir.ts";

const DAY = Date.UTC(2026, 0, 10);
const MINUTE = 60_000;

/** A repository, and sessions that work in it on one disk. */
function start() {
	const dir = tempDir();
	const repository = new GitRepository(join(dir, "api"));
	const disk = new Map<string, string>();
	const sessions: EditingSession[] = [];
	return {
		repository,
		disk,
		file: (name: string) => repository.file(name),
		commit(timeMs: number): string {
			repository.put(disk);
			return repository.commit(timeMs, "work");
		},
		session(number: number, now: number): EditingSession {
			const one = new EditingSession(
				`01a10000-0000-7000-8000-00000000${String(number).padStart(4, "0")}`,
				repository.path,
				now,
				disk,
			);
			sessions.push(one);
			return one;
		},
		/** The answers, by name, and whether the text is what was on the disk when the entry was written. */
		async at(one: EditingSession, entryId: string) {
			const paths = sessions.map((each) => {
				const path = join(dir, `${each.id}.jsonl`);
				writeFileSync(path, each.text);
				return path;
			});
			for (const each of sessions) each.putDisk();
			const own = paths[sessions.indexOf(one)] ?? "";
			const rows = paths.map((path) => scanFile(path).row);
			const files = await filesAtEntry(await readSession(own), entryId, { home: "/home/x", rows });
			const held = one.held.get(entryId);
			const answers = files.files.map(({ name, answer, why, text }) => {
				const truth = held?.get(repository.file(name));
				return [name, answer, text === undefined ? "as committed" : text === truth ? "right" : `wrong: ${text}`, why];
			});
			return { ...files, answers };
		},
	};
}

test("files as of an entry: this session on its path, other sessions by time, and the commit", async () => {
	const { disk, file, commit, session, at, repository } = start();
	disk.set(file("read.ts"), "read\n").set(file("other.ts"), "other\n").set(file("both.ts"), "one\ntwo\n");
	disk.set(file("committed.ts"), "old\n").set(file("part.ts"), "a\nb\nc\n");
	const base = commit(DAY);
	const other = session(2, DAY + MINUTE);
	other.prompt("Something else");
	other.write("other.ts", "changed by another\n");
	other.write("both.ts", "other\ntwo\n");
	const one = session(1, DAY + 5 * MINUTE);
	one.prompt("Do it");
	one.read("read.ts");
	one.write("new.ts", "new\n");
	one.read("both.ts");
	one.edit("both.ts", [{ oldText: "two", newText: "2" }]);
	one.write("committed.ts", "committed\n");
	one.write("/elsewhere/x.ts", "x\n");
	one.write(".git/hooks/post-checkout", "evil\n");
	disk.set(file("lost.ts"), "by hand\n");
	one.edit("lost.ts", [{ oldText: "hand", newText: "tool" }], { plain: true });
	one.edit("part.ts", [{ oldText: "b", newText: "B" }], { plain: true });
	const first = one.edit("new.ts", [{ oldText: "new", newText: "newer" }]);
	// The person commits one of the files, with a change by hand, and the session goes on.
	disk.set(file("committed.ts"), "committed, and by hand\n");
	repository.put(new Map([[file("committed.ts"), disk.get(file("committed.ts")) ?? ""]]));
	repository.git("add", "committed.ts");
	repository.gitAt(DAY + 8 * MINUTE, "commit", "--quiet", "-m", "by hand");
	one.now = DAY + 10 * MINUTE;
	one.prompt("Go on");
	const removed = one.bash("rm both.ts read.ts", (files) => {
		files.delete(file("both.ts"));
		files.delete(file("read.ts"));
	});
	const command = one.bash("npm run format", (files) => files.set(file("new.ts"), "formatted\n"));
	const late = session(3, DAY + 20 * MINUTE);
	late.write("read.ts", "later\n");

	const atFirst = await at(one, first);
	expect(atFirst.base).toMatchObject({ commit: base, how: "reflog" });
	expect(atFirst.answers).toEqual([
		["other.ts", "exact", "right", expect.stringMatching(/^written by “Something else”, /)],
		["both.ts", "exact", "right", "read whole in turn 1, edited in turn 1"],
		["new.ts", "exact", "right", "written in turn 1, edited in turn 1; new: the commit does not have it"],
		["committed.ts", "exact", "right", "written in turn 1"],
		["lost.ts", "likely", "right", expect.stringMatching(/^edited in turn 1; as the disk now shows it; /)],
		["part.ts", "exact", "right", "edited in turn 1"],
	]);
	expect(atFirst.outside).toEqual(["/elsewhere/x.ts", file(".git/hooks/post-checkout")]);
	expect(atFirst.commands).toEqual([]);

	const atRemoval = (await at(one, removed)).files.filter(({ isAbsent }) => isAbsent);
	expect(atRemoval.map(({ name, answer, why }) => [name, answer, why])).toEqual([
		["both.ts", "exact", "deleted in turn 2"],
		["read.ts", "exact", "deleted in turn 2"],
	]);

	const atLast = await at(one, command);
	expect(atLast.base?.subject).toBe("by hand");
	const last = new Map(atLast.answers.map(([name, ...rest]) => [name, rest]));
	expect(last.get("committed.ts")).toEqual([
		"exact",
		"as committed",
		expect.stringMatching(/^as commit [0-9a-f]{7} has it, written in turn 1; .*as the commit has it$/),
	]);
	expect(last.get("new.ts")?.[0]).toBe("likely");
	expect(last.get("new.ts")?.[2]).toMatch(/; 1 command ran since/);
	expect(atLast.commands).toMatchObject([{ text: "npm run format", turn: 2 }]);
});

test("a file that a session and its subagent changed in turns, without reading it again, has the changes of both", async () => {
	const { disk, file, commit, session, at } = start();
	disk.set(file("both.ts"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n").set(file("run.ts"), "a\nb\n");
	commit(DAY);
	const one = session(1, DAY + MINUTE);
	one.prompt("Do it");
	one.edit("both.ts", [{ oldText: "1", newText: "one" }]);
	const run = session(2, DAY + 2 * MINUTE);
	run.prompt("Task");
	run.edit("both.ts", [{ oldText: "9", newText: "nine" }]);
	run.edit("run.ts", [{ oldText: "b", newText: "B" }]);
	one.now = DAY + 3 * MINUTE;
	const between = one.prompt("Go on");
	one.edit("both.ts", [{ oldText: "5", newText: "five" }]);
	const last = one.prompt("And now?");
	for (const entry of [between, last])
		expect((await at(one, entry)).answers).toMatchObject([
			[
				"both.ts",
				"exact",
				"right",
				expect.stringContaining(entry === between ? "edited by “Task”" : "edited in turn 2"),
			],
			["run.ts", "exact", "right", expect.stringContaining("edited by “Task”")],
		]);
});

test("what a command of Git put back is as the commit has it, unless it was seen or changed since", async () => {
	const { disk, file, commit, session, at } = start();
	const names = ["one.ts", "two.ts", "again.ts", "run.ts"];
	for (const name of names) disk.set(file(name), "old\n");
	commit(DAY);
	const one = session(1, DAY + MINUTE);
	one.prompt("Do it");
	for (const name of names.slice(0, 3)) one.write(name, "new\n");
	one.write("untracked.ts", "new\n");
	const run = session(2, DAY + 2 * MINUTE);
	run.prompt("Task");
	run.write("run.ts", "new\n");
	one.now = DAY + 3 * MINUTE;
	one.prompt("Take it back");
	const named = one.bash("git checkout -- one.ts", (files) => files.set(file("one.ts"), "old\n"));
	const byName = new Map((await at(one, named)).answers.map(([name, ...rest]) => [name, rest.slice(0, 2)]));
	expect([byName.get("one.ts"), byName.get("two.ts")]).toEqual([
		["exact", "as committed"],
		["exact", "right"],
	]);
	one.bash("git reset --hard -q", (files) => names.map((name) => files.set(file(name), "old\n")));
	const last = one.write("again.ts", "newer\n");
	const answers = (await at(one, last)).answers.map(([name, ...rest]) => [name, ...rest.slice(0, 2)]);
	expect(answers).toEqual([
		["one.ts", "exact", "as committed"],
		["two.ts", "exact", "as committed"],
		["again.ts", "exact", "right"],
		["untracked.ts", "exact", "right"],
		["run.ts", "exact", "as committed"],
	]);
});

test("a session of another machine is compared with a clone here, and one without Git with nothing", async () => {
	const { disk, file, commit, session, at, repository } = start();
	disk.set(file("src/a.ts"), "a\n");
	commit(DAY);
	const there = new EditingSession("01a10000-0000-7000-8000-000000000009", "/home/ada/api/src", DAY + MINUTE);
	there.disk.set("/home/ada/api/src/a.ts", "a\n");
	there.prompt("Do it");
	there.read("a.ts");
	const last = there.write("../b.ts", "b\n");
	const path = join(tempDir(), "there.jsonl");
	mkdirSync(join(path, ".."), { recursive: true });
	writeFileSync(path, there.text);
	const options = { home: "/home/ada", rows: [] };
	const placed = await filesAtEntry(await readSession(path), last, { ...options, clone: repository.path });
	expect(placed).toMatchObject({
		root: "/home/ada/api",
		inside: "src",
		files: [{ name: "b.ts", answer: "exact", text: "b\n" }],
	});
	const other = new GitRepository(join(tempDir(), "other"));
	other.commit(DAY, "nothing");
	const wrong = await filesAtEntry(await readSession(path), last, { ...options, clone: other.path });
	expect(wrong.unread).toEqual([`${other.path} has none of the session's files: is it a clone of its repository?`]);
	expect(placed.unread).toEqual([]);
	const alone = await filesAtEntry(await readSession(path), last, options);
	expect(alone.base).toBeUndefined();
	expect(alone).toMatchObject({
		root: "/home/ada/api/src",
		files: [{ name: "a.ts", text: "a\n" }],
		outside: ["/home/ada/api/b.ts"],
	});
	expect((await at(session(4, DAY), session(5, DAY).prompt("Nothing"))).answers).toEqual([]);
});

test("what was changed in a submodule that is not here any longer is named, and not written into its directory", async () => {
	const { disk, file, commit, session, at, repository } = start();
	disk.set(file(".gitmodules"), '[submodule "lib"]\n\tpath = lib\n\turl = /nowhere\n');
	const library = commit(DAY - MINUTE);
	repository.git("update-index", "--add", "--cacheinfo", `160000,${library},lib`);
	repository.gitAt(DAY, "commit", "--quiet", "-m", "lib");
	const one = session(1, DAY + MINUTE);
	one.prompt("Do it");
	one.write("lib/a.ts", "a\n");
	const last = one.write("library.ts", "b\n");
	const { files, outside, unread } = await at(one, last);
	expect(files.map(({ name }) => name)).toEqual(["library.ts"]);
	expect(outside).toEqual([file("lib/a.ts")]);
	expect(unread).toEqual(["Submodules are left empty: git submodule update --init fetches them."]);
});

test("a link that a command made leads where it led, until it is removed", async () => {
	const { session, at } = start();
	const one = session(1, DAY);
	one.prompt("Do it");
	const made = one.bash("mkdir bin && ln -s ../run.ts bin && ln -s run.ts start.ts");
	const removed = one.bash("rm start.ts");
	const linksAt = async (entryId: string) =>
		(await at(one, entryId)).files.map(({ name, answer, text, isLink }) => [name, answer, text, isLink]);
	const inBin = ["bin/run.ts", "exact", "../run.ts", true];
	expect(await linksAt(made)).toEqual([inBin, ["start.ts", "exact", "run.ts", true]]);
	expect(await linksAt(removed)).toEqual([inBin, ["start.ts", "exact", undefined, undefined]]);
});

/** What sessions and a person do by turns; a person commits, but changes nothing unseen. */
const steps = fc.array(
	fc.record({
		who: fc.constantFrom(1, 2, 2, 2),
		does: fc.constantFrom("write", "write", "edit", "edit", "read", "read", "prompt", "bash", "commit", "back"),
		name: fc.constantFrom("a.ts", "b.ts", "deep/c.ts"),
		text: fc.constantFrom("one", "two", "three"),
	}),
	{ minLength: 4, maxLength: 16 },
);

test("what is called exact is right to the byte, whatever sessions and commits came in between", async () => {
	let exact = 0;
	await fc.assert(
		fc.asyncProperty(steps, async (all) => {
			const { disk, file, commit, session, at, repository } = start();
			disk.set(file("a.ts"), "one\ntwo\n");
			commit(DAY);
			const both = [session(1, DAY), session(2, DAY)];
			const prompts = both.map((one) => one.prompt("Go"));
			for (const [index, { who, does, name, text }] of all.entries()) {
				const one = both[who - 1] ?? session(9, DAY);
				const now = DAY + (index + 1) * MINUTE;
				one.now = now;
				const held = disk.get(file(name)) ?? "";
				if (does === "write") one.write(name, `${text}\n${name}\n`);
				else if (does === "edit" && held.split(text).length === 2)
					one.edit(name, [{ oldText: text, newText: `${text}+` }]);
				else if (does === "read" && held !== "") one.read(name);
				else if (does === "prompt") one.prompt("More");
				else if (does === "bash") one.bash("make", (files) => files.set(file(name), `made ${text}\n`));
				else if (does === "commit") commit(now);
				else if (does === "back") one.leaf = prompts[who - 1] ?? null;
			}
			const [, two] = both;
			if (two !== undefined) two.now = DAY + (all.length + 1) * MINUTE;
			const last = two?.prompt("The end") ?? "";
			const { answers, base } = await at(two ?? session(9, DAY), last);
			for (const [name, answer, truth] of answers) {
				if (answer !== "exact") continue;
				exact++;
				const committed = truth === "as committed" ? repository.git("show", `${base?.commit}:${name}`) : undefined;
				if (committed === undefined) expect([name, truth]).toEqual([name, "right"]);
				else expect([name, committed]).toEqual([name, disk.get(file(name ?? ""))?.trim()]);
			}
		}),
		{ numRuns: caseCount(12), seed: FIRST_SEED },
	);
	expect(exact).toBeGreaterThan(3);
});

test("a file that is not text is said to be none, and is never taken for the text that a tool shows in its place", async () => {
	const { disk, file, session, at, repository } = start();
	for (const name of ["edited.txt", "written.txt"]) writeFileSync(file(name), Buffer.from("caf\xe9\n", "latin1"));
	repository.commit(DAY, "Latin 1");
	disk.set(file("edited.txt"), "caf\uFFFD\n");
	const one = session(1, DAY + MINUTE);
	one.prompt("Read it");
	one.read("edited.txt");
	one.edit("edited.txt", [{ oldText: "caf", newText: "tea" }]);
	const end = one.write("written.txt", "caf\uFFFD\n");
	expect((await at(one, end)).answers).toEqual([
		[
			"edited.txt",
			"unknown",
			"as committed",
			expect.stringMatching(/what the commit has is not UTF-8 text; left as the commit has it$/),
		],
		["written.txt", "exact", "right", "written in turn 1"],
	]);
});

test("without Git the disk says what was in a directory that was moved or copied, but for what was written there later", async () => {
	const cwd = join(tempDir(), "notes");
	const one = new EditingSession("01a10000-0000-7000-8000-000000000001", cwd, DAY);
	const disk = {
		"lib/a.ts": "a\n",
		"lib/deep/b.ts": "b\n",
		"old/lib/a.ts": "a\n",
		"old/lib/deep/b.ts": "b\n",
		"lib/new.ts": "new\n",
	};
	for (const [name, text] of Object.entries(disk)) {
		mkdirSync(join(cwd, name, ".."), { recursive: true });
		writeFileSync(join(cwd, name), text);
	}
	const started = one.prompt("Move it");
	one.bash("mv src lib");
	const moved = one.bash("cp -r lib old");
	one.write("lib/new.ts", "new\n");
	const path = join(cwd, "..", "session.jsonl");
	writeFileSync(path, one.text);
	const session = await readSession(path);
	const rowsAt = async (entryId: string) => {
		const { files } = await filesAtEntry(session, entryId, { home: "/home/x", rows: [] });
		return files.map(({ name, text, isAbsent }) => [name, text ?? (isAbsent ? "gone" : "unknown")]);
	};
	expect(await rowsAt(started)).toEqual([]);
	const kept = { "lib/a.ts": "a\n", "lib/deep/b.ts": "b\n", "old/lib/a.ts": "a\n", "old/lib/deep/b.ts": "b\n" };
	const gone = { "src/a.ts": "gone", "src/deep/b.ts": "gone" };
	expect(Object.fromEntries(await rowsAt(moved))).toEqual({ ...kept, ...gone });
});
