import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { INDEX_VERSION } from "../../../src/catalog/index/schema.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const small = lines(header(), user("u1", null, 1, "hello"));

test("shows growing, new and deleted sessions without being asked, and sessions of new projects", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", small);
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
	const seen = startCatalog(catalog);
	await catalog.listed();
	// Watching starts after the listing; a refresh requested now resolves once it has started.
	await catalog.refresh();
	appendFileSync(path, lines(assistant("u2", "u1", 2, "hi")));
	await seen.until("the appended message", () => seen.rows.get(path)?.messageCount === 2);
	const second = folder.write("--p--/2.jsonl", small);
	await seen.until("the new session", () => seen.rows.has(second));
	const third = folder.write("--q--/3.jsonl", small);
	await seen.until("the session of a new project", () => seen.rows.has(third));
	appendFileSync(third, lines(assistant("u2", "u1", 2, "hi")));
	await seen.until("the message appended to it", () => seen.rows.get(third)?.messageCount === 2);
	rmSync(path);
	await seen.until("the deleted session to go", () => !seen.rows.has(path));
	expect([...seen.rows.keys()].sort()).toEqual([second, third]);
});

test("shows the run of a subagent as it is started and goes on, and that of a run; nothing else below a session", async () => {
	const folder = tempAgentDir();
	const parent = folder.write("--p--/1.jsonl", small);
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
	const seen = startCatalog(catalog);
	await catalog.listed();
	catalog.watchVisible([parent]);
	await catalog.refresh();
	const first = folder.write("--p--/1/r/run-0/session.jsonl", small);
	await seen.until("the run", () => seen.rows.has(first));
	expect(seen.rows.get(first)?.run).toEqual({ parent, runId: "r", index: 0, isFork: false });
	appendFileSync(first, lines(assistant("u2", "u1", 2, "hi")));
	await seen.until("the message appended to it", () => seen.rows.get(first)?.messageCount === 2);
	folder.write("--p--/1/r/run-0/events.jsonl", small);
	const second = folder.write("--p--/1/r/run-0/session/s/run-2/session.jsonl", small);
	await seen.until("the run of the run", () => seen.rows.has(second));
	expect(seen.rows.get(second)?.run).toEqual({ parent: first, runId: "s", index: 2, isFork: false });
	const fork = folder.write("--p--/1/forks/7.jsonl", small);
	await seen.until("the fork", () => seen.rows.has(fork));
	expect(seen.rows.get(fork)?.run).toMatchObject({ parent, isFork: true });
	rmSync(join(folder.root, "--p--/1"), { recursive: true });
	await seen.until("the runs to go", () => seen.rows.size === 1);
});

test("a line that looks whole at both ends is reported as damaged, once every line has been read", async () => {
	const folder = tempAgentDir();
	const line = toolResult("u2", "u1", 2, "cut off here, and the next line behind it");
	const path = folder.write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "hello"), line.slice(0, 150) + line));
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	const seen = startCatalog(catalog);
	await catalog.listed();
	expect(seen.rows.get(path)).toMatchObject({ diagnostics: [] });
	await catalog.counted();
	expect(seen.rows.get(path)).toMatchObject({ diagnostics: [{ code: "bad-line", line: 3 }] });
});

test("counting does not report a correct row a second time, and reports its progress", async () => {
	const folder = tempAgentDir();
	for (let index = 0; index < 5; index++) folder.write(`--p--/${index}.jsonl`, small);
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	onTestFinished(() => catalog.close());
	const reported: string[] = [];
	let progress = "";
	catalog.start((event) => {
		if (event.type === "rows") reported.push(...event.rows.map((row) => row.path));
		else if (event.type === "counting") progress = `${event.counted}/${event.total}`;
	});
	await catalog.counted();
	expect(reported).toHaveLength(5);
	expect(progress).toBe("5/5");
});

test("two browsers share one index", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", small);
	const first = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
	const second = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
	const [a, b] = [startCatalog(first), startCatalog(second)];
	await Promise.all([first.counted(), second.counted(), first.refresh(), second.refresh()]);
	appendFileSync(path, lines(assistant("u2", "u1", 2, "hi")));
	await Promise.all(
		[a, b].map((seen) => seen.until("the appended message", () => seen.rows.get(path)?.messageCount === 2)),
	);
	expect([...a.problems(), ...b.problems()]).toEqual([]);
});

test.each([
	["not a database", "this is not a database, and long enough not to be taken for an empty one".repeat(100)],
	["cut off", ""],
])("rebuilds a damaged index (%s)", async (_what, content) => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", small);
	mkdirSync(folder.cache, { recursive: true });
	writeFileSync(join(folder.cache, `catalog-${INDEX_VERSION}.db`), content);
	for (const expected of [content === "" ? "" : "set aside", ""]) {
		const catalog = openCatalog({
			sessionRoots: folder.sessionRoots,
			cacheDir: folder.cache,
			watch: false,
			processes: false,
		});
		const seen = startCatalog(catalog);
		await catalog.counted();
		expect([...seen.rows.keys()]).toEqual([path]);
		expect(
			seen
				.problems()
				.map((problem) => problem.message)
				.join(),
		).toContain(expected);
		if (expected === "") expect(seen.problems()).toEqual([]);
		await catalog.close();
	}
});

test("rebuilds an index that is damaged in its middle", async () => {
	const folder = tempAgentDir();
	const paths = Array.from({ length: 40 }, (_, index) =>
		folder.write(`--p--/${index}.jsonl`, small + " ".repeat(index * 100)),
	);
	const first = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	startCatalog(first);
	await first.counted();
	await first.close();
	const index = join(folder.cache, `catalog-${INDEX_VERSION}.db`);
	const bytes = readFileSync(index);
	// After the first page, which lists the tables.
	bytes.fill(0xaa, 4096 * 4);
	writeFileSync(index, bytes);
	const second = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	const seen = startCatalog(second);
	await seen.until("the damage to be reported", () =>
		seen.problems().some((problem) => problem.message.includes("set aside")),
	);
	await second.refresh();
	expect([...seen.rows.keys()].sort()).toEqual(paths.sort());
});
