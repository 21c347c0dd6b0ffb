import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patchOf } from "../../src/edits/patch.ts";
import { SharedWork } from "../support/shared-work.ts";

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join("");

test("a commit by hand between the last sight and an edit is what the edit follows", async () => {
	const work = new SharedWork({ "big.txt": LINES });
	const one = work.session();
	one.read("big.txt");
	one.edit("big.txt", [{ oldText: "line 50\n", newText: "fifty\n" }]);
	work.commit("big.txt", LINES.replace("line 50\n", "fifty\n").replace("line 3\n", "three\n"));
	one.prompt("Go on");
	one.edit("big.txt", [{ oldText: "line 55\n", newText: "fifty-five\n" }]);
	expect(await work.shortFiles(one)).toEqual({ "big.txt": `exact ${work.disk.get(work.file("big.txt"))}` });
});

test("a command of Git puts back the files that it names, and no others, whatever runs beside it", async () => {
	const work = new SharedWork({ "a.txt": "a\n", "b.txt": "b\n" });
	const one = work.session();
	for (const name of ["a.txt", "b.txt"]) one.edit(name, [{ oldText: "\n", newText: "2\n" }]);
	work.run(one, "git checkout -q -- b.txt && perl -e 1");
	expect(await work.shortFiles(one)).toEqual({ "a.txt": "exact a2\n", "b.txt": "exact as committed" });
	expect(await work.changesOf(one)).toMatchObject({
		"a.txt": { answer: "exact", before: "a\n", after: "a2\n" },
		"b.txt": { answer: "exact", before: "b\n", after: "b\n" },
	});
});

test("what an earlier session wrote and removed does not come back", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session("Write a helper");
	one.write("tmp.py", "print(1)\n");
	work.run(one, "sed -i s/a/A/ a.txt; rm tmp.py");
	expect(await work.shortFiles(one)).toEqual({ "tmp.py": "exact as committed", "a.txt": "exact A\n" });
	const changes = await work.changesOf(one);
	if (changes["tmp.py"] !== undefined)
		expect(changes["tmp.py"]).toMatchObject({ answer: "exact", before: undefined, after: undefined });
	const two = work.session("Next day");
	two.read("a.txt");
	expect((await work.shortFiles(two))["tmp.py"] ?? "exact as committed").toBe("exact as committed");
});

test("after a commit by hand the text that Git has is known, before the next edit and after it", async () => {
	const work = new SharedWork({ "globals.py": "one\ntwo\n", "other.py": "one\n" });
	const one = work.session();
	one.read("globals.py");
	one.write("new.py", "new\n");
	work.commit("globals.py", "zero\none\ntwo\n");
	const later = one.prompt("Go on");
	one.edit("globals.py", [{ oldText: "two", newText: "2" }]);
	expect(await work.shortFiles(one)).toEqual({ "globals.py": "exact zero\none\n2\n", "new.py": "exact as committed" });
	expect(await work.shortFiles(one, later)).toEqual({ "new.py": "exact as committed" });
});

test("a file that is removed, committed and written again is not new", async () => {
	const work = new SharedWork({ "f.txt": "1\n2\n3\n4\n" });
	const one = work.session();
	one.read("f.txt", [1, 2]);
	work.run(one, "git rm -q f.txt && git commit -qm 'Remove it'");
	one.write("f.txt", "new\n");
	expect(await work.changesOf(one)).toMatchObject({
		"f.txt": { answer: "exact", before: "1\n2\n3\n4\n", after: "new\n" },
	});
});

test("a tool of ours that only reads leaves no doubt", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.read("a.txt");
	one.edit("a.txt", [{ oldText: "a", newText: "b" }]);
	const add = (id: string, message: object): void => {
		const timestamp = new Date(one.now).toISOString();
		one.lines.push(JSON.stringify({ type: "message", id, parentId: one.leaf, timestamp, message }));
		one.leaf = id;
	};
	const call = { type: "toolCall", id: "h", name: "session_history", arguments: { query: "a" } };
	add("h1", { role: "assistant", content: [call], stopReason: "toolUse" });
	add("h2", { role: "toolResult", toolCallId: "h", toolName: "session_history", content: [], isError: false });
	const { files, commands } = await work.filesAfter(one);
	expect([files.map(({ answer, text }) => [answer, text]), commands]).toEqual([[["exact", "b\n"]], []]);
});

