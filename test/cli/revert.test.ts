import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { startFakePi } from "../support/fake-pi.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";

const ID = "01a10000-0000-7000-8000-0000000000a1";
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
let here: Sandbox;
let repository: GitRepository;
let session: EditingSession;
beforeEach(() => {
	here = new Sandbox();
	repository = new GitRepository(join(here.home, "work/api"));
	const now = Date.now() - 3_600_000;
	session = new EditingSession(ID, repository.path, now);
	session.disk.set(repository.file("a.ts"), LINES.join(""));
	session.disk.set(repository.file("old.ts"), "old\n");
	repository.put(session.disk);
	repository.commit(now - 1000, "Import");
	session.prompt("Do it");
	session.read("a.ts");
	session.edit("a.ts", [{ oldText: "line 3\n", newText: "three\n" }]);
	session.edit("a.ts", [{ oldText: "line 30\n", newText: "thirty\nthirty and a half\n" }]);
	session.write("new/b.ts", "b\n");
	session.bash("rm old.ts");
	session.disk.delete(repository.file("old.ts"));
	session.putDisk();
	rmSync(repository.file("old.ts"), { force: true });
	session.save(here.agentDir);
});
afterEach(() => here.remove());

const read = (name: string): string => readFileSync(repository.file(name), "utf8");
const fates = (...args: readonly string[]): Record<string, string> =>
	Object.fromEntries(
		run(here, [...args, "--dry-run"])
			.out.trimEnd()
			.split("\n")
			.filter(Boolean)
			.map((line) => [line.split("\t")[2], line.split("\t")[0]]),
	);

test("what a session changed is taken back, put there again, and each is undone to the byte", () => {
	expect(fates("revert", ID)).toEqual({ "a.ts": "changed", "new/b.ts": "to trash", "old.ts": "back" });
	expect(read("new/b.ts")).toBe("b\n");
	expect(run(here, ["revert", ID, "--yes"])).toMatchObject({
		code: 0,
		err: expect.stringContaining("Took back 3 files"),
	});
	expect(read("a.ts")).toBe(LINES.join(""));
	expect(read("old.ts")).toBe("old\n");
	// The directory was made for the file.
	expect(existsSync(repository.file("new"))).toBe(false);
	expect(repository.git("status", "--short")).toBe("");
	expect(run(here, ["revert", ID, "--yes"])).toMatchObject({
		code: 1,
		err: expect.stringContaining("left to take back"),
	});

	expect(fates("apply", ID)).toEqual({ "a.ts": "changed", "new/b.ts": "new", "old.ts": "to trash" });
	expect(run(here, ["apply", ID, "--yes"])).toMatchObject({ code: 0 });
	expect(read("a.ts")).toContain("thirty and a half");
	expect(read("new/b.ts")).toBe("b\n");
	expect(existsSync(repository.file("old.ts"))).toBe(false);
	expect(run(here, ["apply", ID, "--yes"])).toMatchObject({ code: 1, err: expect.stringContaining("there already") });

	expect(run(here, ["undo", "--yes"])).toMatchObject({ code: 0 });
	expect(repository.git("status", "--short")).toBe("");
	expect(run(here, ["undo", "--yes"])).toMatchObject({ code: 0 });
	expect(read("new/b.ts")).toBe("b\n");
	expect(read("a.ts")).toContain("three\n");
	expect(existsSync(repository.file("old.ts"))).toBe(false);
});

