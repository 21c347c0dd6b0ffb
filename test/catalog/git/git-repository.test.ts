import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBranches, findRepository } from "../../../src/catalog/git/git-repository.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = realpathSync(tempDirOfFile());

function git(cwd: string, ...args: readonly string[]): void {
	const identity = ["-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main"];
	execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

function repository(name: string): string {
	const root = join(folder, name);
	mkdirSync(join(root, "src"), { recursive: true });
	git(root, "init");
	git(root, "commit", "--allow-empty", "-m", "first");
	return root;
}

test("a repository is the same from any of its worktrees, and from below", async () => {
	const root = repository("api");
	const tree = join(folder, "api-fix");
	git(root, "worktree", "add", "-b", "fix/it", tree);
	mkdirSync(join(tree, "deep"));
	const all = [root, tree];
	for (const from of [root, join(root, "src"), tree, join(tree, "deep")]) {
		const found = await findRepository(from);
		expect([found?.[0], found?.toSorted()], from).toEqual([root, all.toSorted()]);
	}
	expect([...(await findBranches([root, join(tree, "deep"), folder]))]).toEqual([
		[root, "main"],
		[join(tree, "deep"), "fix/it"],
		[folder, ""],
	]);
	// Deleted, but not pruned: its sessions still belong to the repository.
	rmSync(tree, { recursive: true });
	expect(await findRepository(root)).toContain(tree);
});

test("a submodule is a separate repository; without a branch the commit is shown", async () => {
	const root = repository("whole");
	const part = repository("part");
	git(root, "-c", "protocol.file.allow=always", "submodule", "add", part, "part");
	expect((await findRepository(join(root, "part")))?.[0]).toBe(join(root, "part"));
	git(part, "checkout", "--detach");
	expect((await findBranches([part])).get(part)).toMatch(/^[0-9a-f]{8}$/);
});

test("a directory without a repository, or with a damaged one, has none", async () => {
	expect(await findRepository(folder)).toBeUndefined();
	expect(await findRepository(join(folder, "nowhere"))).toBeUndefined();
	const odd = join(folder, "odd");
	mkdirSync(odd);
	for (const text of ["", "gitdir:", "nonsense", "x".repeat(100_000)]) {
		writeFileSync(join(odd, ".git"), text);
		expect(await findRepository(odd)).toBeUndefined();
	}
	writeFileSync(join(odd, ".git"), "gitdir: ../gone");
	expect(await findRepository(odd)).toEqual([odd]);
	expect((await findBranches([odd])).get(odd)).toBe("");
});
