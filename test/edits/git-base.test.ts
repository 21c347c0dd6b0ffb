import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesAt, gitBases } from "../../src/edits/git-base.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDir } from "../support/temp-dir.ts";

const DAY = Date.UTC(2026, 0, 10);
const HOUR = 3_600_000;

test("the commit that was checked out at a time is that of the reflog, else the newest before it", async () => {
	const dir = tempDir();
	const repository = new GitRepository(join(dir, "api"));
	repository.put(new Map([[repository.file("a.txt"), "one\n"]]));
	const first = repository.commit(DAY, "first");
	repository.put(new Map([[repository.file("a.txt"), "two\n"]]));
	const second = repository.commit(DAY + HOUR, "second");
	repository.gitAt(DAY + 2 * HOUR, "checkout", "--quiet", "--detach", first);
	const at = async (directory: string, timeMs: number) => {
		const base = await (await gitBases(directory))(timeMs);
		return base && [base.root, base.commit, base.how];
	};
	mkdirSync(join(repository.path, "deep"));
	expect(await at(repository.path, DAY - HOUR)).toBeUndefined();
	expect(await at(repository.path, DAY + HOUR / 2)).toEqual([repository.path, first, "reflog"]);
	expect(await at(join(repository.path, "deep", "gone"), DAY + 1.5 * HOUR)).toEqual([
		repository.path,
		second,
		"reflog",
	]);
	expect(await at(repository.path, DAY + 3 * HOUR)).toEqual([repository.path, first, "reflog"]);
	expect(await at(dir, DAY + HOUR)).toBeUndefined();
	// A clone notes only what was checked out since it was made.
	repository.git("checkout", "--quiet", "main");
	repository.gitAt(DAY + 9 * HOUR, "clone", "--quiet", repository.path, join(dir, "clone"));
	expect(await at(join(dir, "clone"), DAY + HOUR / 2)).toEqual([join(dir, "clone"), first, "newest"]);
	const base = await (await gitBases(join(dir, "clone")))(DAY + 10 * HOUR);
	expect(base).toMatchObject({ commit: second, subject: "second", committedMs: DAY + HOUR, how: "reflog" });
});

test("the files of a commit are read as Git has them, whatever they are called", async () => {
	const repository = new GitRepository(join(tempDir(), "api"));
	const texts = new Map(
		["a.txt", "empty", "ü [x]*.md", "deep/two\nlines", 'quo"te'].map((name) => [
			repository.file(name),
			name === "empty" ? "" : `of ${name}\r\n`,
		]),
	);
	repository.put(texts);
	symlinkSync("a.txt", repository.file("link"));
	const commit = repository.commit(DAY, "all");
	rmSync(repository.file("a.txt"));
	const others = [repository.file("link"), repository.file("deep"), repository.file("none"), "/etc/passwd"];
	const files = await filesAt({ root: repository.path, repository: repository.path, commit }, [
		...texts.keys(),
		...others,
	]);
	const read = [...files].map(([path, bytes]) => [path, bytes && Buffer.from(bytes).toString()]);
	expect(new Map(read as [string, string][])).toEqual(
		new Map([...texts, ...others.map((path) => [path, undefined] as const)] as [string, string][]),
	);
});
