import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
const DAY = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;
const TWENTY = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

let git: GitRepository;
let disk: Map<string, string>;

beforeEach(() => {
	git = new GitRepository(sandbox.directory("work"));
	disk = new Map(["a.ts", "b.ts", "gone.ts", "run.sh"].map((name) => [git.file(name), TWENTY]));
	disk.set(git.file("crlf.txt"), "one\r\ntwo\r\nthree\r\n");
	git.put(disk);
	git.commit(DAY - HOUR, "Begin");
});

/** A session whose id begins with the number. */
function session(number: number, now = DAY + number * HOUR): EditingSession {
	return new EditingSession(`01a1000${number}-0000-7000-8000-00000000aaa${number}`, git.path, now, disk);
}

function diff(...args: readonly string[]): RunResult {
	return run(sandbox, ["diff", "--uncommitted", ...args], { GIT_CONFIG_GLOBAL: "/dev/null" }, git.path);
}

function apply(patch: string, ...args: readonly string[]): void {
	execFileSync("git", ["apply", ...args], { cwd: git.path, input: patch });
}

/** A person changes a file by hand. */
function byHand(name: string, change: (text: string) => string): void {
	disk.set(git.file(name), change(disk.get(git.file(name)) ?? ""));
	git.put(disk);
}

/** Two sessions and a person in one file, a new, a removed and an executable one. */
function work(): void {
	const one = session(1);
	one.prompt("Begin it");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "line 2\n", newText: "line two\nline two and a half\n" }]);
	one.prompt("And the rest");
	one.write("new/file.ts", "first\nsecond\n");
	one.edit("crlf.txt", [{ oldText: "two\r\n", newText: "TWO\r\n" }]);
	one.bash("rm gone.ts", (files) => void files.delete(git.file("gone.ts")));
	const two = session(2);
	two.prompt("Make it better");
	two.read("a.ts");
	two.edit("a.ts", [{ oldText: "line 10\n", newText: "line ten\n" }]);
	one.save(sandbox.agentDir);
	two.save(sandbox.agentDir);
	rmSync(git.file("gone.ts"));
	git.put(disk);
	byHand("a.ts", (text) => text.replace("line 18\n", "").replace("line 14\n", "line fourteen\n"));
	chmodSync(git.file("run.sh"), 0o755);
}

test("all that differs: the patch is that of Git, and says who changed what", () => {
	work();
	const { code, out, err } = diff();
	expect([code, err]).toEqual([0, ""]);
	expect(out.match(/^#.*/gm)).toEqual([
		"# a.ts:2–3: turn 1 of “Begin it” (01a10001-0000-7000-8000-00000000aaa1#aaa10004)",
		"# a.ts:11: turn 1 of “Make it better” (01a10002-0000-7000-8000-00000000aaa2#aaa20004)",
		"# a.ts:15: by hand",
		"# a.ts:19, 1 line removed: by hand",
		"# crlf.txt:2: turn 2 of “Begin it” (01a10001-0000-7000-8000-00000000aaa1#aaa10009)",
		"# gone.ts:1, 20 lines removed: turn 2 of “Begin it” (01a10001-0000-7000-8000-00000000aaa1#aaa10011)",
		"# new/file.ts:1–2: turn 2 of “Begin it” (01a10001-0000-7000-8000-00000000aaa1#aaa10007)",
		"# run.sh, mode: by hand",
	]);
	git.git("add", "--all");
	const staged = git.git("write-tree");
	apply(out, "--cached", "-R");
	expect(git.git("diff", "--cached", "--name-only")).toBe("");
	apply(out, "--cached");
	expect(git.git("write-tree")).toBe(staged);
	apply(out, "-R");
	expect(readFileSync(git.file("gone.ts"), "utf8")).toBe(TWENTY);
	git.git("reset", "--quiet");
	expect(git.git("status", "--porcelain")).toBe("");
});

