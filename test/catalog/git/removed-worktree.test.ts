import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorktree } from "../../../src/app/world/effects/sessions/worktree.ts";
import { missingDirectoryMenu } from "../../../src/app/world/questions/missing-directory.ts";
import { notedWorktree, noteGit, repositoryOf } from "../../../src/catalog/git/git-notes.ts";
import { readDirectly } from "../../../src/store/files/disk-read.ts";
import { GitRepository } from "../../support/git-repository.ts";
import { start } from "../../support/listed-state.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A repository "api" with a worktree "api-fix" of branch fix/it, both noted as the program does it once all is listed. */
async function noted() {
	const home = realpathSync(tempDir());
	const disk = { home, env: { XDG_STATE_HOME: join(home, "state") }, readDisk: readDirectly, clock: Date.now };
	const repository = new GitRepository(join(home, "api"));
	repository.commit(Date.UTC(2026, 0, 1), "first");
	const tree = join(home, "elsewhere", "fix");
	repository.git("worktree", "add", "-q", "-b", "fix/it", tree);
	mkdirSync(join(tree, "src"));
	await noteGit([repository.path, tree, join(tree, "src")], disk);
	return { home, disk, repository, tree };
}

describe("a worktree that was seen", () => {
	test("stays one of its repository after it was removed, with what it had checked out last", async () => {
		const { disk, repository, tree } = await noted();
		expect(await repositoryOf(repository.path, [], disk)).toEqual([repository.path, tree]);
		repository.git("-C", tree, "switch", "-q", "-c", "fix/more");
		await noteGit([tree], disk);
		repository.git("worktree", "remove", tree);
		expect(await repositoryOf(repository.path, [], disk)).toEqual([repository.path, tree]);
		expect(notedWorktree(tree, disk)).toEqual({ repository: repository.path, path: tree, head: "fix/more" });
		// Another repository is there now.
		new GitRepository(tree);
		expect(await repositoryOf(repository.path, [], disk)).toEqual([repository.path]);
	});

	test("is made again on its branch, at the choice that is first where its directory is missing", async () => {
		const { disk, repository, tree } = await noted();
		repository.git("worktree", "remove", "--force", tree);
		const request = { path: "/s/a.jsonl", cwd: join(tree, "src") };
		const worktree = notedWorktree(request.cwd, disk);
		expect(worktree?.path).toBe(tree);
		const { items } = missingDirectoryMenu(start, { request, ...(worktree && { worktree }) });
		expect(items[0]).toEqual({
			label: "Make its worktree of branch fix/it again, and resume there",
			effect: { type: "make-worktree", worktree, request },
		});
		expect(worktree && (await makeWorktree(worktree))).toBeUndefined();
		expect(readFileSync(join(repository.path, ".git/worktrees/fix/HEAD"), "utf8")).toBe("ref: refs/heads/fix/it\n");
		expect(existsSync(join(tree, ".git"))).toBe(true);
		expect(missingDirectoryMenu(start, { request }).items[0]?.label).toBe("Resume in another directory…");
	});

	test("cannot be made where its branch is gone: what Git says is shown whole", async () => {
		const { disk, repository, tree } = await noted();
		repository.git("worktree", "remove", "--force", tree);
		repository.git("branch", "-D", "-q", "fix/it");
		const worktree = notedWorktree(tree, disk);
		expect(worktree && (await makeWorktree(worktree))).toMatchObject({
			type: "ask",
			question: { about: tree, body: [expect.stringContaining("invalid reference: fix/it")] },
		});
		const option = { repository: repository.path, path: tree, head: "--force" };
		expect(await makeWorktree(option)).toMatchObject({ type: "ask" });
		expect(existsSync(tree)).toBe(false);
	});
});

test("what nobody has seen and is gone is of the repository beside it that it is called after", async () => {
	const { home, disk, repository, tree } = await noted();
	new GitRepository(join(home, "api-v2"));
	mkdirSync(join(home, "api-docs"));
	const gone = ["api-other", "api.worktrees/deep/er"].map((name) => join(home, name));
	const others = ["apiary", "api-v2-fix", "api-docs", "web", "elsewhere/api-fix"].map((name) => join(home, name));
	expect(await repositoryOf(repository.path, [...gone, ...others, repository.path], disk)).toEqual([
		repository.path,
		tree,
		...gone,
	]);
	expect(await repositoryOf(join(home, "api-v2"), [...gone, ...others], disk)).toEqual([
		join(home, "api-v2"),
		join(home, "api-v2-fix"),
	]);
	expect(await repositoryOf(join(home, "api-docs"), gone, disk)).toBeUndefined();
});
