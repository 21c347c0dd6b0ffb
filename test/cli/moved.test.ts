import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("a project that was moved is found by key, its sessions are forked there and the originals archived, and one undo takes all back", async () => {
	const { parser, retry } = threeSessions(sandbox);
	SessionManager.open(parser).appendLabelChange(SessionManager.open(parser).getLeafId() ?? "", "todo");
	sandbox.directory("work/old");
	renameSync(join(sandbox.home, "work/api"), join(sandbox.home, "work/old/api"));
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 120, rows: 30 });
	await terminal.waitFor("1/3");
	terminal.press("<moved>");
	await terminal.waitFor("› maintenance");
	await terminal.waitFor((screen) => /› +~\/work\/api +2 +now ~\/work\/old\/api\? \(same name\)/.test(screen));
	terminal.press("enter");
	await terminal.waitFor("┌ Fork 2 sessions into ~/work/old/api?");
	terminal.press("enter");
	await terminal.waitFor("Forked 2 sessions into ~/work/old/api and archived the originals (undo reverts this)");
	const directory = defaultSessionDir(join(sandbox.home, "work/old/api"), sandbox.agentDir);
	const forks = readdirSync(directory).map((name) => join(directory, name));
	const heads = forks.map((path) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
	expect(heads.map(({ parentSession }) => parentSession).sort()).toEqual([parser, retry].sort());
	const fork = SessionManager.open(forks[heads.findIndex(({ parentSession }) => parentSession === parser)] ?? "");
	expect(fork.getSessionName()).toBe("Refactor the parser");
	expect(fork.getEntries().filter(({ id }) => fork.getLabel(id) === "todo").length).toBe(1);
	expect([parser, retry].filter(existsSync)).toEqual([]);
	await terminal.waitFor("The directories of all sessions exist.");
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: fork 2 sessions into ~/work/old/api and archive the originals");
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("q");
	await terminal.waitFor("3 sessions");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
});
