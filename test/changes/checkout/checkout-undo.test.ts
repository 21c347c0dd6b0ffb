import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inShort } from "../../support/cases.ts";
import { GitRepository } from "../../support/git-repository.ts";
import { CheckoutWorld, NOTHING } from "./checkout-world.ts";

let world: CheckoutWorld;
beforeEach(() => {
	world = new CheckoutWorld();
});
afterEach(() => vi.unstubAllEnvs());

/** Git in the directory that was made. */
function git(...args: readonly string[]): string {
	return world.repository.git("-C", world.into, ...args);
}

function write(name: string, text: string): void {
	writeFileSync(join(world.into, name), text);
}

const DONE_SINCE: readonly (readonly [what: string, change: () => void, why: string])[] = [
	["a file was changed", () => write("a.txt", "by hand\n"), "1 file in it has been changed since: a.txt"],
	["a file was added", () => write("new", ""), "1 file in it has been changed since: new"],
	["an ignored file was added", () => write("ignored", ""), "has been changed since: ignored"],
	["a file was deleted", () => rmSync(join(world.into, ".gitignore")), "has been changed since: .gitignore"],
	["a mode was changed", () => chmodSync(join(world.into, "deep/b.txt"), 0o755), "has been changed since: deep/b.txt"],
	[
		"the mode of a file of the session was changed",
		() => chmodSync(join(world.into, "a.txt"), 0o755),
		"has been changed since: a.txt",
	],
	["something was committed", () => git("commit", "-qam", "more"), "nother commit is checked out in it by now"],
	[
		"a commit was made and left",
		() => {
			git("commit", "-qm", "mine", "--allow-empty");
			git("reset", "-q", "--soft", "HEAD~1");
		},
		", which was made in it, is on no branch",
	],
	[
		"only the index has a text",
		() => {
			write("deep/b.txt", "mine\n");
			git("add", "deep/b.txt");
			write("deep/b.txt", "b\n");
		},
		"has been changed since: deep/b.txt",
	],
	[
		"Git was told to overlook a change",
		() => {
			git("update-index", "--assume-unchanged", "deep/b.txt");
			write("deep/b.txt", "mine\n");
		},
		"Git was told to overlook changes of deep/b.txt",
	],
	[
		"Git was told to skip a file",
		() => {
			git("update-index", "--skip-worktree", "deep/b.txt");
			write("deep/b.txt", "mine\n");
		},
		"Git was told to overlook changes of deep/b.txt",
	],
	["it was locked", () => git("worktree", "lock", world.into), "t is locked (git worktree unlock)"],
	["a bisect is under way", () => git("bisect", "start"), " bisect in it is not finished"],
	[
		"a merge is under way",
		() => {
			git("stash", "-q");
			git("merge", "-q", "--no-commit", "--no-ff", git("commit-tree", "-p", "HEAD", "-m", "other", "HEAD^{tree}"));
			git("stash", "pop", "-q");
		},
		" merge in it is not finished",
	],
];

/** Of these another one is of the same kind. */
const AGAIN: ReadonlySet<string> = new Set([
	"an ignored file was added",
	"a mode was changed",
	"Git was told to skip a file",
	"a bisect is under way",
]);

test.each(inShort(DONE_SINCE, ([what]) => !AGAIN.has(what)))("the undo refuses if %s in it", async (_, change, why) => {
	await world.make();
	change();
	expect(await world.changed.undo()).toContain(why);
	expect(world.around().worktrees).toBe(2);
	expect(existsSync(world.into)).toBe(true);
});

