import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type GitReason, isReason } from "../../src/edits/git-process.ts";
import { Repository } from "../../src/edits/repository.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDir } from "../support/temp-dir.ts";

const DAY = Date.UTC(2026, 0, 10);
const HOUR = 3_600_000;

async function open(directory: string): Promise<Repository> {
	const repository = await Repository.open(directory);
	if (repository === undefined || isReason(repository)) throw new Error(`no repository: ${repository?.reason}`);
	onTestFinished(() => repository.close());
	return repository;
}

/** An answer, which is no reason. */
function known<Answer>(answer: Answer | GitReason): Answer {
	if (isReason(answer)) throw new Error(answer.reason);
	return answer;
}

/** A repository with two commits, of files with all kinds of names. */
function twoCommits() {
	const git = new GitRepository(join(tempDir(), "api"));
	const names = ["a.txt", "empty", "ü [x]*.md", "deep/er/two\nlines", 'quo"te', "sp ace/--all", "run.sh"];
	git.put(new Map(names.map((name) => [git.file(name), name === "empty" ? "" : `of ${name}\r\n`])));
	symlinkSync("a.txt", git.file("link"));
	chmodSync(git.file("run.sh"), 0o755);
	const first = git.commit(DAY, "first");
	git.put(new Map([[git.file("a.txt"), "changed\n"]]));
	renameSync(git.file("deep"), git.file("moved"));
	const second = git.commit(DAY + HOUR, "second: über");
	return { git, names, first, second };
}

test("files of commits are found by any name, with their modes and contents", async () => {
	const { git, names, first, second } = twoCommits();
	rmSync(git.file("a.txt"));
	const repository = await open(join(git.path, "moved"));
	expect(repository).toMatchObject({ top: git.path, head: "HEAD", isShallow: false });
	const others = [
		"none",
		"deep",
		"deep/er",
		"deep/er/",
		"a.txt/x",
		"../a.txt",
		"",
		"./a.txt",
		"a\0b",
		"x".repeat(200_000),
	];
	const found = known(await repository.find([...names, "link", ...others].map((path) => ({ commit: first, path }))));
	expect(found.map((file) => file?.mode)).toEqual([
		...names.map((name) => (name === "run.sh" ? "100755" : "100644")),
		"120000",
		...others.map(() => undefined),
	]);
	const blobs = known(await repository.blobs([...found.flatMap((file) => file?.id ?? []), "0".repeat(40), "a\nb"]));
	const texts = found.slice(0, names.length).map((file) => blobs.get(file?.id ?? "")?.toString());
	expect(texts).toEqual(names.map((name) => (name === "empty" ? "" : `of ${name}\r\n`)));
	expect(blobs.size).toBe(names.length + 1);
	const tree = known(await repository.tree(first));
	expect([...tree.keys()].toSorted()).toEqual([...names, "link"].toSorted());
	expect(names.map((name) => tree.get(name))).toEqual(found.slice(0, names.length));
	expect(await repository.find([{ commit: "f".repeat(40), path: "a.txt" }])).toEqual({
		reason: `Git does not have ${"f".repeat(40)}`,
	});
	expect(await repository.find([{ commit: "--all", path: "a.txt" }])).toEqual({ reason: "Git does not know --all" });
	const [a] = known(await repository.find([{ commit: second, path: "a.txt" }]));
	expect(
		known(await repository.blobs([a?.id ?? ""]))
			.get(a?.id ?? "")
			?.toString(),
	).toBe("changed\n");
});

test("what differs between commits comes in the order that it is asked in", async () => {
	const { git, names, first, second } = twoCommits();
	const repository = await open(git.path);
	const pairs = [
		{ before: first, after: second },
		{ before: undefined, after: first },
		{ before: first, after: first },
		{ before: second, after: first },
	];
	const changes = known(await repository.differences(pairs));
	const said = changes.map((some) =>
		some.map(({ path, before, after }) => `${before ? "-" : ""}${after ? "+" : ""}${path}`).toSorted(),
	);
	const moved = ["-deep/er/two\nlines", "+moved/er/two\nlines", "-+a.txt"];
	expect(said).toEqual([
		moved.toSorted(),
		[...names, "link"].map((name) => `+${name}`).toSorted(),
		[],
		["+deep/er/two\nlines", "-moved/er/two\nlines", "-+a.txt"].toSorted(),
	]);
	const tree = known(await repository.tree(first));
	expect(changes[1]?.find(({ path }) => path === "run.sh")?.after).toEqual(tree.get("run.sh"));
	const unknown = await repository.differences([{ before: first, after: "e".repeat(40) }]);
	expect(isReason(unknown)).toBe(true);
});

