import { spawnSync } from "node:child_process";
import {
	appendFileSync,
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createSessionReader } from "../src/app/core/effects/capabilities.ts";
import { initialState } from "../src/app/core/initial-state.ts";
import { treeInput } from "../src/app/world/opened/select-tree.ts";
import { openCatalog } from "../src/catalog/catalog.ts";
import { findSessionRoots } from "../src/catalog/model/session-roots.ts";
import { parseQuery } from "../src/catalog/query/parse-query.ts";
import { scanFile } from "../src/catalog/scan/scan-file.ts";
import { drawTree, growDrawing } from "../src/conversation/tree/draw-tree.ts";
import { runToEnd } from "../src/shared/steps.ts";

/**
 * One measurement in a process of its own: `node bench/task.ts <name> <agentDir> <cacheDir> [arguments]`. Prints one
 * line of JSON: milliseconds, the peak memory of the process in MB, and what the task found, for comparison.
 */
const [name = "", agentDir = "", cacheDir = "", ...rest] = process.argv.slice(2);

function sessionFiles(): string[] {
	const root = join(agentDir, "sessions");
	return readdirSync(root).flatMap((project) =>
		readdirSync(join(root, project)).map((file) => join(root, project, file)),
	);
}

/** Parses every line of every file, as pi does for its list, but without its `readline`, which is slower still. */
function plain(): object {
	let messages = 0;
	for (const file of sessionFiles()) {
		for (const line of readFileSync(file, "utf8").split("\n")) {
			if (line === "") continue;
			const entry: unknown = JSON.parse(line);
			if (typeof entry === "object" && entry !== null && "message" in entry) messages += 1;
		}
	}
	return { messages };
}

/** The minimum for anything that looks at each line: reads the bytes and finds the newlines. */
function newlines(): object {
	const buffer = Buffer.allocUnsafeSlow(512 * 1024);
	let lines = 0;
	for (const file of sessionFiles()) {
		const fd = openSync(file, "r");
		for (;;) {
			const read = readSync(fd, buffer, 0, buffer.length, null);
			if (read === 0) break;
			const bytes = buffer.subarray(0, read);
			for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
		}
		closeSync(fd);
	}
	return { lines };
}

async function open(numbers: boolean, watch = false) {
	const sessionRoots = await findSessionRoots({ env: { PI_CODING_AGENT_DIR: agentDir }, home: agentDir });
	return openCatalog({ sessionRoots, cacheDir, watch, numbers });
}

/**
 * The list, with or without an index. `first`: until the first rows were emitted; `emitted`: until all rows of the
 * index were; `complete`: until the list was compared with the disk.
 */
async function list(): Promise<object> {
	const start = performance.now();
	const catalog = await open(false);
	let first: number | undefined;
	let emitted = 0;
	let messages = 0;
	catalog.start((event) => {
		if (event.type !== "rows" || event.rows.length === 0) return;
		emitted = performance.now() - start;
		first ??= emitted;
		for (const row of event.rows) messages += row.messageCount;
	});
	await catalog.listed();
	const complete = performance.now() - start;
	await catalog.close();
	return { first, emitted, complete, messages };
}

/** The list and then the numbers of all sessions; the time is that of the numbers alone. */
async function numbers(): Promise<object> {
	const catalog = await open(true);
	catalog.start(() => undefined);
	await catalog.listed();
	const start = performance.now();
	await catalog.counted();
	const counting = performance.now() - start;
	await catalog.close();
	return { counting };
}

/** Enough for any screen. */
const SCREENFUL = 30;

/**
 * Types each query key by key. Measures for each key the time until the first screen of checked results, the time until
 * all sessions are known, and right afterwards the time ripgrep takes to count the same words in the same files.
 */
async function search(): Promise<object> {
	const catalog = await open(false);
	catalog.start(() => undefined);
	await catalog.listed();
	const { rgPath } = await import("@vscode/ripgrep");
	const keys: { query: string; first: number; all: number; found: number; rg: number }[] = [];
	for (const whole of rest) {
		for (let length = 1; length <= whole.length; length++) {
			const text = whole.slice(0, length);
			const parsed = parseQuery(text);
			if ("error" in parsed) continue;
			const start = performance.now();
			let first = 0;
			const paths = new Set<string>();
			const all = await new Promise<number>((resolve, reject) => {
				const stop = catalog.search(parsed.query, (event) => {
					const now = performance.now() - start;
					if (event.type === "error") reject(new Error(event.message));
					else if (event.type === "results") {
						for (const { path } of event.results) paths.add(path);
						if (first === 0 && paths.size >= SCREENFUL) first = now;
					} else if (event.type === "progress" && event.searched === event.total) {
						stop();
						resolve(now);
					}
				});
			});
			// Each word on its own, as a user would search with ripgrep.
			const began = performance.now();
			for (const word of text.split(" ").filter((word) => word !== ""))
				spawnSync(rgPath, ["-i", "-F", "--count-matches", word, join(agentDir, "sessions")], { stdio: "ignore" });
			keys.push({ query: text, first: first || all, all, found: paths.size, rg: performance.now() - began });
		}
	}
	await catalog.close();
	return { keys };
}

