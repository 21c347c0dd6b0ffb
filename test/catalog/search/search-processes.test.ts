import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type Catalog, openCatalog } from "../../../src/catalog/catalog.ts";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { inLong } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { isAlive } from "../../support/processes.ts";
import { header, lines, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

afterEach(() => {
	vi.unstubAllEnvs();
});

/** How many sessions have one long text, and its letters. */
const TEXTS = inLong(5, 2);
const LONG = "a".repeat(inLong(10_000_000, 4_000_000));

type Folder = ReturnType<typeof tempAgentDir>;

/** Wraps ripgrep in a script that records its process and how many are alive, then runs `slow`, if given. */
async function watched(folder: Folder, slow = ""): Promise<{ pids: () => number[]; alive: () => number[] }> {
	const { command } = await findRipgrep({});
	const [log, counts, path] = ["pids", "alive", "rg"].map((name) => join(folder.base, name)) as [
		string,
		string,
		string,
	];
	writeFileSync(log, "");
	writeFileSync(counts, "");
	const script = `#!/bin/sh
case "$*" in *--quiet*) exec "${command}" "$@";; esac
echo $$ >> "${log}"
alive=0
for pid in $(cat "${log}"); do kill -0 $pid 2>/dev/null && alive=$((alive + 1)); done
echo $alive >> "${counts}"
${slow}
exec "${command}" "$@"
`;
	writeFileSync(path, script);
	chmodSync(path, 0o755);
	vi.stubEnv("PI_GROVE_RG", path);
	const numbers = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
	return { pids: () => numbers(log), alive: () => numbers(counts) };
}

async function opened(folder: Folder): Promise<Catalog> {
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
	});
	startCatalog(catalog);
	await catalog.listed();
	return catalog;
}

function manySessions(folder: Folder): string[] {
	const filler = "the quick brown fox ".repeat(inLong(20_000, 5_000));
	return Array.from({ length: 60 }, (_, index) =>
		folder.write(
			`--p--/${index}.jsonl`,
			lines(header(), user("u1", null, 1, `needle ${index}`), toolResult("t1", "u1", 2, `${filler}needle`)),
		),
	);
}

/** Expects that no process runs. One that was just ended may still be there for a while on a busy machine. */
async function expectNoneLeft(processes: { pids: () => number[] }): Promise<void> {
	await expect.poll(() => processes.pids().filter(isAlive)).toEqual([]);
}

/** Whether a process has this number, also one that has ended and that nobody has reaped. */
function hasNumber(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Resolves when all listed sessions have been searched. */
function done(catalog: Catalog, text: string, onResult: (path: string) => void = () => undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		catalog.search(queryOf(text), (event) => {
			if (event.type === "error") reject(new Error(event.message));
			else if (event.type === "results") for (const { path } of event.results) onResult(path);
			else if (event.type === "progress" && event.searched === event.total && event.total > 0) resolve();
		});
	});
}

test("each key ends the previous search: never more than two processes, and none when the catalog is closed", async () => {
	const folder = tempAgentDir();
	const paths = manySessions(folder);
	const processes = await watched(folder);
	const catalog = await opened(folder);
	const typed = "needle fox the quick";
	expect(typed).toHaveLength(20);
	const hits: Promise<unknown>[] = [];
	for (let length = 1; length < typed.length; length++) {
		const query = queryOf(typed.slice(0, length));
		const stop = catalog.search(query, () => catalog.watchVisible(paths.slice(0, 20)));
		hits.push(catalog.hits(query, paths[length] ?? ""));
		// As in the browser: some keys come immediately, others after results were shown.
		if (length % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
		if (length % 5 === 0) stop();
	}
	const found = new Set<string>();
	await done(catalog, typed, (path) => found.add(path));
	expect(found.size).toBe(60);
	await Promise.all(hits);
	expect(Math.max(...processes.alive())).toBeLessThanOrEqual(2);
	await catalog.close();
	await expectNoneLeft(processes);
});

test("ripgrep is asked for better matches only where it did not print all lines", async () => {
	const folder = tempAgentDir();
	// So many that nothing is searched for other forms of the word.
	for (let index = 0; index < 12; index++)
		folder.write(`--p--/few-${index}.jsonl`, lines(header(), toolResult("t1", null, 1, "needle")));
	const processes = await watched(folder);
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	const settled = (text: string) =>
		new Promise<void>((resolve) => {
			const stop = catalog.search(queryOf(text), ({ type }) => {
				if (type !== "settled") return;
				stop();
				resolve();
			});
		});
	await settled("needle");
	expect(processes.pids()).toHaveLength(1);

	const results = Array.from({ length: 30 }, (_, index) => toolResult(`t${index}`, null, index, "needle"));
	folder.write("--p--/many.jsonl", lines(header(), ...results, user("u1", null, 40, "needle")));
	await catalog.refresh();
	await settled("needle");
	// Once for all, once for what a person said in the one of them that has more lines.
	expect(processes.pids()).toHaveLength(3);
});

test("a key in the middle of a search does not lose the files being searched", async () => {
	const folder = tempAgentDir();
	manySessions(folder);
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	const typed = "needle";
	for (let length = 1; length < typed.length; length++) {
		await new Promise<void>((resolve) => {
			catalog.search(queryOf(typed.slice(0, length)), (event) => {
				if (event.type === "results") resolve();
			});
		});
	}
	const found = new Set<string>();
	await done(catalog, typed, (path) => found.add(path));
	expect(found.size).toBe(60);
});

test("leaving does not wait for a search that takes long, and leaves no process behind", async () => {
	const folder = tempAgentDir();
	manySessions(folder);
	const processes = await watched(folder, "exec sleep 1000");
	const catalog = await opened(folder);
	catalog.search(queryOf("needle"), () => undefined);
	await expect
		.poll(() => processes.pids().length, { timeout: 60_000, message: "processes of ripgrep" })
		.toBeGreaterThan(0);
	await catalog.close();
	await expectNoneLeft(processes);
});

test("a search that is interrupted for pi leaves no process, not even one that has ended", async () => {
	const folder = tempAgentDir();
	manySessions(folder);
	const processes = await watched(folder, "exec sleep 1000");
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	catalog.search(queryOf("needle"), () => undefined);
	await expect.poll(() => processes.pids().length, { timeout: 60_000 }).toBeGreaterThan(0);
	const pids = processes.pids();
	catalog.rest();
	// A zombie still has its number.
	await expect.poll(() => pids.filter(hasNumber), { timeout: 30_000 }).toEqual([]);
});

test("a pattern that a backtracking engine would never finish is answered, and so is a key during it", async () => {
	const folder = tempAgentDir();
	for (let index = 0; index < TEXTS; index++)
		folder.write(
			`--p--/${index}.jsonl`,
			lines(header(), user("u1", null, 1, `${LONG}!`), toolResult("t1", "u1", 2, "needle")),
		);
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	const found: string[] = [];
	// Ids may end like that, too.
	await done(catalog, "re:(a+)+$ in:text", (path) => found.push(path));
	expect(found).toEqual([]);
	catalog.search(queryOf("re:(a+)+b$"), () => undefined);
	await done(catalog, "needle", (path) => found.push(path));
	expect(new Set(found).size).toBe(TEXTS);
});

/** Takes this machine a second for each text of four million letters. */
const SLOW = "re:\\pL{1000}!";

function longTexts(folder: Folder, count = TEXTS): void {
	for (let index = 0; index < count; index++)
		folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, 1, `${LONG}!needle`)));
}

