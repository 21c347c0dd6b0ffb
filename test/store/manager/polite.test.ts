import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Breather, ENTRIES_PER_STEP, MAX_BUSY_MS, runStepsPolitely, type Steps } from "../../../src/shared/steps.ts";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { DiagnosticList } from "../../../src/store/format/diagnostic-list.ts";
import { migrateSteps } from "../../../src/store/format/migrate.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { interpretSteps } from "../../../src/store/read/interpret.ts";
import { loadEntriesFromFile, loadFile } from "../../../src/store/read/load-file.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { readSessionInfo } from "../../../src/store/read/read-session-info.ts";
import { EntryIndex } from "../../../src/store/tree/entry-index.ts";
import { buildTree, pathTo } from "../../../src/store/tree/tree.ts";
import { forkSteps } from "../../../src/store/write/fork-file.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ENTRIES = 30_000;

function largeSession(): { path: string; last: string } {
	const header = { type: "session", version: 3, id: "large", timestamp: "2026-01-05T09:00:00.000Z", cwd: "/home/ada" };
	const lines = [JSON.stringify(header)];
	let parentId: string | null = null;
	for (let index = 0; index < ENTRIES; index += 1) {
		const id: string = index.toString(16).padStart(8, "0");
		const message = { role: "user", content: "x".repeat(200), timestamp: index };
		lines.push(JSON.stringify({ type: "message", id, parentId, timestamp: header.timestamp, message }));
		parentId = id;
	}
	const path = join(tempDir(), "large.jsonl");
	writeFileSync(path, `${lines.join("\n")}\n`);
	return { path, last: parentId ?? "" };
}

/** How many steps the work is cut into. */
function stepsOf(work: Steps<unknown>): number {
	let steps = 0;
	while (!work.next().done) steps += 1;
	return steps;
}

it("cuts all work on a large session into small steps", () => {
	const { path, last } = largeSession();
	const perPass = ENTRIES / ENTRIES_PER_STEP;
	const values = loadEntriesFromFile(path);
	const lines = values.map((value, index) => ({ line: index + 1, value: { ...value } }));
	// Migrating, checking, making ids unique, numbering, building the tree (three times through).
	expect(stepsOf(interpretSteps(lines, new DiagnosticList()))).toBeGreaterThan(7 * perPass);
	expect(stepsOf(migrateSteps(values.map((value) => ({ ...value }))))).toBeGreaterThan(perPass);
	expect(stepsOf(EntryIndex.ofSteps(values))).toBeGreaterThan(perPass);
	const dir = tempDir();
	// Files are written by the quarter MiB.
	const loaded = loadFile(path);
	expect(stepsOf(forkSteps(path, loaded, "/home/ada", dir))).toBeGreaterThan(readFileSync(path).length / 2 ** 18);
	expect(pathTo(buildTree(SessionManager.open(path).getEntries()), last)).toHaveLength(ENTRIES);
});

it("gives the event loop its turn after each step that takes long", async () => {
	const order: string[] = [];
	const work = function* (): Steps<string> {
		for (let step = 1; step <= 3; step += 1) {
			const start = performance.now();
			while (performance.now() - start < MAX_BUSY_MS + 1) order.push(`step ${step}`);
			yield;
		}
		return "done";
	};
	const tick = () => {
		order.push("turn");
		if (order.filter((what) => what === "turn").length < 3) setImmediate(tick);
	};
	setImmediate(tick);
	expect(await runStepsPolitely(work(), new Breather())).toBe("done");
	expect(order.filter((what, index) => what !== order[index - 1])).toEqual([
		"step 1",
		"turn",
		"step 2",
		"turn",
		"step 3",
		"turn",
	]);
});

it("changes and copies a large session", { timeout: 60_000 }, async () => {
	const { path, last } = largeSession();
	const other = tempDir();
	await renameSession(path, "named");
	await labelEntry(path, last, "here");
	await resumePoint(path, last);
	expect((await readSession(await branchSession(path, last))).tree.labels.get(last)?.text).toBe("here");
	const fork = await readSession(await forkSession(path, "/home/ada", other));
	expect(fork.tree.name).toBe("named");
	expect(fork.entries).toHaveLength(ENTRIES + 3);
});

it("stops reading a large session soon after it is aborted", async () => {
	const { path } = largeSession();
	const controller = new AbortController();
	const reading = readSession(path, { signal: controller.signal });
	setImmediate(() => controller.abort(new Error("another one was chosen")));
	await expect(reading).rejects.toThrow("another one was chosen");
});

it("does not parse a line that would keep the screen waiting, and reads all the others", async () => {
	const path = join(tempDir(), "long.jsonl");
	writeFileSync(path, readFileSync(join(fixtureDir, "linear-v3.jsonl")));
	appendFileSync(
		path,
		`{"type":"custom","id":"f0000001","parentId":"a1000004","data":"${"x".repeat(64 * 2 ** 20)}"}\n`,
	);
	appendFileSync(path, '{"type":"session_info","id":"f0000002","parentId":"a1000004","timestamp":"","name":"read"}\n');
	const session = await readSession(path);
	expect(session.entries).toHaveLength(5);
	expect(session.tree.name).toBe("read");
	expect(session.diagnostics.map(({ code, line }) => [code, line])).toEqual([["line-too-long", 6]]);
	// For work it is read: a fork must not lose it.
	expect(SessionManager.open(path).getEntries()).toHaveLength(6);
});

it.skipIf(process.platform === "win32")("does not wait for the other end of a pipe", async () => {
	const path = join(tempDir(), "pipe.jsonl");
	expect(spawnSync("mkfifo", [path]).status).toBe(0);
	await expect(readSession(path)).rejects.toThrow("it is no regular file");
	expect((await readSessionInfo(path)).diagnostics.map(({ code }) => code)).toEqual(["unreadable"]);
	expect(() => SessionManager.open(path)).toThrow("it is no regular file");
});

const real = join(import.meta.dirname, "../../../../shared/real/large-session.jsonl");
it.skipIf(!existsSync(real))("reads a real session of version 1 whole", async () => {
	const session = await readSession(real);
	expect(session.diagnostics.map(({ code }) => code)).toEqual(["old-version"]);
	expect(session.entries).toHaveLength(1018);
	expect(session.tree.roots).toHaveLength(1);
	const info = await readSessionInfo(real);
	expect(info.firstMessage).toBe("/mode");
	expect(info.messageCount).toBe(session.entries.filter(({ type }) => type === "message").length);
});