test("what something else changed since stays: hunks go where their lines are, and what does not fit is refused by name", () => {
	const moved = read("a.ts").replace("line 0\n", "line 0\nby hand\n");
	writeFileSync(repository.file("a.ts"), moved);
	expect(run(here, ["revert", ID, "a.ts", "--yes"])).toMatchObject({ code: 0 });
	expect(read("a.ts")).toBe(LINES.join("").replace("line 0\n", "line 0\nby hand\n"));
	run(here, ["undo", "--yes"]);
	expect(read("a.ts")).toBe(moved);

	const changed = moved.replace("three\n", "three, by hand\n");
	writeFileSync(repository.file("a.ts"), changed);
	writeFileSync(repository.file("new/b.ts"), "b\nmore\n");
	const refusal = run(here, ["revert", ID, "--yes"]);
	expect(refusal).toMatchObject({ code: 2 });
	for (const part of [
		"\n  line 1 is left out",
		"\nrefused   new/b.ts  it was new, and something else changed it since",
		"--partly does the rest",
	])
		expect(refusal.err).toContain(part);
	expect(read("a.ts")).toBe(changed);

	expect(run(here, ["revert", ID, "--partly", "--yes"])).toMatchObject({ code: 0 });
	expect(read("a.ts")).toContain("three, by hand\n");
	expect(read("a.ts")).toContain("line 30\n");
	expect(read("new/b.ts")).toBe("b\nmore\n");
	expect(read("old.ts")).toBe("old\n");
});

test("one hunk, and in another clone", () => {
	expect(run(here, ["revert", ID, "--hunk", "a.ts:31", "--yes"])).toMatchObject({
		code: 0,
		err: expect.stringContaining("Took back 1 hunk in 1 file"),
	});
	expect(read("a.ts")).toBe(LINES.join("").replace("line 3\n", "three\n"));
	expect(run(here, ["revert", ID, "--hunk", "nothing.ts:3", "--yes"])).toMatchObject({ code: 2 });

	const clone = join(here.home, "clone");
	repository.git("clone", "--quiet", repository.path, clone);
	expect(run(here, ["apply", ID, "--repo", clone, "--yes"])).toMatchObject({ code: 0 });
	expect(readFileSync(join(clone, "a.ts"), "utf8")).toContain("three\n");
	expect(readFileSync(join(clone, "new/b.ts"), "utf8")).toBe("b\n");
	expect(existsSync(join(clone, "old.ts"))).toBe(false);
});

test("the only hunk of a new file is the file; a hunk of a file that was moved leaves it where it is", () => {
	session.bash("git mv a.ts c.ts", (disk) => {
		disk.set(repository.file("c.ts"), disk.get(repository.file("a.ts")) ?? "");
		disk.delete(repository.file("a.ts"));
	});
	session.putDisk();
	rmSync(repository.file("a.ts"), { force: true });
	session.save(here.agentDir);
	expect(fates("revert", ID, "--hunk", "new/b.ts:1")).toEqual({ "new/b.ts": "to trash" });
	expect(run(here, ["revert", ID, "--hunk", "c.ts:4", "--yes"])).toMatchObject({ code: 0 });
	expect(read("c.ts")).toContain("line 3\nline 4");
	expect(read("c.ts")).toContain("thirty");
	expect(existsSync(repository.file("a.ts"))).toBe(false);
});

test("undo of it refuses where a file was changed since, and the mode of a file stays", () => {
	chmodSync(repository.file("a.ts"), 0o750);
	expect(run(here, ["revert", ID, "a.ts", "--yes"])).toMatchObject({ code: 0 });
	expect(statSync(repository.file("a.ts")).mode & 0o777).toBe(0o750);
	writeFileSync(repository.file("a.ts"), "by hand\n");
	expect(run(here, ["undo", "--yes"])).toMatchObject({ code: 2, err: expect.stringContaining("changed since: a.ts") });
	expect(read("a.ts")).toBe("by hand\n");
});

