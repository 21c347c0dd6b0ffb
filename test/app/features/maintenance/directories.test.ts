import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFolders, offerDirectories } from "../../../../src/app/world/effects/directories.ts";
import { noteGit, readGitNotes } from "../../../../src/catalog/git/git-notes.ts";
import { readDirectly } from "../../../../src/store/files/disk-read.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { tempDir } from "../../../support/temp-dir.ts";

function start() {
	const home = realpathSync(tempDir());
	const disk = { home, env: { XDG_STATE_HOME: join(home, ".state") }, readDisk: readDirectly, clock: Date.now };
	return {
		home,
		disk,
		notes: join(home, ".state", "pi-grove", "git.json"),
		make: (...ways: readonly string[]) => {
			for (const way of ways) mkdirSync(join(home, way), { recursive: true });
		},
		/** What is offered for a missing directory: the path relative to home, and why. */
		async offered(gone: string | undefined, known: readonly string[] = []) {
			const missing = gone === undefined ? undefined : join(home, gone);
			const paths = known.map((way) => join(home, way));
			const found = await offerDirectories(missing, paths, readGitNotes(disk), readDirectly);
			return found.map(({ directory, why }) => `${directory.slice(home.length + 1)} ${why}`.trim());
		},
	};
}

test("one directory of the same name beside the missing one is offered, in which more folders are the same first; then known ones", async () => {
	const { make, offered } = start();
	make("new/team/api", "attic/api", "node_modules/api", ".hidden/api", "web");
	expect(await offered("old/team/api")).toEqual(["new/team/api same name"]);
	expect(await offered("old/api", ["web", "gone"])).toEqual(["attic/api same name", "web"]);
	expect(await offered("old/team/other")).toEqual([]);
	// Where the directory above it exists, it was moved into another folder of that, or of one beside it.
	make("old/team/moved/site", "old/crew/site", "old/crew/shop");
	expect(await offered("old/team/site")).toEqual(["old/team/moved/site same name"]);
	expect(await offered("old/team/shop")).toEqual(["old/crew/shop same name"]);
	make("top");
	expect(await offered("old/of/top")).toEqual([]);
	expect(await offered("away/top")).toEqual(["top same name"]);
	expect(await offered(undefined, ["web", "top", "gone"])).toEqual(["web", "top"]);
});

test("a clone of the same remote repository is offered first, by what was noted while the missing one existed", async () => {
	const { home, disk, notes, offered } = start();
	const tool = new GitRepository(join(home, "work/tool"));
	tool.git("remote", "add", "origin", "https://me:S3CRET@github.com/me/tool.git");
	mkdirSync(join(tool.path, "src"));
	const other = new GitRepository(join(home, "work/other"));
	other.git("remote", "add", "origin", "git@github.com:me/other.git");
	const clone = new GitRepository(join(home, "code/better-tool"));
	clone.git("remote", "add", "origin", "git@github.com:me/tool.git");
	mkdirSync(join(clone.path, "src"));
	new GitRepository(join(home, "work/plain"));
	const known = [tool.path, join(tool.path, "src"), other.path, join(home, "work/plain"), join(home, "no")];
	await noteGit([...known, join(clone.path, "src")], disk);
	renameSync(tool.path, join(home, "renamed"));
	expect(await offered("work/tool", ["code/better-tool"])).toEqual(["code/better-tool same Git remote"]);
	expect(await offered("work/tool/src")).toEqual(["code/better-tool/src same Git remote"]);
	const text = readFileSync(notes, "utf8");
	expect(text).not.toContain("S3CRET");
	expect(text).not.toContain("plain");
	expect(statSync(notes).mode & 0o777).toBe(0o600);
});

test("notes are bounded, are not renewed each time, and may be damaged", async () => {
	const { home, disk, notes } = start();
	const one = new GitRepository(join(home, "one"));
	one.git("remote", "add", "origin", "git@github.com:me/one.git");
	await noteGit([one.path], disk);
	const before = statSync(notes).mtimeMs;
	await noteGit([one.path], disk);
	expect(statSync(notes).mtimeMs).toBe(before);
	const many = Array.from({ length: 3000 }, (_, index) => ({ directory: `/d${index}`, atMs: index, remote: "a/b" }));
	writeFileSync(notes, JSON.stringify({ version: 1, directories: [...many, 7, null, { directory: 3 }] }));
	await noteGit([one.path], disk);
	expect(readGitNotes(disk).size).toBe(2000);
	expect(readGitNotes(disk).get(one.path)?.remote).toBe("github.com/me/one");
	for (const text of ["", "{", "null", "[]", '{"version":2,"directories":[]}', '{"version":1,"directories":7}']) {
		writeFileSync(notes, text);
		expect(readGitNotes(disk).size).toBe(0);
	}
});

test("folders in a directory are listed, links to folders too", async () => {
	const { home, make } = start();
	make("a/one", "a/two", "b");
	writeFileSync(join(home, "a/file"), "");
	execFileSync("ln", ["-s", join(home, "b"), join(home, "a/link")]);
	execFileSync("ln", ["-s", join(home, "a/file"), join(home, "a/no-folder")]);
	expect(await listFolders(join(home, "a"), readDirectly)).toEqual(["link", "one", "two"]);
	expect(await listFolders(join(home, "nowhere"), readDirectly)).toEqual([]);
});
