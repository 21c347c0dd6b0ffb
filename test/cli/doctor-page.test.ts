import { chmodSync, readdirSync, statSync } from "node:fs";
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

test("examines all, goes to the findings, repairs into copies by key; the originals stay as they are", async () => {
	threeSessions(sandbox);
	const directory = addDamaged(sandbox.agentDir);
	const original = join(directory, "two.jsonl");
	chmodSync(original, 0o400);
	const before = sandbox.fingerprints();
	const inode = statSync(original).ino;
	const terminal = sandbox.start([], { columns: 120, rows: 40 });
	await terminal.waitFor("11 sessions");
	terminal.press("alt+k");
	await terminal.waitFor("› doctor");
	terminal.type("a");
	await terminal.waitFor("pi cannot open 1");
	await terminal.waitFor("are sound");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("› doctor"));
	terminal.type("Two sessions");
	await terminal.waitFor("1/1");
	terminal.press("alt+k");
	await terminal.waitFor("There are 2 sessions in the file");
	terminal.type("r");
	await terminal.waitFor("Repair into a copy");
	terminal.press("enter");
	await terminal.waitFor("Repaired 1 session into");
	const [made] = readdirSync(sandbox.home).filter((name) => name.startsWith("pi-repaired-"));
	const copies = join(sandbox.home, made ?? "");
	expect(readdirSync(copies)).toHaveLength(2);
	expect(sandbox.fingerprints()).toEqual(before);
	expect(statSync(original).ino).toBe(inode);
	terminal.press("ctrl+c");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
	expect(run(sandbox, ["doctor", "--session-dir", copies])).toMatchObject({ code: 0, out: "" });
});