/** Resolves when a ripgrep has reported its lines and ended, so that the lines are now being compared. */
async function comparing(processes: { pids: () => number[] }): Promise<void> {
	const isOver = () => processes.pids().length > 0 && !processes.pids().some(isAlive);
	await expect.poll(isOver).toBe(true);
}

test("a key in the middle of one long text ends the previous search and its processes", async () => {
	const folder = tempAgentDir();
	longTexts(folder);
	const processes = await watched(folder);
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	let isDone = false;
	catalog.search(queryOf(SLOW), (event) => {
		isDone ||= event.type === "progress" && event.searched === TEXTS;
	});
	await comparing(processes);
	const found = new Set<string>();
	await done(catalog, "needle", (path) => found.add(path));
	expect(found.size).toBe(TEXTS);
	expect(isDone).toBe(false);
	await catalog.close();
	await expectNoneLeft(processes);
});

test("leaving in the middle of one long text does not wait for its end", async () => {
	const folder = tempAgentDir();
	longTexts(folder);
	const processes = await watched(folder);
	const catalog = await opened(folder);
	let isDone = false;
	catalog.search(queryOf(SLOW), (event) => {
		isDone ||= event.type === "progress" && event.searched === TEXTS;
	});
	await comparing(processes);
	await catalog.close();
	expect(isDone).toBe(false);
	await expectNoneLeft(processes);
});

test("a session that becomes a pipe before it is searched does not keep the others from being searched", async () => {
	const folder = tempAgentDir();
	const write = (name: string) => folder.write(`--a--/${name}.jsonl`, lines(header(), user("a", null, 1, "needle")));
	const [first, second] = [write("first"), write("second")];
	const { pids } = await watched(folder);
	const catalog = await opened(folder);
	rmSync(first);
	execFileSync("mkfifo", [first]);
	const found = new Set<string>();
	const searched = Promise.withResolvers<void>();
	catalog.search(queryOf("needle"), (event) => {
		if (event.type === "results") for (const { path } of event.results) found.add(path);
		if (event.type === "settled") searched.resolve();
	});
	await expect.poll(() => pids().length).toBeGreaterThan(0);
	await catalog.changed([first]);
	await searched.promise;
	expect([...found]).toEqual([second]);
});

test("a program that only waits for a busy search thread to end does not end before it", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/long.jsonl", lines(header(), user("u1", null, 1, `${LONG}!`)));
	await watched(folder);
	const source = (path: string) => JSON.stringify(join(import.meta.dirname, "../../..", path));
	const script = `
		const { SearchClient } = await import(${source("src/catalog/search-thread/search-client.ts")});
		const { parseQuery } = await import(${source("src/catalog/query/parse-query.ts")});
		const { isAlive } = await import(${source("test/support/processes.ts")});
		const { readFileSync, statSync } = await import("node:fs");
		const [path, log] = process.argv.slice(1);
		const { size, mtimeMs } = statSync(path);
		const client = new SearchClient();
		client.update([{ path, size, modified: mtimeMs }]);
		client.search(parseQuery(${JSON.stringify(SLOW)}).query, () => undefined);
		const pids = () => readFileSync(log, "utf8").split("\\n").filter(Boolean).map(Number);
		while (pids().length === 0 || pids().some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 5));
		await client.close();
		console.log("closed");`;
	const args = ["--input-type=module", "-e", script, path, join(folder.base, "pids")];
	expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("closed\n");
});
