import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";

const ID = "01a10000-0000-7000-8000-0000000000a1";
let here: Sandbox;
let repository: GitRepository;
beforeEach(() => {
	here = new Sandbox();
	repository = new GitRepository(join(here.home, "work/api"));
	const now = Date.now() - 3_600_000;
	const session = new EditingSession(ID, repository.path, now);
	session.disk.set(repository.file("a.ts"), "a\n");
	repository.put(session.disk);
	repository.commit(now - 1000, "Import");
	session.prompt("Do it");
	session.write("b.ts", "b\n");
	session.write("/elsewhere/c.ts", "c\n");
	session.bash("npm run build");
	session.bash("sed -i s/a/b/ b.ts");
	session.bash("npm test");
	session.bash("rm a.ts");
	session.disk.delete(repository.file("a.ts"));
	session.putDisk();
	session.save(here.agentDir);
});
afterEach(() => here.remove());

test("the files as of an entry are shown first, made in a directory of their own, and removed by one undo", () => {
	const into = join(here.home, "then");
	const preview = run(here, ["checkout", ID, "--dry-run"]);
	expect(preview).toMatchObject({
		code: 0,
		out: `exact\tb.ts\twritten in turn 1, changed by sed in turn 1; confirmed by the disk now; new: the commit does not have it
exact\ta.ts\tdeleted in turn 1\n`,
	});
	const rest = "May have changed more: npm run build (turn 1), npm test (turn 1).";
	for (const part of ["on commit", rest, "/elsewhere/c.ts", "Nothing was made"]) expect(preview.err).toContain(part);
	expect(readdirSync(join(here.home, "work"))).toEqual(["api"]);
	const json = JSON.parse(run(here, ["checkout", ID, "--dry-run", "--json"]).out);
	expect(json).toMatchObject({
		root: repository.path,
		base: { subject: "Import" },
		files: [
			{ file: "b.ts", written: true },
			{ file: "a.ts", written: false },
		],
	});

	expect(run(here, ["checkout", ID, "--into", into, "--yes"])).toMatchObject({ code: 0, out: `${into}\n` });
	expect(readFileSync(join(into, "b.ts"), "utf8")).toBe("b\n");
	expect(existsSync(join(into, "a.ts"))).toBe(false);
	expect(repository.git("status", "--short")).toBe("D a.ts\n?? b.ts");
	expect(run(here, ["checkout", ID, "--into", into, "--yes"])).toMatchObject({
		code: 2,
		err: expect.stringContaining("exists already"),
	});
	expect(run(here, ["undo", "--yes"]).err).toMatch(/^Undone: check out the files of “Do it” into ~\/then/);
	expect(existsSync(into)).toBe(false);
	expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
	expect(run(here, ["checkout", ID, "--repo", join(here.home, "none"), "--yes"]).err).toContain("is not a directory");
	const plain = here.directory("plain");
	expect(run(here, ["checkout", ID, "--repo", plain, "--yes"])).toEqual({
		code: 2,
		out: "",
		err: `pi-grove: --repo ${plain} is not in a Git repository\n`,
	});
});

test("what is refused is named, before and after, and is not written", () => {
	symlinkSync(here.home, repository.file("out"));
	repository.commit(Date.now() - 3_600_000, "Link");
	const session = new EditingSession("01a10000-0000-7000-8000-0000000000a2", repository.path, Date.now());
	session.prompt("Do more");
	session.write("git~1/config", "[core]\n");
	session.write("out/y.txt", "y\n");
	session.write("c.ts", "c\n");
	session.save(here.agentDir);
	const into = join(here.home, "then");
	const preview = run(here, ["checkout", session.id, "--dry-run", "--json"]);
	const filesOf = (out: string) => JSON.parse(out).files;
	const refused = {
		file: "git~1/config",
		written: false,
		why: expect.stringContaining("not written: it would be Git's"),
	};
	const written = { file: "c.ts", written: true };
	for (const file of [refused, written]) expect(filesOf(preview.out)).toContainEqual(expect.objectContaining(file));
	const made = run(here, ["checkout", session.id, "--into", into, "--yes", "--json"]);
	expect(made.code).toBe(0);
	for (const file of [refused, { file: "out/y.txt", written: false }, written])
		expect(filesOf(made.out)).toContainEqual(expect.objectContaining(file));
	expect(made.err).toContain("Not written: git~1/config: it would be Git's own.");
	expect(made.err).toContain("not written: out/y.txt: a link there leads out of the directory");
	expect([existsSync(join(into, "git~1")), existsSync(join(into, "c.ts"))]).toEqual([false, true]);
	expect(existsSync(join(here.home, "y.txt"))).toBe(false);
	const inside = run(here, ["checkout", session.id, "--into", repository.file("then"), "--yes"]);
	expect(inside).toMatchObject({ code: 2, err: expect.stringContaining("where the session worked") });
});

test("of a repository in another one the directory is beside the outer one; of several below a directory it is said which", () => {
	const inner = new GitRepository(repository.file("vendor/lib"));
	writeFileSync(inner.file("l.ts"), "l\n");
	inner.commit(Date.now() - 3_600_000, "Inner");
	const session = new EditingSession("01a10000-0000-7000-8000-0000000000a3", inner.path, Date.now());
	session.prompt("Inside");
	session.write("l.ts", "l2\n");
	session.save(here.agentDir);
	const { out } = run(here, ["checkout", session.id, "--yes"]);
	expect(out).toMatch(new RegExp(`^${join(here.home, "work")}/lib@\\d{4}\\n$`));
	expect(readFileSync(join(out.trim(), "l.ts"), "utf8")).toBe("l2\n");
	expect(repository.git("status", "--short")).toBe("D a.ts\n?? b.ts\n?? vendor/");

	const above = new EditingSession("01a10000-0000-7000-8000-0000000000a4", join(here.home, "work"), Date.now());
	above.prompt("Above");
	above.write("api/d.ts", "d\n");
	above.write("api/vendor/lib/e.ts", "e\n");
	above.save(here.agentDir);
	expect(run(here, ["checkout", above.id, "--dry-run"]).err).toContain(
		"Repositories in it, of which no worktree is made: api, api/vendor/lib.",
	);
});
