import { existsSync, readdirSync, readFileSync } from "node:fs";
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
	session.save(here.agentDir);
});
afterEach(() => here.remove());

test("the files as of an entry are shown first, made in a directory of their own, and removed by one undo", () => {
	const into = join(here.home, "then");
	const preview = run(here, ["checkout", ID, "--dry-run"]);
	expect(preview).toMatchObject({
		code: 0,
		out: "likely\tb.ts\twritten in turn 1; 3 commands ran since (sed -i s/a/b/ b.ts, …)\nexact\ta.ts\tdeleted in turn 1\n",
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
	expect(repository.git("status", "--short")).toBe("");
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
