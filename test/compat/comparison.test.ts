import { appendFileSync, copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import build from "../support/build.ts";
import { runAlone as run } from "../support/run.ts";
import { label, lines, toolResult } from "../support/session-builder.ts";
import { TestTerminal } from "../support/terminal.ts";
import { IS_NEWEST } from "./pi-program.ts";
import { PiSandbox } from "./real-pi.ts";

/** What the README says of the lists of pi 1.6.0 beside ours, tried in both. */

beforeAll(build);

let sandbox: PiSandbox;
let retry: string;
let started: TestTerminal | undefined;
beforeEach(() => {
	sandbox = new PiSandbox();
	retry = sandbox.sessions.retry;
});
afterEach(() => {
	started?.kill();
	sandbox.remove();
});

const PI_MS = 60_000;

/** pi with its list of the sessions of a project. */
async function piList(): Promise<TestTerminal> {
	const terminal = startPi("-r");
	await terminal.waitFor("Find the retry loop", PI_MS);
	return terminal;
}

function startPi(...args: readonly string[]): TestTerminal {
	started = new TestTerminal("pi", args, { cwd: join(sandbox.home, "work", "api"), env: sandbox.env });
	return started;
}

test.runIf(IS_NEWEST)("pi's list does not find what a tool printed, nor a label", async () => {
	const leaf = readFileSync(retry, "utf8").trimEnd().split("\n").at(-1) ?? "";
	const { id } = JSON.parse(leaf);
	appendFileSync(
		retry,
		lines(toolResult("aaaa0001", id, 1, "zebracrossing"), label("aaaa0002", "aaaa0001", 2, id, "marmalade")),
	);
	const pi = await piList();
	for (const word of ["zebracrossing", "marmalade"]) {
		pi.type(word);
		await pi.waitFor(/No sessions/, PI_MS);
		pi.press("ctrl+u");
		await pi.waitFor("Find the retry loop", PI_MS);
		expect(JSON.parse(run(sandbox, ["search", word, "--json"]).out)).toMatchObject([{ path: retry }]);
	}
});

test.runIf(IS_NEWEST)("what pi's list deletes is gone, where there is no command trash", async () => {
	const pi = await piList();
	pi.type("retry");
	await pi.waitFor((screen) => !screen.includes("Refactor"), PI_MS);
	pi.press("ctrl+d");
	await pi.waitFor("Delete session?", PI_MS);
	pi.press("enter");
	await pi.waitFor("Session deleted", PI_MS);
	expect(existsSync(retry)).toBe(false);
	expect(existsSync(join(sandbox.home, "data", "Trash"))).toBe(false);
});

test.runIf(IS_NEWEST)("pi rewrites a session of version 1 before its first question is answered", async () => {
	const path = join(sandbox.home, "old.jsonl");
	copyFileSync(join(import.meta.dirname, "..", "..", "fixtures", "v1.jsonl"), path);
	const before = readFileSync(path, "utf8");
	expect(run(sandbox, ["show", path]).code).toBe(0);
	expect(readFileSync(path, "utf8")).toBe(before);
	const pi = startPi("--session", path);
	await pi.waitFor("Session cwd does not exist", PI_MS);
	expect(readFileSync(path, "utf8")).not.toBe(before);
});
