import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";
import { writeTimedFamily } from "../support/timed-family.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("runs are bars that can be opened and returned to, and a run that is reported meanwhile gets its bar", async () => {
	const cwd = sandbox.directory("work/billing");
	const startMs = Date.UTC(2026, 10, 20, 9);
	const runs = [
		{ agent: "scout", task: "where is the tax code used?", from: 20, to: 92 },
		{ agent: "worker", task: "split the invoices module", from: 110, to: 953 },
		{ agent: "reviewer", task: "find what the worker missed", from: 400, to: 700, status: "error" as const },
	];
	const turns = [{ from: 2, to: 980, runs }];
	const directory = join(sandbox.agentDir, "sessions", "--work-billing--");
	const path = writeTimedFamily(directory, "8aaa", { title: "Migrate the tables", cwd, startMs, turns });
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 120, rows: 30, env: { TZ: "UTC" } });
	await terminal.waitFor(/Migrate the tables ⧉3/);
	terminal.press("alt+t");
	await terminal.waitFor(/── timeline of “Migrate the tables” ─.* 1\/4 ─/);
	// It waits for its runs.
	await terminal.waitFor(/› Migrate the tables +┈*─+┈+─*┈* +open 16m 20s /);
	await terminal.waitFor(/ worker +split the in\S* \S+ +[╺━]+╸? +✓ 14m 3s /);
	await terminal.waitFor(/ reviewer +find what[^━╺]* [╺━]+✗ +✗ 5m /);
	terminal.press("e");
	// Below the bars is what it did.
	await terminal.waitFor(
		/› +reviewer .*✗ 5m(.|\n)*── reviewer · (.|\n)*● find what the worker missed(.|\n)*It is done\./,
	);
	terminal.press("enter");
	await terminal.waitFor((screen) => screen.includes("It is done.") && !screen.includes("── timeline of"));
	terminal.press("escape");
	await terminal.waitFor(/› +reviewer .*✗ 5m/);
	expect(sandbox.fingerprints()).toEqual(before);

	const id = "abcd1234-0000-400";
	const data = { id, type: "late", description: "one more", status: "completed" };
	const last = JSON.parse(readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") as { readonly id: string };
	const [startedAt, completedAt] = [startMs + 500_000, startMs + 600_000];
	const timestamp = new Date(completedAt).toISOString();
	const line = { type: "custom", customType: "subagents:record", data: { ...data, startedAt, completedAt } };
	appendFileSync(path, `${JSON.stringify({ ...line, id: "e9999999", parentId: last.id, timestamp })}\n`);
	await terminal.waitFor(/ late +one more +[╺━]+╸? +✓ 1m 40s/);
	await terminal.waitFor(/› +reviewer .*✗ 5m/);
	terminal.press("q");
	await terminal.waitFor((screen) => !screen.includes("── timeline of"));
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
});