test.each([
	["mv old.txt new.txt", "new.txt"],
	["git mv old.txt new.txt", "new.txt"],
	["mkdir lib && git mv old.txt lib", "lib/old.txt"],
])("a moved file has its text in the new place, and is a rename: %s", async (command, name) => {
	const work = new SharedWork({ "old.txt": "1\n2\n3\n4\n5\n" });
	const one = work.session();
	work.run(one, command);
	one.edit(name, [{ oldText: "2", newText: "two" }]);
	expect(await work.shortFiles(one)).toMatchObject({ [name]: "exact 1\ntwo\n3\n4\n5\n", "old.txt": "exact gone" });
	const changes = await work.changesOf(one);
	expect(Object.keys(changes)).toEqual([name]);
	expect(changes[name]).toMatchObject({
		answer: "exact",
		before: "1\n2\n3\n4\n5\n",
		renamedFrom: work.file("old.txt"),
	});
	const patch = changes[name] && patchOf(changes[name], work.repository.path);
	expect(patch).toContain(`rename from old.txt\nrename to ${name}\n`);
});

test.each([
	["git commit -qam Try && git revert --no-edit HEAD", "a\n"],
	["git stash -q; git stash pop -q", "b\n"],
	["git stash -q", "a\n"],
	["git commit -qam Try && git reset -q --hard HEAD~1", "a\n"],
])("what Git put back is what the session left: %s", async (command, text) => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "a", newText: "b" }]);
	work.run(one, command);
	expect(work.disk.get(work.file("a.txt"))).toBe(text);
	expect(await work.changesOf(one)).toMatchObject({ "a.txt": { answer: "exact", before: "a\n", after: text } });
	expect(await work.shortFiles(one)).toEqual({ "a.txt": text === "a\n" ? "exact as committed" : "exact b\n" });
});