test("a file that a command only made executable is listed, taken back and made so again; an executable one is not listed", () => {
	chmodSync(repository.file("a.ts"), 0o755);
	repository.commit(session.now, "By hand");
	session.now += 2000;
	session.write("run.sh", "#!/bin/sh\n");
	session.putDisk();
	repository.commit(session.now, "By hand, too");
	session.now += 2000;
	const start = session.prompt("Make them executable");
	session.bash("chmod +x run.sh a.ts");
	chmodSync(repository.file("run.sh"), 0o755);
	const path = session.save(here.agentDir);
	const turn = [`${path}#${start}`, "--turn"];
	expect(run(here, ["diff", ...turn]).out).toBe("diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n");
	expect(fates("revert", ...turn)).toEqual({ "run.sh": "mode" });
	expect(run(here, ["revert", ...turn, "--yes"])).toMatchObject({ code: 0 });
	expect(statSync(repository.file("run.sh")).mode & 0o777).toBe(0o644);
	expect(run(here, ["apply", ...turn, "--yes"])).toMatchObject({ code: 0 });
	expect(statSync(repository.file("run.sh")).mode & 0o777).toBe(0o755);
});

test("a file that nobody else may read is so again when undo brings it back", () => {
	chmodSync(repository.file("new/b.ts"), 0o600);
	expect(run(here, ["revert", ID, "new/b.ts", "--yes"])).toMatchObject({ code: 0 });
	expect(existsSync(repository.file("new/b.ts"))).toBe(false);
	expect(run(here, ["undo", "--yes"])).toMatchObject({ code: 0 });
	expect(statSync(repository.file("new/b.ts")).mode & 0o777).toBe(0o600);
});

test("nothing is written through a link that leads out", () => {
	const outside = join(here.home, "outside");
	mkdirSync(outside);
	writeFileSync(join(outside, "b.ts"), "b\n");
	rmSync(repository.file("new"), { recursive: true });
	symlinkSync(outside, repository.file("new"));
	expect(run(here, ["revert", ID, "--partly", "--yes"])).toMatchObject({ code: 0 });
	expect(readdirSync(outside)).toEqual(["b.ts"]);
});

test("what does not fit is merged with marks, if that is asked for", () => {
	run(here, ["revert", ID, "--yes"]);
	writeFileSync(repository.file("a.ts"), read("a.ts").replace("line 3\n", "line 3, by hand\n"));
	expect(run(here, ["apply", ID, "a.ts", "--yes"])).toMatchObject({ code: 2 });
	expect(run(here, ["apply", ID, "a.ts", "--3way", "--yes"])).toMatchObject({ code: 0 });
	expect(read("a.ts")).toContain("<<<<<<< here\nline 3, by hand\n=======\nthree\n>>>>>>> session\n");
	expect(read("a.ts")).toContain("thirty and a half");
});

test("while a pi works in the directory, --yes does not cover it", async () => {
	const pi = await startFakePi(repository.path, [], { PI_CODING_AGENT_DIR: here.agentDir });
	const refusal = run(here, ["revert", ID, "a.ts", "--yes"]);
	expect(refusal).toMatchObject({ code: 2, err: expect.stringContaining("--yes does not cover this") });
	expect(refusal.err).toContain(`pid ${pi.pid}`);
	expect(read("a.ts")).toContain("three\n");
	await pi.end();
	expect(run(here, ["revert", ID, "a.ts", "--yes"])).toMatchObject({ code: 0 });
});

test("what pi-grove took back itself makes nothing of its session uncertain, nor does the undo", () => {
	session.bash("make");
	session.save(here.agentDir);
	const patch = run(here, ["diff", ID]).out;
	const stat = run(here, ["diff", ID, "--stat"]).out;
	const shown = run(here, ["show", ID, "--file", "a.ts"]).out;
	expect(stat).toMatch(/a\.ts\t3\t2\texact/);
	for (const step of [
		["revert", ID, "--hunk", "a.ts:4", "--yes"],
		["undo", "--yes"],
	]) {
		expect(run(here, step)).toMatchObject({ code: 0 });
		expect(run(here, ["diff", ID]).out, step[0]).toBe(patch);
		expect(run(here, ["diff", ID, "--stat"]).out, step[0]).toBe(stat);
		expect(run(here, ["show", ID, "--file", "a.ts"]).out, step[0]).toBe(shown);
	}
});