test("a commit that was made in it and is on a branch does not keep it", async () => {
	await world.make();
	git("commit", "-qm", "mine", "--allow-empty");
	git("branch", "kept");
	git("reset", "-q", "--soft", "HEAD~1");
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

test("of a directory that Git has moved it is said where it is", async () => {
	await world.make();
	rmSync(join(world.into, "a.txt"));
	git("checkout", "-q", "a.txt");
	world.repository.git("worktree", "move", world.into, join(world.base, "moved"));
	expect(await world.changed.undo()).toContain(`Git has moved it to ${join(world.base, "moved")}`);
	world.repository.git("worktree", "remove", join(world.base, "moved"));
	expect(await world.changed.undo()).not.toContain("cannot");
});

test("no setting of the person hides a change, or keeps it from being undone", async () => {
	const settings = {
		"status.showUntrackedFiles": "no",
		"status.renames": "copies",
		"diff.ignoreSubmodules": "all",
		"diff.orderFile": "/nowhere/to/be/found",
		"core.fileMode": "false",
		"core.ignoreStat": "true",
		"core.untrackedCache": "true",
		"core.checkStat": "minimal",
	};
	for (const [name, value] of Object.entries(settings)) world.repository.git("config", name, value);
	await world.make();
	write("new", "mine\n");
	chmodSync(join(world.into, "deep/b.txt"), 0o755);
	expect(await world.changed.undo()).toContain("2 files in it have been changed since: ");
	rmSync(join(world.into, "new"));
	chmodSync(join(world.into, "deep/b.txt"), 0o644);
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(world.around()).toEqual(NOTHING);
});

test("variables of a Git that has started the program do not name another repository", async () => {
	const other = new GitRepository(join(world.base, "state", "other"));
	vi.stubEnv("GIT_DIR", other.file(".git"));
	vi.stubEnv("GIT_OBJECT_DIRECTORY", other.file(".git/objects"));
	vi.stubEnv("GIT_INDEX_FILE", other.file("index"));
	const { message } = await world.changed.journal.make({ ...requested(), into: world.into });
	expect(message.text).toMatch(/^Made /);
	expect(await world.changed.undo()).toMatch(/^Undone: /);
	expect(readdirSync(world.base).toSorted()).toEqual(["api", "state"]);
});

/** Asked before the variables are set. */
let requested: () => ReturnType<CheckoutWorld["request"]>;
beforeEach(() => {
	const request = world.request();
	requested = () => request;
});

test.each(inShort(["all", "dirty"], (ignore) => ignore === "all"))(
	"what was done in a submodule is kept, with ignore = %s",
	async (ignore) => {
		const { repository, base } = world;
		const library = new GitRepository(join(base, "state", "library"));
		writeFileSync(library.file("s.txt"), "s\n");
		library.commit(Date.UTC(2026, 0, 9), "library");
		const local = ["-c", "protocol.file.allow=always"];
		repository.git(...local, "submodule", "add", "-q", library.path, "sm");
		repository.git("config", "-f", ".gitmodules", "submodule.sm.ignore", ignore);
		repository.commit(Date.UTC(2026, 0, 10), "submodule");
		await world.make();
		expect(existsSync(join(world.into, "sm", "s.txt"))).toBe(false);
		git(...local, "submodule", "update", "-q", "--init");
		const submodule = new GitRepository(join(world.into, "sm"));
		writeFileSync(submodule.file("s.txt"), "mine\n");
		submodule.commit(Date.UTC(2026, 0, 11), "mine");
		writeFileSync(submodule.file("new.txt"), "mine\n");
		expect(await world.changed.undo()).toContain("ubmodules were fetched in it");
		expect(existsSync(submodule.file("new.txt"))).toBe(true);
		// Also what is only in its repository, and not on the disk.
		git("submodule", "deinit", "-q", "-f", "sm");
		world.changed.restart();
		expect(await world.changed.undo()).toContain("ubmodules were fetched in it");
	},
);

test("a repository that was put into a submodule's empty directory is kept", async () => {
	const { repository, base } = world;
	const library = new GitRepository(join(base, "state", "library"));
	const commit = library.commit(Date.UTC(2026, 0, 9), "library");
	repository.git("update-index", "--add", "--cacheinfo", `160000,${commit},sm`);
	repository.gitAt(Date.UTC(2026, 0, 10), "commit", "-qm", "submodule");
	await world.make();
	mkdirSync(join(world.into, "sm"), { recursive: true });
	new GitRepository(base).git("clone", "-q", library.path, join(world.into, "sm"));
	expect(await world.changed.undo()).toContain("ubmodules were fetched in it");
	expect(existsSync(join(world.into, "sm", ".git"))).toBe(true);
});