test("what one author changed is taken out of the index, out of the working tree, or put into an index as HEAD", () => {
	work();
	const [one, two, hand] = [diff("01a10001").out, diff("01a10002").out, diff("--by-hand").out];
	expect([...two.matchAll(/^[-+](?![-+]).*/gm)].map(([line]) => line)).toEqual(["-line 10", "+line ten"]);
	const ours = TWENTY.replace("line 2\n", "line two\nline two and a half\n");
	const theirs = TWENTY.replace("line 18\n", "").replace("line 14\n", "line fourteen\n");

	git.git("add", "--all");
	for (const patch of [one, two]) apply(patch, "--cached", "-R");
	expect(`${git.git("show", ":a.ts")}\n`).toBe(theirs);
	expect(git.git("diff", "--cached", "--name-only").split("\n")).toEqual(["a.ts", "run.sh"]);

	git.git("reset", "--quiet");
	apply(one, "--cached");
	expect(`${git.git("show", ":a.ts")}\n`).toBe(ours);
	expect(git.git("diff", "--cached", "--name-only").split("\n")).toEqual([
		"a.ts",
		"crlf.txt",
		"gone.ts",
		"new/file.ts",
	]);

	git.git("reset", "--quiet");
	for (const patch of [hand, two]) apply(patch, "-R");
	expect(readFileSync(git.file("a.ts"), "utf8")).toBe(ours);
	expect(readFileSync(git.file("crlf.txt"), "utf8")).toBe("one\r\nTWO\r\nthree\r\n");
	for (const patch of [one]) apply(patch, "-R");
	expect(git.git("status", "--porcelain")).toBe("");
});

test("lines of two authors that touch are each taken back where they are, which is said", () => {
	const one = session(1);
	one.prompt("Go");
	one.read("a.ts");
	one.edit("a.ts", [{ oldText: "line 5\n", newText: "line five\n" }]);
	one.edit("a.ts", [{ oldText: "line 8\n", newText: "line eight\n" }]);
	one.write("new.ts", "1\n2\n3\n");
	one.save(sandbox.agentDir);
	git.put(disk);
	byHand("a.ts", (text) => text.replace("line 6\n", "line six\n").replace("line 7\n", ""));
	byHand("new.ts", (text) => text.replace("2\n", "two\n"));
	const { out, err } = diff("01a10001");
	expect(err).toContain("lines of two authors touch in a.ts and new.ts: git apply takes this with -R");
	const hand = diff("--by-hand").out;
	apply(out, "-R");
	expect(readFileSync(git.file("a.ts"), "utf8")).toBe(TWENTY.replace("line 6\n", "line six\n").replace("line 7\n", ""));
	expect(readFileSync(git.file("new.ts"), "utf8")).toBe("two\n");
	apply(out);
	apply(hand, "-R");
	expect(readFileSync(git.file("a.ts"), "utf8")).toBe(
		TWENTY.replace("line 5\n", "line five\n").replace("line 8\n", "line eight\n"),
	);
	expect(readFileSync(git.file("new.ts"), "utf8")).toBe("1\n3\n");
});

