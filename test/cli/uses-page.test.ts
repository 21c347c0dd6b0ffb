import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostInfo } from "../../src/app/world/state/choice.ts";
import { childProgram } from "../support/bundled-programs.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
let sessions: ReturnType<typeof threeSessions>;
beforeEach(() => {
	sandbox = new Sandbox();
	sessions = threeSessions(sandbox);
});
afterEach(() => sandbox.remove());

const HOST = childProgram("support/fake-host-child.ts");

test("the built program finds a prompt by what is typed, and goes to its entry; no session is touched", async () => {
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 120, rows: 30 });
	await terminal.waitFor("1/3");
	terminal.press("<prompts>");
	await terminal.waitFor(/── prompts ❯ .* 1\/5 ─/);
	terminal.type("regular");
	expect(await terminal.waitFor("1 found")).toContain("Use a regular expression");
	terminal.press("enter");
	await terminal.waitFor(/Refactor the parser[\s\S]*› *[├╌│● ⊟]*Use a regular expression/);
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
});

test("in pi, enter puts the prompt into the editor, and the browser ends", async () => {
	const header = JSON.parse(readFileSync(sessions.parser, "utf8").split("\n", 1)[0] ?? "");
	const open = { id: header.id, cwd: header.cwd, path: sessions.parser, leaf: null };
	const info: HostInfo = { protocol: 1, fd: 3, pi: "1.5.2", open, busy: false };
	const log = join(sandbox.home, "link.jsonl");
	const terminal = sandbox.start([], {
		within: [process.execPath, HOST],
		columns: 120,
		env: { FAKE_HOST: JSON.stringify(info), FAKE_HOST_LOG: log },
	});
	await terminal.waitFor("2/3");
	// All at once: enter waits for what is found.
	terminal.press("<prompts>");
	terminal.type("検索");
	terminal.press("enter");
	await terminal.exit();
	const told = readFileSync(log, "utf8").trim().split("\n");
	expect(told.map((line) => JSON.parse(line))).toEqual([
		{ choice: { action: "edit", text: "検索を日本語に対応させて" } },
		{ ended: 0 },
	]);
});