test("a second session begins with what the first one left", async () => {
	const work = new SharedWork({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
	work.session("First").edit("a.txt", [{ oldText: "1", newText: "one" }]);
	const two = work.session("Second");
	two.edit("a.txt", [{ oldText: "9", newText: "nine" }]);
	const after = "one\n2\n3\n4\n5\n6\n7\n8\nnine\n";
	expect(await work.changesOf(two)).toMatchObject({
		"a.txt": { answer: "exact", before: after.replace("nine", "9"), after },
	});
	expect(await work.shortFiles(two)).toEqual({ "a.txt": `exact ${after}` });
});

test("a revert says what the file was before it, and is not itself what the file was", async () => {
	const work = new SharedWork({ "a.txt": "1\n2\n3\n", "b.txt": "b\n" });
	const one = work.session();
	one.read("a.txt");
	work.commit("a.txt", "1\n2\n3\n4\n");
	one.prompt("Go on");
	const before = work.run(one, "node -e 'eval(1)'");
	work.run(one, "git revert --no-edit HEAD");
	expect(await work.shortFiles(one, before)).toEqual({});
	expect(await work.shortFiles(one)).toEqual({});
});

test("a doubt about a text goes through a stash, and what a command may have undone is not sure", async () => {
	const work = new SharedWork({ "a.js": 'x = "1"\n' });
	const one = work.session();
	one.read("a.js");
	const format = work.run(one, 'node -e \'require("fs").writeFileSync("a.js", "x = 1\\n")\' a.js');
	const stashed = work.run(one, "git stash -q && git stash pop -q");
	one.prompt("Go on");
	work.disk.set(work.file("a.js"), 'x = "1"\n');
	const answers = await Promise.all(
		[format, stashed].map(async (entry) => (await work.filesAfter(one, entry)).files.map(({ answer }) => answer)),
	);
	expect(answers).toEqual([["likely"], ["likely"]]);
});

test("a file that is made executable is, in the files and in the patch", async () => {
	const work = new SharedWork({ "a.txt": "a\n", "old.sh": "old\n" });
	const one = work.session();
	one.write("new.sh", "new\n");
	work.run(one, "chmod +x new.sh && chmod 755 old.sh");
	one.edit("old.sh", [{ oldText: "old", newText: "older" }]);
	const { files } = await work.filesAfter(one);
	expect(files.map(({ name, isExecutable }) => [name, isExecutable]).sort()).toEqual([
		["new.sh", true],
		["old.sh", true],
	]);
	const changes = await work.changesOf(one);
	const patch = Object.values(changes)
		.map((file) => patchOf(file, work.repository.path))
		.join("");
	expect(patch).toContain("new file mode 100755\n");
	expect(patch).toContain("old mode 100644\nnew mode 100755\n");
});

test("what Git took from an earlier commit is what that has", async () => {
	const work = new SharedWork({ "a.txt": "a\n", "b.txt": "b\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "a", newText: "a2" }]);
	work.run(one, "git commit -qam Two && sed -i s/a2/a3/ a.txt && git commit -qam Three");
	const first = work.repository.git("rev-parse", "--short", "HEAD~2");
	work.run(one, "git checkout -q HEAD~1 -- a.txt");
	expect(await work.shortFiles(one)).toEqual({ "a.txt": "exact a2\n" });
	work.run(one, `git restore --source=${first} a.txt b.txt`);
	expect(await work.shortFiles(one)).toMatchObject({ "a.txt": "exact a\n", "b.txt": "exact as committed" });
});

test("a file that was printed whole is as it was known, and else perhaps with other line ends", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.write("a.txt", "a\r\nb\r\n");
	const ran = one.bash("npm test");
	one.bash("cat a.txt", () => undefined, "a\nb\n");
	one.write("a.txt", "new\n");
	expect((await work.shortFiles(one, ran))["a.txt"]).toBe("exact a\r\nb\r\n");
	one.bash("npm run build");
	const printed = one.bash("cat out.txt", () => one.disk.set(work.file("out.txt"), "built\r\n"), "built\n");
	one.write("out.txt", "new\n");
	expect((await work.filesAfter(one, printed)).files.find(({ name }) => name === "out.txt")).toMatchObject({
		answer: "likely",
		text: "built\n",
		why: expect.stringContaining("does not show its line ends"),
	});
});

test("a script that the session wrote changes nothing where it only reads", async () => {
	const work = new SharedWork({ "a.txt": "a\n", "b.txt": "b\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "a", newText: "A" }]);
	one.write("look.mjs", 'import fs from "node:fs";\nconsole.log(fs.readFileSync("a.txt", "utf8"));\n');
	one.bash("node look.mjs");
	const looked = one.leaf ?? "";
	one.edit("b.txt", [{ oldText: "b", newText: "B" }]);
	one.write("change.mjs", 'import fs from "node:fs";\nfs.writeFileSync("b.txt", "c");\n');
	one.bash("node change.mjs", (disk) => disk.set(work.file("b.txt"), "c"));
	const changed = one.leaf ?? "";
	for (const name of ["a.txt", "b.txt"]) one.write(name, "over\n");
	expect((await work.shortFiles(one, looked))["a.txt"]).toBe("exact A\n");
	expect((await work.shortFiles(one, changed))["b.txt"]).not.toMatch(/^exact/);
});

test("between two branches an extension may have restored a file, and put it back: what is seen later does not prove it", async () => {
	const work = new SharedWork({ "a.txt": "1\n" });
	const one = work.session();
	const [start] = [one.leaf];
	one.edit("a.txt", [{ oldText: "1\n", newText: "2\n" }]);
	const end = one.leaf;
	one.leaf = start;
	const away = one.prompt("Another way");
	one.leaf = end;
	one.prompt("Back again");
	one.read("a.txt");
	expect(await work.shortFiles(one, away)).toEqual({ "a.txt": "likely 2\n" });
	expect(await work.shortFiles(one)).toEqual({ "a.txt": "exact 2\n" });
});

test("what stands behind || is not taken to have run where the reflog has nothing of it", async () => {
	const work = new SharedWork({ "a.txt": "1\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "1\n", newText: "2\n" }]);
	work.run(one, "git stash -q");
	work.run(one, "git stash pop -q || git reset -q --hard");
	expect(await work.shortFiles(one)).toEqual({ "a.txt": "likely 2\n" });
});

test("a stash with -u takes a file that Git does not know, unless it is ignored, and gives it back", async () => {
	const work = new SharedWork({ "a.txt": "a\n" });
	const one = work.session();
	one.write("new.txt", "new\n");
	const stashed = work.run(one, "git stash -q -u");
	expect(work.disk.has(work.file("new.txt"))).toBe(false);
	expect(await work.shortFiles(one, stashed)).toEqual({ "new.txt": "exact as committed" });
	work.run(one, "git stash pop -q");
	expect(await work.shortFiles(one, stashed)).toEqual({ "new.txt": "likely as committed" });
	expect(await work.shortFiles(one)).toEqual({ "new.txt": "exact new\n" });
});

test("what a command may have changed may have been restored by an extension when a branch was left", async () => {
	const work = new SharedWork({ "a.txt": "1\n" });
	const one = work.session();
	one.edit("a.txt", [{ oldText: "1\n", newText: "2\n" }]);
	const end = one.leaf;
	const changed = one.bash("make", (disk) => disk.set(work.file("a.txt"), "3\n"));
	one.leaf = end;
	work.disk.set(work.file("a.txt"), "2\n");
	const again = one.prompt("Another way");
	one.read("a.txt");
	expect(await work.shortFiles(one, changed)).toEqual({ "a.txt": "likely 2\n" });
	// What ran before the branches part was not undone.
	one.leaf = again;
	const seen = one.bash("make");
	one.prompt("A wrong way");
	one.leaf = seen;
	one.prompt("A third way");
	one.read("a.txt");
	expect(await work.shortFiles(one, seen)).toEqual({ "a.txt": "exact 2\n" });
});

test.each([
	["by hand\n", 700, "by hand\n"],
	["written\n", 200, "1\n"],
])(
	"a commit by hand within the second of a write comes before or after it, as it did: %j",
	async (text, atMs, before) => {
		const work = new SharedWork({ "b.txt": "1\n" });
		const one = work.session();
		one.read("b.txt");
		const hash = work.commit("b.txt", text);
		const secondMs = Number(work.repository.git("show", "-s", "--format=%ct", hash)) * 1000;
		const madeAt = (secondMs + 500) / 1000;
		utimesSync(join(work.repository.path, ".git/objects", hash.slice(0, 2), hash.slice(2)), madeAt, madeAt);
		// Its result comes a second after the call.
		one.now = secondMs + atMs - 1000;
		one.write("b.txt", "written\n");
		expect(await work.changesOf(one)).toMatchObject({ "b.txt": { answer: "exact", before, after: "written\n" } });
	},
);

test("a call without a result may have been made, and undone by an extension when a branch was left", async () => {
	const work = new SharedWork({ "a.txt": "1\n" });
	const one = work.session();
	one.read("a.txt");
	const start = one.leaf;
	one.edit("a.txt", [{ oldText: "1\n", newText: "2\n" }], { unanswered: true, done: true });
	const asked = one.bash("ls");
	one.leaf = start;
	work.disk.set(work.file("a.txt"), "1\n");
	one.prompt("Another way");
	one.read("a.txt");
	expect((await work.shortFiles(one, asked))["a.txt"]).toMatch(/^likely/);
});
