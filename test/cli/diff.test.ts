import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { findPatchPager } from "../../src/cli/print/pager.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
const DAY = Date.UTC(2026, 0, 5, 9);
const NINE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

let git: GitRepository;
let cwd: string;
let disk: Map<string, string>;

/** A repository with a commit, in whose directory `api` a session works. */
beforeEach(() => {
	git = new GitRepository(sandbox.directory("work"));
	cwd = join(git.path, "api");
	disk = new Map(["read.ts", "unread.ts", "odd name.ts"].map((name) => [join(cwd, name), NINE]));
	git.put(disk);
	writeFileSync(join(cwd, "data.bin"), Buffer.of(0, 255, 254));
	git.commit(DAY - 3_600_000, "Begin");
});

function session(): EditingSession {
	return new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, DAY, disk);
}

function diff(...args: readonly string[]): RunResult {
	return run(sandbox, ["diff", ...args], { GIT_CONFIG_GLOBAL: "/dev/null" });
}

test("the patch of a session, applied to the commit before, gives the files after, and back", () => {
	const one = session();
	one.prompt("Make it fast");
	one.read("read.ts");
	one.edit("read.ts", [{ oldText: "2", newText: "two" }]);
	one.bash("rg -n two . | head");
	one.edit("unread.ts", [{ oldText: "5", newText: "five" }]);
	const second = one.prompt("And tests");
	one.write("test/a.test.ts", "test\n");
	one.edit("read.ts", [{ oldText: "8", newText: "eight" }]);
	one.write("../../elsewhere.md", "# Notes\n");
	one.bash("npm test");
	one.putDisk();
	one.save(sandbox.agentDir);

	const { code, out, err } = diff("01a1");
	git.git("stash", "--quiet", "--include-untracked");
	expect(code).toBe(0);
	expect(out.match(/^diff --git .*/gm)).toEqual([
		"diff --git a/api/read.ts b/api/read.ts",
		"diff --git a/api/unread.ts b/api/unread.ts",
		"diff --git a/api/test/a.test.ts b/api/test/a.test.ts",
	]);
	const apply = (...args: readonly string[]) => execFileSync("git", ["apply", ...args], { cwd: git.path, input: out });
	apply();
	for (const [path, text] of disk)
		if (path.startsWith(cwd)) expect([path, readFileSync(path, "utf8")]).toEqual([path, text]);
	apply("-R");
	expect(git.git("status", "--porcelain")).toBe("");
	git.git("stash", "pop", "--quiet");

	expect(err.split("\n")).toEqual([
		"pi-grove: api/read.ts, api/unread.ts and api/test/a.test.ts: exact: confirmed by the disk now",
		"pi-grove: ../elsewhere.md: likely: whether it existed before the session wrote it is not known",
		`pi-grove: not in the patch, because it is outside of ${git.path}: ../elsewhere.md`,
		"4 files changed, +5 −3; 1 command ran that may have changed more (npm test)",
		"",
	]);
	expect(diff("01a1", "--stat").out.split("\n").slice(0, 2)).toEqual([
		`${cwd}/read.ts\t2\t2\texact\t1,2`,
		`${cwd}/unread.ts\t1\t1\texact\t1`,
	]);
	// A part of it, some of the files.
	expect(diff("01a1", "--turn", "--stat", "--json").out).toBe(diff(`01a1#${second}`, "--json").out);
	expect(JSON.parse(diff(`01a1#${second}`, "read.ts", "--json").out)).toMatchObject([
		{ name: "api/read.ts", answer: "exact", before: NINE.replace("2", "two"), edits: [{ turn: 2 }] },
	]);
	expect(diff("01a1", "api/test").out).toMatch(/^diff --git a\/api\/test\/a.test.ts b\/api\/test\/a.test.ts\nnew file/);
	expect(diff(`01a1#${second}..${second}`)).toMatchObject({ code: 1, out: "" });
	expect(diff("01a1", "none.ts")).toMatchObject({ code: 1, err: expect.stringContaining("did not change none.ts") });
});

test("what a command that names a file did to it before the session saw it is in the patch", () => {
	const one = session();
	one.prompt("Go");
	one.bash("sed -i s/3/three/ read.ts", () => disk.set(join(cwd, "read.ts"), NINE.replace("3", "three")));
	one.read("read.ts");
	one.edit("read.ts", [{ oldText: "2", newText: "two" }]);
	one.putDisk();
	one.save(sandbox.agentDir);
	const { out, err } = diff("01a1");
	git.git("checkout", "--quiet", ".");
	execFileSync("git", ["apply"], { cwd: git.path, input: out });
	expect(readFileSync(join(cwd, "read.ts"), "utf8")).toBe(NINE.replace("2", "two").replace("3", "three"));
	expect(err).not.toContain("likely");
});