/** Work for one appended line in a large session (the last argument), and the time from the write to the row. */
async function append(): Promise<object> {
	const [file = ""] = rest;
	const line = (count: number) => {
		const message = { role: "user", content: [{ type: "text", text: `again ${count}` }], timestamp: Date.now() };
		return `${JSON.stringify({ type: "message", id: `f${count}`, parentId: null, timestamp: new Date().toISOString(), message })}\n`;
	};
	let scan = scanFile(file);
	const work: number[] = [];
	for (let count = 0; count < 20; count++) {
		appendFileSync(file, line(count));
		const start = performance.now();
		scan = scanFile(file, { ...scan, hasty: true });
		work.push(performance.now() - start);
	}
	const catalog = await open(false, true);
	let heard = Promise.withResolvers<void>();
	catalog.start((event) => {
		if (event.type === "rows" && event.rows.some((row) => row.path === file)) heard.resolve();
	});
	await catalog.listed();
	await new Promise((resolve) => setTimeout(resolve, 2000));
	const delays: number[] = [];
	for (let count = 0; count < 10; count++) {
		heard = Promise.withResolvers<void>();
		const start = performance.now();
		appendFileSync(file, line(100 + count));
		await heard.promise;
		delays.push(performance.now() - start);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	await catalog.close();
	return { work, delays };
}

/** What the screen's thread does for one line appended to the open session, in a small session and in a large one. */
async function grow(): Promise<object> {
	const entry = (index: number) => {
		const [id, parentId] = [index, index - 1].map((number) => number.toString(16).padStart(8, "0"));
		const message = { role: index % 2 ? "assistant" : "user", content: [{ type: "text", text: `entry ${index}` }] };
		const timestamp = new Date(1.7e12 + index * 1000).toISOString();
		return `${JSON.stringify({ type: "message", id, parentId: index === 0 ? null : parentId, timestamp, message })}\n`;
	};
	const header = JSON.stringify({ type: "session", version: 3, id: "grow", timestamp: new Date(0), cwd: agentDir });
	const medians: number[] = [];
	for (const entries of [100, 100_000]) {
		const path = join(cacheDir, `grow-${entries}.jsonl`);
		mkdirSync(cacheDir, { recursive: true });
		writeFileSync(path, `${header}\n${Array.from({ length: entries }, (_, index) => entry(index)).join("")}`);
		const reader = createSessionReader();
		const environment = { home: agentDir, cwd: agentDir, demo: false, keymap: [], problems: [] };
		const state = initialState(environment, { columns: 120, rows: 40 }, 0);
		let session = await reader.read(path);
		let drawing = session && runToEnd(drawTree(treeInput(state, session), undefined));
		const times: number[] = [];
		for (let index = entries; index < entries + 50; index++) {
			appendFileSync(path, entry(index));
			const start = performance.now();
			session = await reader.read(path, session);
			drawing = session && growDrawing(drawing, treeInput(state, session));
			times.push(performance.now() - start);
			const drawn = drawing?.tree.rows.selectable;
			if (drawn !== index + 1) throw new Error(`${drawn} rows instead of ${index + 1}`);
		}
		medians.push(times.sort((a, b) => a - b)[times.length >> 1] ?? 0);
	}
	const [small = 0, large = 0] = medians;
	return { small, large };
}

const tasks: Record<string, () => object | Promise<object>> = { plain, newlines, list, numbers, search, append, grow };
const task = tasks[name];
if (!task) throw new Error(`there is no task "${name}"; there are ${Object.keys(tasks).join(", ")}`);
const began = performance.now();
const found = await task();
const ms = performance.now() - began;
process.stdout.write(`${JSON.stringify({ ms, peakMb: process.resourceUsage().maxRSS / 1024, ...found })}\n`);
