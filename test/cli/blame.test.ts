import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { type RunResult, run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let git: GitRepository;
let disk: Map<string, string>;
let now: number;
beforeEach(() => {
	git = new GitRepository(sandbox.directory("work/api"));
	disk = new Map();
	now = Date.UTC(2026, 0, 5, 9);
});

const MINUTE = 60_000;

/** Starts a session; its number is the end of its id. */
function session(number: number, cwd = git.path): EditingSession {
	now += MINUTE;
	return new EditingSession(`01a1000${number}-0000-7000-8000-00000000000${number}`, cwd, now, disk);
}

/** Ends a session: its file is there, and the clock goes on. */
function end(one: EditingSession): string {
	now = one.now + MINUTE;
	return one.save(sandbox.agentDir);
}

function commit(message: string): string {
	now += MINUTE;
	git.put(disk);
	const hash = git.commit(now, message);
	now += MINUTE;
	return hash;
}

function blame(...args: readonly string[]): RunResult {
	return run(sandbox, ["blame", ...args], { TZ: "UTC", GIT_CONFIG_GLOBAL: "/dev/null" });
}

interface Told {
	readonly text: string;
	readonly answer: string;
	readonly why: string;
	readonly commit: { readonly hash: string } | null;
	readonly edits: readonly { readonly id: string; readonly entryId: string; readonly active: boolean }[];
}

function told(file: string): Told[] {
	return JSON.parse(blame(git.file(file), "--json").out);
}

/** "text: exact 1", with the numbers of the sessions. */
function short(lines: readonly Told[]): string[] {
	return lines.map(({ text, answer, edits }) =>
		[`${text.trim()}:`, answer, ...edits.map(({ id }) => id.slice(-1))].join(" "),
	);
}

const SUM = "export function sum(numbers: number[]): number {";
const LOOP = "\treturn numbers.reduce((all, one) => all + one, 0);";

test("the session that wrote a file, the one that changed a line, and what a person wrote", () => {
	const first = session(1);
	first.write("src/sum.ts", `${SUM}\n\treturn 0; // to be written\n}\n`);
	end(first);
	const one = commit("Add sum");
	const second = session(2);
	second.read("src/sum.ts");
	second.edit("src/sum.ts", [{ oldText: "\treturn 0; // to be written", newText: LOOP }]);
	end(second);
	const two = commit("Sum up");
	disk.set(git.file("src/sum.ts"), `${disk.get(git.file("src/sum.ts"))}// a remark that a person typed\n`);
	commit("Remark");
	const lines = told("src/sum.ts");
	expect(short(lines)).toEqual([
		`${SUM}: exact 1`,
		`${LOOP.trim()}: exact 2`,
		"}: exact 1",
		"// a remark that a person typed: unknown",
	]);
	expect(lines.map(({ commit: by }) => by?.hash)).toEqual([one, two, one, expect.any(String)]);
	expect(lines[3]?.why).toMatch(/^commit [0-9a-f]{7} has it, and no session is known to have written it$/);
});

test("a line for another program, one in full on JSON, and what is on stderr", () => {
	const one = session(1);
	one.prompt("Write sum");
	one.write("sum.ts", `${SUM}\n${LOOP}\n}\n`);
	const path = end(one);
	const hash = commit("Add sum");
	const id = "01a10001-0000-7000-8000-000000000001";
	expect(blame(`${git.file("sum.ts")}:3`)).toEqual({
		code: 0,
		out: `3\texact\t${hash.slice(0, 10)}\t${id}#00010002\t}\n`,
		err: "",
	});
	expect(blame(`${git.file("sum.ts")}:1-2`).out.split("\n")).toHaveLength(3);
	expect(JSON.parse(blame(`${git.file("sum.ts")}:1`, "--json").out)).toEqual([
		{
			line: 1,
			text: SUM,
			commit: {
				hash,
				author: "Jane",
				authored: "2026-01-05T09:03:03.000Z",
				committed: "2026-01-05T09:03:03.000Z",
				summary: "Add sum",
			},
			answer: "exact",
			why: "this session added the line, and it has stayed since",
			source: null,
			edits: [
				{
					path,
					id,
					title: "Write sum",
					cwd: join(sandbox.home, "work/api"),
					entryId: "00010002",
					tool: "write",
					file: git.file("sum.ts"),
					time: "2026-01-05T09:01:02.000Z",
					active: true,
					turn: 1,
					prompt: "Write sum",
					askedBy: null,
				},
			],
		},
	]);
	// For an editor it is what Git prints, but for the author and the summary.
	const heads = (text: string): string[] =>
		text.split("\n").filter((each) => /^[0-9a-f]{40} |^\t|^(?:boundary|committer|filename)/.test(each));
	const { out } = blame("--porcelain", git.file("sum.ts"));
	expect(heads(out)).toEqual(heads(git.git("blame", "--porcelain", "sum.ts")));
	expect(out).toContain(`\nauthor Write sum\nauthor-mail <${id}#00010002>\nauthor-time 1767603662\nauthor-tz +0000\n`);
	expect(out).toContain(
		`\nsummary Write sum\nboundary\nsession ${id}\nentry 00010002\nanswer exact\nfilename sum.ts\n\t${SUM}\n`,
	);
});

test("what a subagent wrote is its session's, with the one that asked for it", async () => {
	const one = session(1);
	one.prompt("Add arithmetic");
	const parent = end(one);
	const two = session(2);
	two.prompt("Task: write sum");
	two.write("sum.ts", `${SUM}\n${LOOP}\n}\n`);
	now = two.now + MINUTE;
	const path = join(parent.replace(/\.jsonl$/, ""), "0badcafe", "run-0", "session.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, two.text);
	commit("Add sum");
	const [line] = told("sum.ts");
	expect(line?.answer).toBe("exact");
	expect(line?.edits).toMatchObject([
		{ path, title: "Task: write sum", askedBy: { path: parent, title: "Add arithmetic" } },
	]);
	const terminal = sandbox.start(["blame", `${git.file("sum.ts")}:1`], { columns: 160 });
	await terminal.waitFor("a subagent for “Add arithmetic”");
	expect((await terminal.exit()).code).toBe(0);
});

test("what did not happen does not count: failed, unanswered, elsewhere, after the commit, only kept", () => {
	disk.set(git.file("a.ts"), "const first = readFirst();\nconst second = readSecond();\n");
	commit("By hand");
	const one = session(1);
	one.edit("a.ts", [{ oldText: "x", newText: "const third = readThird();" }], { fails: true });
	one.write("a.ts", "const third = readThird();\n", { unanswered: true });
	one.write("other/a.ts", "const third = readThird();\n");
	one.edit("a.ts", [
		{ oldText: "const first = readFirst();\n", newText: "const first = readFirst();\nconst fourth = readFourth();\n" },
	]);
	end(one);
	disk.set(git.file("a.ts"), `${disk.get(git.file("a.ts"))}const third = readThird();\n`);
	commit("More");
	now += 24 * 60 * MINUTE;
	const late = session(2);
	late.bash("rm a.ts");
	late.write("a.ts", disk.get(git.file("a.ts")) ?? "");
	end(late);
	expect(short(told("a.ts"))).toEqual([
		"const first = readFirst();: unknown",
		"const fourth = readFourth();: exact 1",
		"const second = readSecond();: unknown",
		"const third = readThird();: unknown",
	]);
});

test("of two sessions that wrote the same line, the first one is its author; of two commands, both are candidates", () => {
	const one = session(1);
	one.write("a.ts", "const shared = makeShared();\n");
	end(one);
	const two = session(2);
	two.write("a.ts", "const shared = makeShared();\nconst other = makeOther();\n");
	end(two);
	commit("Both");
	expect(short(told("a.ts"))).toEqual(["const shared = makeShared();: exact 1", "const other = makeOther();: exact 2"]);
	for (const number of [3, 4]) {
		const one = session(number);
		one.bash("sh make.sh a.ts", () => disk.set(git.file("a.ts"), "const made = byScript();\n"));
		end(one);
	}
	commit("Made");
	const made = told("a.ts");
	expect(short(made)).toEqual(["const made = byScript();: candidates 4 3"]);
	expect(made[0]?.why).toBe("one of these commands wrote it, or a person did");
});

test("who writes a whole file that was there keeps the lines that it had", () => {
	disk.set(git.file("a.ts"), "const typed = byHand(1);\n");
	const one = session(1);
	one.read("a.ts");
	one.write("a.ts", "const typed = byHand(1);\nconst written = byModel(2);\n");
	end(one);
	commit("Both");
	const two = session(2);
	two.read("a.ts");
	two.write("a.ts", "const typed = byHand(1);\nconst written = byModel(2);\nconst added = later(3);\n");
	end(two);
	git.put(disk);
	const lines = told("a.ts");
	expect(short(lines)).toEqual([
		"const typed = byHand(1);: unknown",
		"const written = byModel(2);: exact 1",
		"const added = later(3);: exact 2",
	]);
	expect(lines[0]?.why).toBe("it was there before all that is known of this file");
});

test("what was taken out, or committed without it, is not sure any more", () => {
	const one = session(1);
	one.write("a.ts", "const kept = keep(1);\nconst gone = drop(2);\n");
	one.edit("a.ts", [{ oldText: "const gone = drop(2);\n", newText: "" }]);
	one.edit("a.ts", [{ oldText: "const kept = keep(1);\n", newText: "const kept = keep(1);\nconst lost = lose(3);\n" }]);
	end(one);
	disk.set(git.file("a.ts"), "const kept = keep(1);\n");
	commit("Without the last line");
	disk.set(git.file("a.ts"), "const kept = keep(1);\nconst lost = lose(3);\nconst gone = drop(2);\n");
	commit("Put back by hand");
	const lines = told("a.ts");
	expect(short(lines)).toEqual([
		"const kept = keep(1);: exact 1",
		"const lost = lose(3);: candidates 1",
		"const gone = drop(2);: candidates 1",
	]);
	for (const line of lines.slice(1))
		expect(line.why).toBe("this session added it, it was removed, and it came back; who put it back is not known");
});

test("a file that was renamed, and edits in another worktree, also in one that is gone", () => {
	const tree = join(sandbox.home, "work", "tree");
	const one = session(1);
	one.write("old.ts", "const first = inOldName(1);\nconst second = inOldName(2);\n");
	end(one);
	commit("Add");
	git.git("mv", "old.ts", "new.ts");
	disk.set(git.file("new.ts"), disk.get(git.file("old.ts")) ?? "");
	disk.delete(git.file("old.ts"));
	commit("Rename");
	git.git("worktree", "add", "--quiet", "-b", "side", tree);
	const two = session(2, tree);
	disk.set(join(tree, "new.ts"), disk.get(git.file("new.ts")) ?? "");
	two.edit("new.ts", [{ oldText: "inOldName(2)", newText: "inWorktree(2)" }]);
	end(two);
	writeFileSync(join(tree, "new.ts"), disk.get(join(tree, "new.ts")) ?? "");
	now += MINUTE;
	git.gitAt(now, "-C", tree, "commit", "--quiet", "-am", "In the worktree");
	git.git("merge", "--quiet", "side");
	expect(short(told("new.ts"))).toEqual([
		"const first = inOldName(1);: exact 1",
		"const second = inWorktree(2);: exact 2",
	]);
	git.git("worktree", "remove", "--force", tree);
	const gone = told("new.ts");
	expect(short(gone)).toEqual(["const first = inOldName(1);: exact 1", "const second = inWorktree(2);: candidates 2"]);
	expect(gone[1]?.why).toBe(`it was added in another directory: ${join(tree, "new.ts")}`);
	// Another project that is there is no copy of this one.
	new GitRepository(tree);
	expect(short(told("new.ts"))[1]).toBe("const second = inWorktree(2);: unknown");
});

test("a line of a later edit in a hunk without pi's diff; an abandoned branch; a fork's copy", () => {
	const one = session(1);
	one.write("a.ts", "const a = alpha(1);\nconst b = beta(2);\nconst c = gamma(3);\n");
	const forked = one.leaf;
	one.edit(
		"a.ts",
		[{ oldText: "beta(2);\nconst c = gamma(3);", newText: "beta(22);\nconst d = delta(4);\nconst c = gamma(33);" }],
		{
			plain: true,
		},
	);
	one.leaf = forked;
	one.prompt("Something else");
	end(one);
	const fork = session(2);
	fork.lines.push(...one.lines.slice(1));
	end(fork);
	commit("All");
	const lines = told("a.ts");
	expect(short(lines)).toEqual([
		"const a = alpha(1);: exact 1",
		"const b = beta(22);: exact 1",
		"const d = delta(4);: exact 1",
		"const c = gamma(33);: exact 1",
	]);
	expect(lines.map(({ edits }) => edits[0]?.active)).toEqual([true, false, false, false]);
});

test("mistakes and odd files", () => {
	expect(blame()).toMatchObject({
		code: 2,
		err: expect.stringContaining("blame needs a file: pi-grove blame FILE[:LINE]"),
	});
	expect(blame("nowhere.ts")).toMatchObject({ code: 2, err: expect.stringContaining("cannot read") });
	expect(blame(git.path)).toMatchObject({ code: 2, out: "" });
	writeFileSync(git.file("two.ts"), "one line\nanother line\n");
	writeFileSync(git.file("odd:1"), "a line of a file with an odd name\n");
	writeFileSync(git.file("empty"), "");
	writeFileSync(git.file("binary"), "a\0b\n");
	expect(blame(`${git.file("two.ts")}:3`).err).toContain("two.ts has 2 lines; there is no line 3");
	expect(blame(`${git.file("two.ts")}:2-1`).code).toBe(2);
	expect(blame(`${git.file("two.ts")}:0`).code).toBe(2);
	expect(blame(git.file("binary")).err).toContain("is not a text file");
	expect(blame(git.file("empty"))).toMatchObject({ code: 1, out: "" });
	expect(blame(git.file("odd:1"))).toMatchObject({ code: 1, out: expect.stringMatching(/^1\tunknown\t-\t-\t/) });
	expect(blame(git.file("two.ts")).err).toContain("no commit is known");
	const none = run(sandbox, ["blame", git.file("two.ts")], { PATH: join(sandbox.home, "bin") });
	expect(none.err).toContain("git cannot be started");
	rmSync(join(git.path, ".git"), { recursive: true });
	expect(blame(git.file("two.ts")).err).toContain("no commit is known: it is not in a Git repository");
});