test("what is not known whole is printed edit by edit; what a branch that was left did is said", () => {
	const one = session();
	const fork = one.prompt("Go");
	one.edit("odd name.ts", [{ oldText: "5", newText: "five" }]);
	one.write("left.ts", "1\n");
	one.leaf = fork;
	one.prompt("Another way");
	one.bash("python3 cut.py 'odd name.ts'", () => disk.set(join(cwd, "odd name.ts"), NINE.slice(2)));
	one.edit("odd name.ts", [{ oldText: "7", newText: "seven" }]);
	one.write("data.bin", "now a text\n");
	one.save(sandbox.agentDir);
	git.put(new Map([...disk, [join(cwd, "odd name.ts"), "by hand\n"]]));
	const { out, err } = diff("01a1");
	git.put(disk);
	execFileSync("git", ["apply", "-R"], { cwd: git.path, input: out });
	expect(readFileSync(join(cwd, "odd name.ts"), "utf8")).toBe(NINE.slice(2));
	expect(err).toMatch(/^pi-grove: api\/odd name\.ts: edit by edit: /);
	expect(err).toContain("a branch that was left (turn 1) also changed it, and its edits are left out");
	expect(err).toContain("api/data.bin: edit by edit: what the commit has is not UTF-8 text");
	expect(err).toContain("may refuse what is edit by edit: name the other files, or leave them out with --exclude");
	expect(err).toContain(`only branches that were left changed api/left.ts`);
});

test("with its runs: one patch of the family, and who made it", () => {
	const parent = session();
	parent.prompt("Split it");
	parent.read("read.ts");
	parent.edit("read.ts", [{ oldText: "1", newText: "one" }]);
	parent.edit("unread.ts", [{ oldText: "2", newText: "two" }]);
	const runSession = new EditingSession("01a10002-0000-7000-8000-000000000002", cwd, DAY + 60_000, disk);
	runSession.prompt("Task: the rest");
	runSession.read("read.ts");
	runSession.edit("read.ts", [{ oldText: "9", newText: "nine" }]);
	runSession.edit("unread.ts", [{ oldText: "9", newText: "nine" }]);
	runSession.write("new.ts", "1\n");
	parent.now = DAY + 120_000;
	// What the run left is not read again.
	parent.edit("read.ts", [{ oldText: "5", newText: "five" }]);
	const path = parent.save(sandbox.agentDir);
	const runPath = join(path.replace(/\.jsonl$/, ""), "0badcafe", "run-0", "session.jsonl");
	mkdirSync(dirname(runPath), { recursive: true });
	writeFileSync(runPath, runSession.text);
	parent.putDisk();
	// What the run changed before the parent's last edit of the file is in it, and said; what it changed later is its own.
	const alone = diff("01a10000");
	expect(alone.out.match(/^\+nine$/gm)).toHaveLength(1);
	expect(alone.err).toMatch(/api\/read\.ts: exact: includes what “.*” changed meanwhile/);
	const { out, err } = diff("01a10000", "--runs");
	expect(out.match(/^#.*/gm)).toEqual([
		"# api/read.ts: the session itself, turn 1",
		"# api/read.ts: a subagent, turn 1",
		"# api/unread.ts: the session itself, turn 1",
		"# api/unread.ts: a subagent, turn 1",
		"# api/new.ts: a subagent, turn 1",
	]);
	git.git("stash", "--quiet", "--include-untracked");
	execFileSync("git", ["apply"], { cwd: git.path, input: out });
	for (const [name, text] of disk) expect(readFileSync(name, "utf8")).toBe(text);
	expect(err).not.toContain("api/read.ts: likely");
});

test("what no patch can have is left out, and named", () => {
	const one = session();
	one.prompt("Ignore it");
	one.write("../.git/info/exclude", "out\n");
	one.write("made.ts", "1\n");
	for (const name of ["a\0b", "n".repeat(300)]) one.write(name, "1\n");
	one.save(sandbox.agentDir);
	const { out, err } = diff("01a1");
	expect(out.match(/^diff --git .*/gm)).toEqual(["diff --git a/api/made.ts b/api/made.ts"]);
	expect(err).toContain("pi-grove: not in the patch, because it is in Git's own directory: .git/info/exclude\n");
	expect(err).toMatch(
		/^pi-grove: not in the patch, because they are under a name that no file can have: api\/a.b and api\/n{300}$/m,
	);
	execFileSync("git", ["apply"], { cwd: git.path, input: out });
});

test("the pager for a patch is the one that Git would use", async () => {
	const bin = sandbox.directory("bin");
	writeFileSync(join(bin, "delta"), "#!/bin/sh\n", { mode: 0o755 });
	expect(await findPatchPager({ PATH: bin, GIT_PAGER: "delta --dark", PAGER: "less" })).toMatchObject({
		name: "delta --dark",
	});
	expect(await findPatchPager({ PATH: bin, GIT_PAGER: "cat" })).toBeUndefined();
	expect(await findPatchPager({ PATH: bin, GIT_PAGER: "no-such-pager" })).toContain("does not exist");
});
