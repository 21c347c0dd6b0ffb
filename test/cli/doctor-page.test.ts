import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addDamaged } from "../support/damaged-sessions.ts";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("examines by key, goes to the findings, repairs in the place of the session as one change; nothing is written elsewhere", async () => {
	threeSessions(sandbox);
	const directory = addDamaged(sandbox.agentDir);
	const original = join(directory, "two.jsonl");
	chmodSync(original, 0o400);
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 120, rows: 40 });
	await terminal.waitFor("11 sessions");
	// Of a sound session a message says so, and no page opens.
	terminal.type("Refactor");
	await terminal.waitFor("1/1");
	terminal.press("<check>");
	await terminal.waitFor("is sound");
	expect(await terminal.screen()).not.toContain("› maintenance");
	terminal.press("escape");
	// Not before: escape and a letter right behind it would be another key.
	await terminal.waitFor("❯ type to search");
	terminal.type("Two sessions");
	await terminal.waitFor("› Two sessions in one file");
	terminal.press("<check>");
	await terminal.waitFor("There are 2 sessions in the file");
	await terminal.waitFor("› maintenance");
	terminal.press("enter");
	await terminal.waitFor("┌ Repair “Two sessions in one file");
	terminal.press("enter");
	await terminal.waitFor("Repaired 1 session; the damaged originals are in the trash (undo reverts this)");
	const after = [...sandbox.fingerprints().keys()];
	expect(after).not.toContain(original);
	expect(after.filter((path) => !before.has(path))).toHaveLength(2);
	expect(run(sandbox, ["doctor", ...after.filter((path) => !before.has(path))])).toMatchObject({ code: 0, out: "" });
	expect(readdirSync(sandbox.home).filter((name) => /pi-|repaired/.test(name))).toEqual([]);
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: repair 1 session");
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("ctrl+c");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
});