test("the moves of HEAD and the history are read, whatever encoding and format are set", async () => {
	const { git, first, second } = twoCommits();
	git.git("config", "i18n.commitEncoding", "ISO-8859-1");
	git.git("config", "i18n.logOutputEncoding", "ISO-8859-1");
	git.git("config", "log.showSignature", "true");
	writeFileSync(git.file("message"), Buffer.from("Gr\xfc\xdfe", "latin1"));
	git.gitAt(DAY + 2 * HOUR, "commit", "--quiet", "--allow-empty", "-F", "message");
	const third = git.git("rev-parse", "HEAD");
	git.gitAt(DAY + 3 * HOUR, "checkout", "--quiet", "--detach", first);
	const repository = await open(git.path);
	const moves = known(await repository.headMoves());
	expect(moves.map(({ message, ...move }) => ({ ...move, message: message.slice(0, 13) }))).toEqual([
		{ timeMs: DAY, before: undefined, commit: first, message: "commit (initi" },
		{ timeMs: DAY + HOUR, before: first, commit: second, message: "commit: secon" },
		{ timeMs: DAY + 2 * HOUR, before: second, commit: third, message: moves[2]?.message.slice(0, 13) },
		{ timeMs: DAY + 3 * HOUR, before: third, commit: first, message: "checkout: mov" },
	]);
	// As where refs are not files.
	mkdirSync(git.file(".git/reftable"));
	const asked = known(await repository.headMoves());
	expect(asked.map(({ message: _, ...move }) => move)).toEqual(moves.map(({ message: _, ...move }) => move));
	const history = known(await repository.firstParents({ revision: "main" }));
	expect(history.map(({ summary }) => summary)).toEqual(["Grüße", "second: über", "first"]);
	expect(history[1]).toEqual({
		hash: second,
		committedMs: DAY + HOUR,
		authorMs: DAY + HOUR,
		author: "Jane",
		summary: "second: über",
	});
	const one = known(await repository.firstParents({ revision: "main", untilMs: DAY + 1.5 * HOUR, most: 1 }));
	expect(one.map(({ hash }) => hash)).toEqual([second]);
	const since = known(await repository.firstParents({ revision: "main", sinceMs: DAY + HOUR }));
	expect(since.map(({ hash }) => hash)).toEqual([third]);
	expect(known(await repository.firstParents()).map(({ hash }) => hash)).toEqual([first]);
	expect(await repository.resolve("main~1")).toBe(second);
	for (const revision of ["none", "--all", "a b", "HEAD:a.txt"])
		expect(await repository.resolve(revision)).toEqual({ reason: `Git does not know ${revision}` });
	expect(isReason(await repository.resolve("a\0b"))).toBe(true);
});

test("a failure is told in Git's own words, and nothing committed is no failure", async () => {
	const dir = tempDir();
	expect(await Repository.open(dir)).toBeUndefined();
	const git = new GitRepository(join(dir, "api"));
	const repository = await open(git.path);
	expect(await repository.firstParents()).toEqual([]);
	expect(await repository.headMoves()).toEqual([]);
	expect(await repository.resolve("HEAD")).toEqual({ reason: "nothing is committed yet" });
	// An embedded ".git" that is none, and a bare repository, are not taken.
	mkdirSync(git.file("inside/.git"), { recursive: true });
	expect((await open(git.file("inside"))).top).toBe(git.path);
	execFileSync("git", ["init", "--quiet", "--bare", git.file("bare")]);
	expect((await open(git.file("bare/refs"))).top).toBe(git.path);
	appendFileSync(git.file(".git/config"), "[broken\n");
	expect(await Repository.open(git.path)).toEqual({ reason: expect.stringMatching(/^git failed: bad config line/) });
});

test("what a partial clone does not have is left out, and nothing is fetched", async () => {
	const { git, first, second } = twoCommits();
	git.git("config", "uploadpack.allowFilter", "true");
	const clone = join(git.path, "../clone");
	git.git("clone", "--quiet", "--filter=blob:none", `file://${git.path}`, clone);
	const repository = await open(clone);
	const asked = [first, second].map((commit) => ({ commit, path: "a.txt" }));
	const [before, after] = known(await repository.find(asked));
	const blobs = known(await repository.blobs([before?.id ?? "", after?.id ?? ""]));
	expect([...blobs.keys()]).toEqual([after?.id]);
	const [changes] = known(await repository.differences([{ before: first, after: second }]));
	expect(changes?.length).toBe(3);
	expect(isReason(await repository.blame(second, "a.txt", { from: 1, to: 1 }))).toBe(true);
	// The process that reads objects is still there.
	expect(known(await repository.blobs([after?.id ?? ""])).size).toBe(1);
});

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)("a repository of somebody else is read only if the person has allowed it", async () => {
	const { git, second } = twoCommits();
	execFileSync("chown", ["-R", "12345", git.path]);
	const none = await Repository.open(git.path);
	expect(none).toEqual({ reason: expect.stringContaining("dubious ownership") });
	const configuration = join(git.path, "../gitconfig");
	writeFileSync(configuration, `[safe]\n\tdirectory = ${git.path}\n`);
	vi.stubEnv("GIT_CONFIG_GLOBAL", configuration);
	onTestFinished(() => void vi.unstubAllEnvs());
	expect(await (await open(git.path)).resolve("HEAD")).toBe(second);
});

test("where Git was called from does not matter, and what cannot be started is told", async () => {
	const { git, second } = twoCommits();
	onTestFinished(() => void vi.unstubAllEnvs());
	for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"])
		vi.stubEnv(name, join(git.path, "none"));
	const repository = await open(git.path);
	expect(await repository.resolve("HEAD")).toBe(second);
	expect(known(await repository.tree(second)).size).toBe(8);
	repository.close();
	// It is started again.
	expect(known(await repository.find([{ commit: second, path: "a.txt" }]))[0]?.mode).toBe("100644");
	vi.stubEnv("PATH", join(git.path, "none"));
	expect(await Repository.open(git.path)).toEqual({ reason: "git cannot be started: it is not installed" });
});

test("links, worktrees and submodules are repositories of their own", async () => {
	const { git, first } = twoCommits();
	const beside = join(git.path, "../beside");
	git.git("worktree", "add", "--quiet", "--detach", beside, first);
	const worktree = await open(beside);
	expect(worktree).toMatchObject({ top: beside, common: git.file(".git") });
	expect(await worktree.resolve("HEAD")).toBe(first);
	expect(known(await worktree.headMoves()).at(-1)?.commit).toBe(first);
	symlinkSync(git.file("moved"), join(beside, "link-out"));
	expect((await open(join(beside, "link-out"))).top).toBe(git.path);
	const inner = new GitRepository(git.file("inner"));
	expect((await open(inner.path)).top).toBe(inner.path);
});
