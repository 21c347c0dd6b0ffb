import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
const NOW = Date.UTC(2026, 0, 5, 9);
const ID = "01a10001-0000-7000-8000-000000000001";

function blame(file: string): readonly string[] {
	const { out } = run(sandbox, ["blame", file, "--json"], { GIT_CONFIG_GLOBAL: "/dev/null" });
	return JSON.parse(out).map(
		({ text, answer }: { readonly text: string; readonly answer: string }) => `${text}: ${answer}`,
	);
}

test("what is edited through a link is changed in the file behind it: in the patch, and for blame", () => {
	const git = new GitRepository(sandbox.directory("work/api"));
	const session = new EditingSession(ID, git.path, NOW);
	session.disk.set(git.file("AGENTS.md"), "one\ntwo\n");
	git.put(session.disk);
	symlinkSync("AGENTS.md", git.file("CLAUDE.md"));
	git.commit(NOW - 60_000, "Begin");
	session.disk.set(git.file("CLAUDE.md"), "one\ntwo\n");
	session.prompt("Go");
	session.edit("CLAUDE.md", [{ oldText: "two", newText: "second" }]);
	session.disk.set(git.file("AGENTS.md"), "one\nsecond\n");
	session.putDisk();
	session.save(sandbox.agentDir);
	const { out } = run(sandbox, ["diff", ID]);
	expect(out.match(/^diff --git .*/gm)).toEqual(["diff --git a/AGENTS.md b/AGENTS.md"]);
	for (const name of ["AGENTS.md", "CLAUDE.md"])
		expect(blame(git.file(name))).toEqual(["one: unknown", "second: exact"]);
});

test("after a session was moved with its directory, its lines are still its own", () => {
	const old = new GitRepository(sandbox.directory("work/old"));
	const session = new EditingSession(ID, old.path, NOW);
	session.prompt("Go");
	session.write("a.ts", "one\ntwo\n");
	session.putDisk();
	session.save(sandbox.agentDir);
	old.commit(NOW + 60_000, "Add it");
	expect(blame(old.file("a.ts"))).toEqual(["one: exact", "two: exact"]);
	const to = join(sandbox.home, "work/new");
	renameSync(old.path, to);
	expect(run(sandbox, ["move", old.path, to, "--yes"]).code).toBe(0);
	expect(blame(join(to, "a.ts"))).toEqual(["one: exact", "two: exact"]);
});
