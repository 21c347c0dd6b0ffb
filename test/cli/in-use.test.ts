import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noteHandOver } from "../../src/catalog/live/process-notes.ts";
import { startFakePi } from "../support/fake-pi.ts";
import { isAlive } from "../support/processes.ts";
import { staleName, turns } from "../support/rewound-session.ts";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import { lines } from "../support/session-builder.ts";
import type { TestTerminal } from "../support/terminal.ts";

let sandbox: Sandbox;
let retry: string;
beforeEach(() => {
	sandbox = new Sandbox();
	const sessions = threeSessions(sandbox);
	retry = sessions.retry;
	// Written long before any pi of these tests was started.
	for (const path of Object.values(sessions)) utimesSync(path, 0, 0);
});
afterEach(() => {
	for (const pid of pis()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
	sandbox.remove();
});

/** Hides its arguments behind its title and waits, as a pi that nothing was said to; notes its pid and its parent's. */
const idlePi = `exec ${JSON.stringify(process.execPath)} -e '
	process.title = "pi";
	require("node:fs").appendFileSync(process.env.HOME + "/pis", process.pid + " " + process.ppid + "\\n");
	process.stdin.resume();
	console.log("pi is here");
' -- "$@"`;

function notes(): (readonly [pid: number, parent: number])[] {
	const file = join(sandbox.home, "pis");
	if (!existsSync(file)) return [];
	return readFileSync(file, "utf8")
		.trim()
		.split("\n")
		.map((line) => line.split(" ").map(Number) as [number, number]);
}

function pis(): number[] {
	return notes().map(([pid]) => pid);
}

/** A browser that has resumed the session under its cursor, the newest, in a pi that waits. */
async function resumed(): Promise<TestTerminal> {
	sandbox.installPi(idlePi);
	// Within a shell, so that the terminal and the pi stay when the browser is killed.
	const terminal = sandbox.start([], { within: ["sh", "-c", '"$@"; read -r line', "sh"] });
	await terminal.waitFor(/◂ (end|pi)/);
	terminal.press("enter");
	await terminal.waitFor("pi is here");
	return terminal;
}

async function second(): Promise<TestTerminal> {
	const terminal = sandbox.start();
	await terminal.waitFor("1/3");
	await terminal.waitFor(/◂ (end|pi)/);
	return terminal;
}

test("a session that an idle pi has, started from one browser, is in use for another one until that pi ends", async () => {
	await resumed();
	const [[pid = 0, browser = 0] = []] = notes();
	const other = await second();
	await other.waitFor(/^. ● Find the retry loop/m);
	other.press("enter");
	const asked = await other.waitFor("This session is in use");
	expect(asked).toContain(`pi (pid ${pid}, since `);
	expect(asked).toMatch(/› Open a copy/);
	other.press("escape");
	await other.waitFor((screen) => !screen.includes("This session is in use"));
	const before = readFileSync(retry, "utf8");
	other.press("ctrl+d");
	const refused = await other.waitFor("In use: this session is not deleted");
	expect(refused).toContain("was started with it. Leave that pi first.");
	other.press("enter");
	await other.waitFor((screen) => !screen.includes("In use: "));
	expect(readFileSync(retry, "utf8")).toBe(before);

	// The browser cannot note any more that its pi has ended.
	process.kill(browser, "SIGKILL");
	await expect.poll(() => isAlive(browser)).toBe(false);
	expect(isAlive(pid)).toBe(true);
	other.press("enter");
	await other.waitFor("This session is in use");
	other.press("escape");
	await other.waitFor((screen) => !screen.includes("This session is in use"));

	process.kill(pid, "SIGKILL");
	await other.waitFor((screen) => !/^. ● Find/m.test(screen));
	other.press("enter");
	await other.waitFor("pi is here");
	expect(pis()).toHaveLength(2);
});

test("the commands say the same of a pi that has the session: what would take it away is refused, a name is added", async () => {
	const { pid } = await startFakePi("/", [], { PI_CODING_AGENT_DIR: sandbox.agentDir });
	const has = (path: string) =>
		noteHandOver(join(sandbox.home, "state", "pi-grove"), { path, pid, startedMs: Date.now() });
	const words = new RegExp(`pi \\(pid ${pid}, since .+\\) was started with it\\.`);
	has(retry);
	const before = readFileSync(retry, "utf8");
	const deleted = run(sandbox, ["delete", retry, "--yes"]);
	expect([deleted.code, readFileSync(retry, "utf8")]).toEqual([2, before]);
	expect(deleted.err).toMatch(/is not deleted: it is in use\. pi \(pid .* Leave that pi first\. Path: /);
	expect(deleted.err).toMatch(words);
	const renamed = run(sandbox, ["rename", retry, "Loop", "--yes"]);
	expect([renamed.code, renamed.err.startsWith("Renamed “Find the retry loop” to “Loop”. pi (pid")]).toEqual([0, true]);
	expect(renamed.err).toMatch(words);
	expect(readFileSync(retry, "utf8").startsWith(before)).toBe(true);

	const fork = run(sandbox, ["fork", retry, "--yes"]).out.trim();
	has(fork);
	const undone = run(sandbox, ["undo", "--yes"]);
	const said = undone.err.replace(/\s+/g, " ");
	expect([undone.code, existsSync(fork)]).toEqual([2, true]);
	expect(said).toMatch(
		/\. It is in use\. pi \(pid .* Leave that pi first; undo tries again\. The history can undo an older change/,
	);
	expect(said).toMatch(words);
});

test("forward: a pi that has the session refuses it in the shell, one that may have it is asked about, also when it is redone", async () => {
	const cwd = join(sandbox.home, "work", "api");
	const write = (id: string, begun: Date): string => {
		const stamp = begun.toISOString();
		const path = join(sandbox.agentDir, "sessions", "--work--", `${stamp.replace(/[:.]/g, "-")}_${id}.jsonl`);
		mkdirSync(dirname(path), { recursive: true });
		const first = JSON.stringify({ type: "session", version: 3, id, timestamp: stamp, cwd });
		writeFileSync(path, lines(first, ...turns(4), staleName(1, 500, id)));
		utimesSync(path, 0, 0);
		return path;
	};
	const moved = write("moved", new Date(0));
	const before = readFileSync(moved, "utf8");
	const forward = (...words: readonly string[]) => {
		const { code, err } = run(sandbox, ["forward", ...words]);
		return { code, err: err.replace(/\s+/g, " ") };
	};
	const pi = await startFakePi(cwd, [], { PI_CODING_AGENT_DIR: sandbox.agentDir });
	const may = new RegExp(
		`Continue from the end again\\? moved pi \\(pid ${pi.pid}, since .+\\) runs in its directory; which session`,
	);
	const asked = forward(moved, "--yes");
	expect([asked.code, readFileSync(moved, "utf8")]).toEqual([2, before]);
	expect(asked.err).toMatch(may);
	expect(asked.err).toContain("--yes does not cover this");

	// What can only be told from when the pi and the session began.
	const begun = write("begun", new Date());
	const refused = forward(begun, "--yes");
	expect(refused.code).toBe(2);
	expect(refused.err).toMatch(
		new RegExp(`In use: nothing is added to this session begun pi \\(pid ${pi.pid}, .+\\) began it\\.`),
	);
	rmSync(begun);
	await pi.end();

	expect(forward(moved, "--yes").code).toBe(0);
	expect(run(sandbox, ["undo", "--yes"]).code).toBe(0);
	// Otherwise the pi that starts now might have written it.
	utimesSync(moved, 0, 0);
	const other = await startFakePi(cwd, [], { PI_CODING_AGENT_DIR: sandbox.agentDir });
	const browser = sandbox.start();
	await browser.waitFor(/\/4/);
	browser.press("<history>");
	await browser.waitFor("It can be redone.");
	browser.press("ctrl+_");
	const question = await browser.waitFor("Redo this change?");
	expect(question).toContain(`pi (pid ${other.pid}, since `);
	const length = readFileSync(moved, "utf8").length;
	browser.press("down", "enter");
	await browser.waitFor("Redone: continue “");
	expect(readFileSync(moved, "utf8").length).toBeGreaterThan(length);
});
