import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type MadeRun, runCall, runResult, writeFamily } from "../support/made-family.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { header, lines, user } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();

const WORKER: MadeRun = { agent: "worker", task: "split the invoices module" };
const SCOUT: MadeRun = { agent: "scout", task: "find the callers" };

test("a run is opened in the tree, also one that starts meanwhile, and back leads to its step", async () => {
	const cwd = sandbox.directory("work/api");
	const parent = join(sandbox.agentDir, "sessions", "--work-api--", "2026-01-01T00-00-00-000Z_0198-aa.jsonl");
	writeFamily(parent, cwd, "Migrate the billing tables", [WORKER]);
	const terminal = sandbox.start([parent], { columns: 100, rows: 30 });
	await terminal.waitFor(/⧉ worker {2}split the invoices module +3 answers {2}✓ 1m {2}\$0\.50 {2}→ open/);
	terminal.press("up");
	await terminal.waitFor(/›│ +⧉ worker/);
	terminal.press("enter");
	await terminal.waitFor(/› ⧉ worker of “Migrate the billing.* › split the invoices/);
	await terminal.waitFor("◉ split the invoices module: done");
	terminal.press("left");
	await terminal.waitFor(/›│ +⧉ worker/);

	const directory = parent.slice(0, -".jsonl".length);
	const session = join(directory, "deadbeef", "run-0", "session.jsonl");
	appendFileSync(parent, lines(user("u5", "u4", 100, "And now?"), runCall("u6", "u5", 101, [SCOUT])));
	await terminal.waitFor(/⧉ scout {2}find the callers/);
	mkdirSync(dirname(session), { recursive: true });
	const begin = { cwd, id: "0198-run", timestamp: "2026-01-01T00:01:42.000Z" };
	writeFileSync(session, lines(header(begin), user("r1", null, 103, SCOUT.task)));
	await terminal.waitFor(/⧉ scout {2}find the callers.*→ open/);
	appendFileSync(parent, lines(runResult("u7", "u6", 190, "deadbeef", [SCOUT], directory)));
	await terminal.waitFor(/⧉ scout {2}find the callers +3 answers {2}✓ 1m/);
	expect((await terminal.screen()).filter((row) => /⧉ scout/.test(row.slice(0, 60)))).toHaveLength(1);
	await terminal.waitFor(/›│ +⧉ worker/);
});