test("a table, JSON, and some of the files", () => {
	work();
	expect(diff("--stat", "a.ts").out).toBe(
		[
			`${git.file("a.ts")}\t2\t1\tturn 1 of “Begin it” (01a10001-0000-7000-8000-00000000aaa1#aaa10004)\n`,
			`${git.file("a.ts")}\t1\t1\tturn 1 of “Make it better” (01a10002-0000-7000-8000-00000000aaa2#aaa20004)\n`,
			`${git.file("a.ts")}\t1\t2\tby hand\n`,
		].join(""),
	);
	expect(JSON.parse(diff("--json", "01a10001", "a.ts", "gone.ts").out)).toMatchObject([
		{
			...{ path: git.file("a.ts"), name: "a.ts", kind: "changed", from: 2, to: 3, before: "line 2\n" },
			...{ after: "line two\nline two and a half\n", answer: "exact" },
			author: { id: "01a10001-0000-7000-8000-00000000aaa1", entryId: "aaa10004", turn: 1, title: "Begin it" },
		},
		{ name: "gone.ts", kind: "deleted", from: 1, to: 0, before: TWENTY, after: "", author: { turn: 2 } },
	]);
	expect(JSON.parse(diff("--json", "--by-hand", "run.sh").out)).toMatchObject([
		{ kind: "mode", from: null, before: "100644", after: "100755", author: null },
	]);
	expect(diff("new").out).toMatch(/^# new\/file.ts:1–2: .*\ndiff --git .*\nnew file/);
	expect(diff(".", "a.ts").out).toBe(diff("01a10002", "a.ts").out);
	expect(diff("b.ts")).toMatchObject({ code: 1, out: "", err: "pi-grove: nothing of b.ts differs from HEAD\n" });
});

test("moves and commands of a session, a commit in between, a session of another directory", () => {
	const one = session(1);
	one.prompt("Move it");
	one.edit("a.ts", [{ oldText: "line 3\n", newText: "line three\n" }]);
	one.bash("mv b.ts c.ts", (files) => {
		files.set(git.file("c.ts"), files.get(git.file("b.ts")) ?? "");
		files.delete(git.file("b.ts"));
	});
	rmSync(git.file("b.ts"));
	git.put(disk);
	// Only what was staged is committed: the line of the session, not that of the person.
	git.git("add", "a.ts");
	byHand("a.ts", (text) => text.replace("line 12\n", "line twelve\n"));
	git.gitAt(one.now + 60_000, "commit", "--quiet", "-m", "Take it");
	one.now += 120_000;
	one.bash(
		"npm run format -- run.sh",
		(files) => void files.set(git.file("run.sh"), TWENTY.replace("line 4\n", "Line 4\n")),
	);
	one.save(sandbox.agentDir);
	const other = new EditingSession(
		"01a10009-0000-7000-8000-00000000aaa9",
		sandbox.directory("elsewhere"),
		one.now,
		disk,
	);
	other.prompt("Help there");
	other.edit(git.file("a.ts"), [{ oldText: "line 7\n", newText: "line seven\n" }]);
	other.save(sandbox.agentDir);
	git.put(disk);
	const { out, err } = diff();
	expect(err).toBe("");
	expect(out.match(/^#.*/gm)?.map((line) => line.replace(/ \(.*?\)/, ""))).toEqual([
		"# a.ts:7: turn 1 of “Help there”",
		"# a.ts:12: by hand; likely: 1 command ran meanwhile that may have changed it",
		"# b.ts:1, 20 lines removed: turn 1 of “Move it”",
		"# c.ts:1–20: turn 1 of “Move it”",
		"# run.sh:4: turn 1 of “Move it”; likely: it was changed while a command ran (npm run format -- run.sh), or by hand",
	]);
	apply(diff("01a10001").out, "-R");
	expect(git.git("status", "--porcelain")).toBe("M a.ts");
	apply(diff("--by-hand").out, "-R");
	expect(readFileSync(git.file("a.ts"), "utf8")).toBe(
		TWENTY.replace("line 3\n", "line three\n").replace("line 7\n", "line seven\n"),
	);
});

test("a clean tree, what is committed, no session, a file that is no text, no repository, and mistakes", () => {
	expect(diff()).toEqual({ code: 1, out: "", err: "" });
	git.git("sparse-checkout", "set", "--no-cone", "/*", "!/gone.ts");
	expect(diff()).toEqual({ code: 1, out: "", err: "" });
	git.git("sparse-checkout", "disable");
	mkdirSync(git.file("odd dir"));
	for (const name of ["odd dir/ä.txt", "untracked.txt"]) writeFileSync(git.file(name), "1\n");
	git.git("add", "odd dir");
	git.gitAt(DAY, "commit", "--quiet", "-m", "More");
	writeFileSync(git.file("odd dir/ä.txt"), "2");
	writeFileSync(git.file("b.ts"), Buffer.of(0, 1, 2));
	const { code, out, err } = diff();
	expect([code, err]).toEqual([0, "pi-grove: not in the patch, because they are no text: b.ts\n"]);
	expect(out).toMatch(/^# b.ts, no text: by hand\n# odd dir\/ä.txt:1: by hand\ndiff --git /);
	apply(out, "-R");
	expect(readFileSync(git.file("odd dir/ä.txt"), "utf8")).toBe("1\n");
	expect(run(sandbox, ["diff", "--uncommitted"], {}, sandbox.directory("elsewhere"))).toMatchObject({
		code: 2,
		err: expect.stringContaining("it is not in a Git repository"),
	});
	expect(diff("01a1ffff")).toMatchObject({ code: 2, out: "" });
	expect(diff("--turn").err).toContain("--turn does not go with --uncommitted");
	expect(run(sandbox, ["diff"]).err).toContain("diff needs a session");
	expect(run(sandbox, ["diff", ".", "--by-hand"]).err).toContain("--by-hand needs --uncommitted");
});
