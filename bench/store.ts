/**
 * Shows that opening, walking and building a context take time that grows linearly: the time for twice as many entries
 * is compared with the time for n. Exits with 1 when everything together takes more than 2.5 times as long. (Single
 * short operations may take longer: what fits into the processor's cache for n need not fit for 2n.)
 * Run: npm run bench -- store [entries]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	buildSessionContext,
	buildTree,
	pathTo,
	readSession,
	type SessionEntry,
	SessionManager,
} from "../src/index.ts";

const LIMIT = 2.5;
const ROUNDS = 7;
const size = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), "pi-grove-bench-"));

/** Entry `index` is a child of the one before it; in a tree, every fifth starts a branch a few entries up. */
function entryAt(index: number, branching: boolean): object {
	const parent = branching && index % 5 === 4 ? Math.max(0, index - 2 - ((index * 7919) % 7)) : index - 1;
	const name = (position: number) => position.toString(16).padStart(8, "0");
	const timestamp = new Date(1_767_600_000_000 + index * 1000).toISOString();
	const base = { id: name(index), parentId: index === 0 ? null : name(parent), timestamp };
	const content = [{ type: "text", text: `Text of entry ${index}, as long as a short answer is.` }];
	return index % 2 === 0
		? { type: "message", ...base, message: { role: "user", content, timestamp: index } }
		: {
				type: "message",
				...base,
				message: { role: "assistant", content, provider: "p", model: "m", timestamp: index },
			};
}

function fileOf(count: number, branching: boolean): string {
	const path = join(folder, `${branching ? "tree" : "chain"}-${count}.jsonl`);
	const header = { type: "session", version: 3, id: "bench", timestamp: new Date(0).toISOString(), cwd: "/" };
	const lines = [JSON.stringify(header)];
	for (let index = 0; index < count; index += 1) lines.push(JSON.stringify(entryAt(index, branching)));
	writeFileSync(path, `${lines.join("\n")}\n`);
	return path;
}

/** The measured operations by name, for one file. */
async function worksOn(path: string): Promise<Record<string, () => unknown>> {
	const session = await readSession(path);
	const manager = SessionManager.open(path);
	const entries: readonly SessionEntry[] = session.entries;
	const last = entries.at(-1)?.id ?? "";
	return {
		"readSession (polite)": () => readSession(path),
		"SessionManager.open": () => SessionManager.open(path),
		buildTree: () => buildTree(entries),
		"pathTo the last entry": () => pathTo(session.tree, last),
		"getTree, nested": () => manager.getTree(),
		"getBranch of the leaf": () => manager.getBranch(),
		buildSessionContext: () => buildSessionContext(entries, last, session.tree.byId as Map<string, SessionEntry>),
	};
}

/** Best time of a few rounds, in milliseconds per run: what the work takes when nothing interferes. */
async function bestTime(work: () => unknown, runs: number): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let round = 0; round < ROUNDS; round += 1) {
		// With --expose-gc, one round's garbage does not slow the next one.
		globalThis.gc?.();
		const start = performance.now();
		for (let run = 0; run < runs; run += 1) await work();
		best = Math.min(best, (performance.now() - start) / runs);
	}
	return best;
}

function print(name: string, before: number, after: number, ratio: number): void {
	const times = `${before.toFixed(1).padStart(8)} ms ${after.toFixed(1).padStart(8)} ms`;
	console.log(`  ${name.padEnd(24)}${times}   × ${ratio.toFixed(2)}`);
}

/** Longest time that a timer had to wait while the file was read, in milliseconds. */
async function longestWait(path: string): Promise<number> {
	let last = performance.now();
	let longest = 0;
	const timer = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 1);
	await readSession(path);
	clearInterval(timer);
	return longest;
}

let failed = false;
try {
	for (const branching of [false, true]) {
		const [half, whole] = [fileOf(size / 2, branching), fileOf(size, branching)];
		const smaller = await worksOn(half);
		const larger = await worksOn(whole);
		console.log(`${branching ? `a tree with ${size / 5} branches` : "one chain"}: ${size / 2} and ${size} entries`);
		let totalBefore = 0;
		let totalAfter = 0;
		for (const [name, work] of Object.entries(larger)) {
			// Short operations are run often enough for the resolution of the clock.
			const runs = Math.ceil(20 / (await bestTime(work, 1)));
			const before = await bestTime(smaller[name] ?? work, runs);
			const after = await bestTime(work, runs);
			const ratio = after / before;
			totalBefore += before;
			totalAfter += after;
			print(name, before, after, ratio);
		}
		const ratio = totalAfter / totalBefore;
		failed ||= ratio > LIMIT;
		print(ratio > LIMIT ? "TOGETHER: NOT LINEAR" : "together", totalBefore, totalAfter, ratio);
		console.log(`  longest wait of the event loop during readSession: ${(await longestWait(whole)).toFixed(1)} ms`);
	}
} finally {
	rmSync(folder, { recursive: true });
}
if (failed) process.exitCode = 1;
