import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
	createDestinationFinder,
	listFolders,
} from "../../../../src/app/features/maintenance/effects/find-destinations.ts";
import { proposalsOf } from "../../../../src/app/features/maintenance/gone-groups.ts";
import { readDirectly } from "../../../../src/app/world/effects/disk-read.ts";
import { openGitNotes } from "../../../../src/app/world/effects/git-notes.ts";
import { createStoreClient } from "../../../../src/changes/store-thread/store-client.ts";
import { createTempDir } from "../../../support/temp-dir.ts";

function git(cwd: string, ...args: readonly string[]): void {
	const identity = ["-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main"];
	execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

function start() {
	const temp = createTempDir();
	onTestFinished(() => temp.remove());
	const home = realpathSync(temp.path);
	const notes = openGitNotes(join(home, ".state", "git.json"), readDirectly, Date.now);
	return {
		home,
		notes,
		make: (...ways: readonly string[]) => {
			for (const way of ways) mkdirSync(join(home, way), { recursive: true });
		},
		repository(way: string, remote?: string): string {
			const root = join(home, way);
			mkdirSync(root, { recursive: true });
			git(root, "init");
			git(root, "commit", "--allow-empty", "-m", "first");
			if (remote !== undefined) git(root, "remote", "add", "origin", remote);
			return root;
		},
		/** What is proposed for a missing directory: the path relative to home, the reasons, the certainty. */
		async find(gone: string, there: readonly string[] = [], sessions: readonly string[] = []) {
			const readThread = createStoreClient();
			onTestFinished(() => readThread.close());
			const findDestinations = createDestinationFinder({
				readDisk: readDirectly,
				notes: () => notes.read(),
				readThread,
				home,
			});
			const directory = join(home, gone);
			const found = await findDestinations(
				1,
				[{ directory, sessions }],
				there.map((way) => join(home, way)),
			);
			return proposalsOf(found.get(directory) ?? []).map((proposal) =>
				[
					proposal.directory.slice(home.length + 1),
					...proposal.reasons.map(({ kind }) => kind),
					proposal.certainty,
				].join(" "),
			);
		},
	};
}

test("directories of the same name below the nearest existing one are found, the more equal folders the better; folders of programs are skipped", async () => {
	const { make, find } = start();
	make("new/team/api", "attic/api", "node_modules/api", ".hidden/api", "deep/er/and/deep/er/api");
	expect(await find("old/team/api")).toEqual(["new/team/api name 2", "attic/api name 1"]);
	expect(await find("old/team/web")).toEqual([]);
	make("old/team/moved/web");
	// The directory above it exists, so nothing is searched elsewhere.
	expect(await find("old/team/web")).toEqual(["old/team/moved/web name 1"]);
	expect(await find("old/team/api")).toEqual([]);
});

test("a directory within a moved project is proposed by its whole relative path", async () => {
	const { make, find } = start();
	make("code/mono/packages/web", "elsewhere/web");
	expect((await find("work/mono/packages/web"))[0]).toBe("code/mono/packages/web name 2");
});

test("a directory that was given another name is known by the files that its sessions touched", async () => {
	const { home, make, find } = start();
	make("work/shop-frontend/src", "work/other/src", "work/half");
	for (const file of ["src/server.ts", "src/cart.ts", "README.md"])
		writeFileSync(join(home, "work/shop-frontend", file), "x");
	for (const name of ["other/src/server.ts", "half/README.md"]) writeFileSync(join(home, "work", name), "x");
	const session = join(home, "session.jsonl");
	const calls = [
		"src/server.ts",
		join(home, "work/web-shop/src/cart.ts"),
		"README.md",
		"~/notes.md",
		"../other/src/server.ts",
	].map((path, index) => ({
		type: "toolCall",
		id: `c${index}`,
		name: index === 2 ? "read" : "edit",
		arguments: { path },
	}));
	const message = { role: "assistant", content: calls, timestamp: 1 };
	const timestamp = "2026-01-01T00:00:00.000Z";
	const header = { type: "session", version: 3, id: "s", timestamp, cwd: join(home, "work/web-shop") };
	const all = [header, { type: "message", id: "a", parentId: null, timestamp, message }];
	writeFileSync(session, all.map((line) => `${JSON.stringify(line)}\n`).join(""));
	expect(await find("work/web-shop", [], [session])).toEqual(["work/shop-frontend files 2"]);
	// A session that cannot be read contributes nothing.
	expect(await find("work/web-shop", [], [join(home, "nowhere.jsonl")])).toEqual([]);
});

test("a renamed repository is recognized by its remote, which was noted while it existed", async () => {
	const { home, find, notes, repository, make } = start();
	const root = repository("work/tool", "https://me:S3CRET@github.com/me/tool.git");
	make("work/tool/src");
	repository("work/other", "git@github.com:me/other.git");
	repository("work/plain");
	await notes.note([root, join(root, "src"), join(home, "work/other"), join(home, "work/plain"), join(home, "no")]);
	renameSync(root, join(home, "work/better-tool"));
	// Among the directories of sessions.
	expect(await find("work/tool")).toEqual([]);
	expect(await find("work/tool", ["work/better-tool", "work/other"])).toEqual(["work/better-tool remote 3"]);
	expect((await find("work/tool/src", ["work/better-tool/src"]))[0]).toBe("work/better-tool/src remote name 3");
	const file = join(home, ".state", "git.json");
	expect(readFileSync(file, "utf8")).not.toContain("S3CRET");
	expect(readFileSync(file, "utf8")).not.toContain("plain");
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a worktree that was removed leads to its repository", async () => {
	const { home, find, notes, repository } = start();
	const root = repository("api");
	git(root, "worktree", "add", "-b", "last", join(home, "api-last"));
	await notes.note([join(home, "api-last")]);
	git(root, "worktree", "remove", join(home, "api-last"));
	expect(await find("api-last")).toEqual(["api worktree 2"]);
});

test("notes are bounded, are not renewed each time, and may be damaged", async () => {
	const { home, notes, repository } = start();
	const root = repository("one", "git@github.com:me/one.git");
	await notes.note([root]);
	const file = join(home, ".state", "git.json");
	const before = statSync(file).mtimeMs;
	await notes.note([root]);
	expect(statSync(file).mtimeMs).toBe(before);
	const many = Array.from({ length: 3000 }, (_, index) => ({ directory: `/d${index}`, atMs: index, remote: "a/b" }));
	writeFileSync(file, JSON.stringify({ version: 1, directories: [...many, 7, null, { directory: 3 }] }));
	await notes.note([root]);
	expect(notes.read().size).toBe(2000);
	expect(notes.read().get(root)?.remote).toBe("github.com/me/one");
	for (const text of ["", "{", "null", "[]", '{"version":2,"directories":[]}', '{"version":1,"directories":7}']) {
		writeFileSync(file, text);
		expect(notes.read().size).toBe(0);
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
