import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { listAll, statsAll } from "../../../src/catalog/list-all.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { inShort } from "../../support/cases.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const talk = (text: string) => lines(header(), user("a", null, 1, text));

function open(folder: ReturnType<typeof tempAgentDir>, watch = false) {
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch,
		numbers: false,
		processes: false,
	});
	const seen = startCatalog(catalog);
	const messages = () => seen.problems().map(({ message }) => message);
	return { catalog, ...seen, messages };
}

describe("an error while checking a changed file", () => {
	test("is a problem until the file can be checked again, and everything else goes on", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--a--/1.jsonl", talk("first"));
		const other = folder.write("--b--/2.jsonl", talk("second"));
		const { catalog, rows, until, messages } = open(folder);
		await catalog.listed();
		const aside = join(folder.base, "aside");
		renameSync(dirname(path), aside);
		// A directory that is a link to itself: reading it fails with ELOOP, even as root.
		symlinkSync(dirname(path), dirname(path));
		catalog.changed([path]);
		await until("the problem", () => messages().some((message) => message.includes(`${path}: its symbolic links`)));
		expect(rows.get(path)?.firstMessage).toBe("first");
		writeFileSync(other, talk("second, changed"));
		catalog.changed([other]);
		await until("the other session", () => rows.get(other)?.firstMessage === "second, changed");
		await catalog.refresh();
		expect(messages().join()).toContain("its symbolic links lead in a circle");
		expect([...rows.keys()].sort()).toEqual([path, other]);

		rmSync(dirname(path));
		renameSync(aside, dirname(path));
		writeFileSync(path, talk("first, changed"));
		catalog.changed([path]);
		await until("the session", () => rows.get(path)?.firstMessage === "first, changed");
		const third = folder.write("--a--/3.jsonl", talk("third"));
		await catalog.refresh();
		expect([...rows.keys()].sort()).toEqual([path, third, other]);
		expect(messages()).toEqual([]);
	});

	test("a project's directory that becomes a file takes its sessions with it, and one that cannot be read does not", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--a--/1.jsonl", talk("first"));
		const other = folder.write("--b--/2.jsonl", talk("second"));
		const { catalog, rows, until } = open(folder, true);
		await catalog.listed();
		await catalog.refresh();
		rmSync(dirname(path), { recursive: true });
		writeFileSync(dirname(path), "a file");
		catalog.changed([path]);
		await until("the session to go", () => !rows.has(path));
		rmSync(dirname(path));
		const back = folder.write("--a--/4.jsonl", talk("back"));
		await until("the new session", () => rows.has(back));
		expect(rows.has(other)).toBe(true);
	});
});

describe("a bug in the thread that reads the sessions", () => {
	// Stands for any bug: the thread iterates what it is given.
	const bug = null as never;

	test("restarts it: nothing is lost, and a problem reports it until the next comparison", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--a--/1.jsonl", talk("first"));
		const { catalog, rows, until, messages } = open(folder, true);
		await catalog.listed();
		catalog.changed(bug);
		await until("the problem", () => messages().some((message) => message.includes("It was started again")));
		const second = folder.write("--a--/2.jsonl", talk("second"));
		await until("the new session", () => rows.has(second));
		expect([...rows.keys()].sort()).toEqual([path, second]);
		await catalog.refresh();
		expect(messages()).toEqual([]);
	});

	test("that recurs ends the listing, and refreshing starts it once more", async () => {
		const folder = tempAgentDir();
		folder.write("--a--/1.jsonl", talk("first"));
		const { catalog, rows, until, messages } = open(folder);
		await catalog.listed();
		for (let times = 0; times < 4; times++) {
			await catalog.refresh();
			catalog.changed(bug);
			await until("the failure", () => messages().some((message) => message.startsWith("Reading the sessions failed")));
		}
		expect(messages().join()).toContain("start pi-grove again");
		const second = folder.write("--a--/2.jsonl", talk("second"));
		await catalog.refresh();
		await until("the new session", () => rows.has(second));
		expect(messages()).toEqual([]);
	});
});

describe("the index", () => {
	test("is in memory if nothing can be written: sessions are listed, found and counted, with a problem", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--a--/1.jsonl", talk("hello"));
		writeFileSync(join(folder.base, "file"), "");
		const cacheDir = join(folder.base, "file", "cache");
		vi.stubEnv("TMPDIR", join(folder.base, "missing"));
		onTestFinished(() => void vi.unstubAllEnvs());
		const problems: string[] = [];
		const options = {
			env: folder.env,
			cacheDir,
			onProblems: (now: readonly { message: string }[]) => void problems.push(...now.map(({ message }) => message)),
		};
		expect((await listAll(options)).map((row) => row.path)).toEqual([path]);
		expect((await searchAll("hello", options)).map((result) => result.path)).toEqual([path]);
		expect(await statsAll(options)).toMatchObject({ sessions: 1, counted: 1 });
		expect(problems[0]).toMatch(/^Cannot use the index .*read again at every start/);
	});

	test.each([
		["a named pipe", "-wal", (path: string) => void execFileSync("mkfifo", [path])],
		["a directory", "", (path: string) => mkdirSync(join(path, "in"), { recursive: true })],
	])("that is %s is set aside", async (_what, one, make) => {
		for (const suffix of inShort(["", "-wal"], (each) => each === one)) {
			const folder = tempAgentDir();
			const path = folder.write("--a--/1.jsonl", talk("hello"));
			mkdirSync(folder.cache);
			make(indexPath(folder.cache) + suffix);
			const options = { env: folder.env, cacheDir: folder.cache };
			expect((await searchAll("hello", options)).map((result) => result.path)).toEqual([path]);
			expect((await listAll(options)).map((row) => row.path)).toEqual([path]);
			expect(await statsAll(options)).toMatchObject({ sessions: 1, counted: 1 });
			expect(statSync(indexPath(folder.cache)).isFile()).toBe(true);
		}
	});

	test("is for this person alone, also where it was not", async () => {
		const folder = tempAgentDir();
		folder.write("--a--/1.jsonl", talk("hello"));
		const cache = join(folder.base, "new", "pi-grove");
		const modes = () =>
			[join(folder.base, "new"), cache, ...["", "-wal", "-shm"].map((suffix) => indexPath(cache) + suffix)].map(
				(path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777,
			);
		const during = async () => {
			const catalog = openCatalog({
				sessionRoots: folder.sessionRoots,
				cacheDir: cache,
				watch: false,
				processes: false,
			});
			startCatalog(catalog);
			await catalog.counted();
			const found = modes();
			await catalog.close();
			return found;
		};
		expect(await during()).toEqual([0o700, 0o700, 0o600, 0o600, 0o600]);
		chmodSync(cache, 0o755);
		chmodSync(indexPath(cache), 0o644);
		writeFileSync(`${indexPath(cache)}-wal`, "", { mode: 0o644 });
		expect(await during()).toEqual([0o700, 0o700, 0o600, 0o600, 0o600]);
	});
});
