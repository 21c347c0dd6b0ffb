import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type DebugLog, openDebugLog } from "../../../../src/app/world/effects/debug-log.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";

const SECRET = "what was said";
const DONE: Action = { type: "done", message: { text: SECRET, tone: "text" }, select: "/s/new.jsonl" };

/** A log, and its lines so far without times. */
function open(env: Readonly<Record<string, string>> = {}): { log: DebugLog; lines: () => string[] } {
	const directory = mkdtempSync(join(tmpdir(), "pi-grove-log-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const file = join(directory, "grove.log");
	const log = openDebugLog({ PI_GROVE_LOG: file, ...env });
	const read = (): string[] => readFileSync(file, "utf8").trimEnd().split("\n").slice(1);
	return { log, lines: () => read().map((line) => line.replace(/^\d{4}-\S+Z /, "").replace(/\d+\.\dms/, "MS")) };
}

test("an action is a line with its facts: names and paths in full, lists and texts by their length", () => {
	const { log, lines } = open();
	expect(log("action", DONE, () => 7)).toBe(7);
	log("action", { type: "keys", keys: ["a", "b"] }, () => undefined);
	log("action", { type: "catalog", event: { type: "progress", read: 3, total: 9 } }, () => undefined);
	expect(lines()).toEqual([
		'action done MS message.text=(13 characters) message.tone=(4 characters) select="/s/new.jsonl"',
		"action keys MS keys=[2]",
		'action catalog MS event.type="progress" event.read=3 event.total=9',
	]);
});

test("an effect has a line at its start and one at its end, with the resulting action", async () => {
	const { log, lines } = open();
	await log("effect", { type: "branch", path: "/s/a.jsonl", entryId: "a1" }, () => Promise.resolve(DONE));
	await log("effect", { type: "refresh" }, () => Promise.resolve(undefined));
	await expect(log("effect", { type: "undo" }, () => Promise.reject(new Error(SECRET)))).rejects.toThrow(SECRET);
	await Promise.resolve();
	expect(lines()).toEqual([
		'effect branch MS path="/s/a.jsonl" entryId="a1"',
		"end branch MS done",
		"effect refresh MS",
		"end refresh MS -",
		"effect undo MS",
		"end undo MS threw",
	]);
});

test("texts are logged on request", () => {
	const { log, lines } = open({ PI_GROVE_LOG_TEXT: "1" });
	log("action", DONE, () => undefined);
	log("action", { type: "keys", keys: ["a", "b"] }, () => undefined);
	expect(lines()[0]).toContain(`message.text="${SECRET}"`);
	expect(lines()[1]).toContain('keys=["a","b"]');
});

test("without a file nothing is logged; a file that cannot be written is an error", () => {
	expect(openDebugLog({})("action", DONE, () => 7)).toBe(7);
	expect(() => openDebugLog({ PI_GROVE_LOG: "/nowhere/at/all.log" })).toThrow("ENOENT");
});
