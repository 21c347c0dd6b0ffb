import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import build from "../support/build.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { PiSandbox, waitsInPi } from "./real-pi.ts";

/** From pi-grove to the real pi, and back. */

beforeAll(build);

let sandbox: PiSandbox;
beforeEach(() => {
	sandbox = new PiSandbox();
});
afterEach(() => sandbox.remove());

/** The browser as it was before pi: the query, the cursor, the keys. */
async function isBack(terminal: TestTerminal): Promise<string> {
	await terminal.waitFor((screen) => screen.includes("1 of 3") && screen.includes("› Refactor the parser"));
	expect(await terminal.isFullScreen()).toBe(true);
	return terminal.waitFor("enter resume");
}

test("resume, quit pi, be back with query and cursor; then another session, quit by command; then leave", async () => {
	const terminal = sandbox.start([], { columns: 140, rows: 40 });
	await terminal.waitFor("3 sessions");
	terminal.type("refactor");
	await terminal.waitFor("1 of 3");
	await terminal.waitFor("◂ leaf");
	terminal.press("enter");
	await waitsInPi(terminal, "All tests pass now.");
	// What pi does when it is asked to go is between the two of them.
	terminal.press("ctrl+d");
	const screen = await isBack(terminal);
	expect(screen.split("\n").filter((row) => /^. ●/.test(row))).toEqual([]);

	terminal.press("escape");
	// pi has written to the session, so that it is searched again, and "1 of 3" is gone for a moment before the key is read: an
	// arrow right behind Escape would be alt+up.
	await terminal.waitFor("❯ type to search");
	terminal.press("up");
	await terminal.waitFor("› Find the retry loop");
	terminal.press("enter");
	await waitsInPi(terminal);
	terminal.type("/quit\r");
	await terminal.waitFor("› Find the retry loop");
	expect(await terminal.isFullScreen()).toBe(true);
	terminal.press("right");
	await terminal.waitFor("type to filter");
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
	expect(await terminal.isFullScreen()).toBe(false);
	expect(lastOf(terminal, "\x1b[?25h", "\x1b[?25l")).toBe("\x1b[?25h");
	expect(lastOf(terminal, "\x1b[?2004h", "\x1b[?2004l")).toBe("\x1b[?2004l");
});

function lastOf({ written }: TestTerminal, ...sequences: readonly string[]): string | undefined {
	return sequences.toSorted((a, b) => written.lastIndexOf(b) - written.lastIndexOf(a))[0];
}

test("a name that was given in pi is in the list afterwards", async () => {
	const terminal = sandbox.start([], { columns: 140, rows: 40 });
	await terminal.waitFor("◂ leaf");
	terminal.press("enter");
	await waitsInPi(terminal);
	terminal.type("/name Called so in pi\r");
	await expect
		.poll(() => readFileSync(sandbox.sessions.retry, "utf8"), { timeout: 60_000 })
		.toContain("Called so in pi");
	terminal.press("ctrl+d");
	await terminal.waitFor("› Called so in pi");
	expect(await terminal.isFullScreen()).toBe(true);
});

test("pi is stopped and continued, and its window changed, before the person comes back", async () => {
	const shell = 'set -m; "$@"; echo "the shell has it"; read -r line; fg; exit $?';
	const terminal = sandbox.start([], { within: ["bash", "-c", shell, "bash"] });
	await terminal.waitFor("◂ leaf");
	terminal.press("enter");
	await waitsInPi(terminal);
	terminal.press("ctrl+z");
	await terminal.waitFor("the shell has it");
	terminal.resize(100, 30);
	const before = terminal.written.length;
	terminal.press("enter");
	// It has drawn everything again, and so reads its keys.
	await expect.poll(() => terminal.written.slice(before), { timeout: 60_000 }).toContain("~/work/api");
	await waitsInPi(terminal);
	terminal.press("ctrl+d");
	await terminal.waitFor("› Find the retry loop");
	expect(await terminal.isFullScreen()).toBe(true);
	expect((await terminal.screen()).at(-1)).toContain("enter resume");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
});

test("what pi says when it refuses its arguments stays to be read; a killed pi gives the terminal back", async () => {
	const terminal = sandbox.start(["--pi", "pi --fork x"]);
	await terminal.waitFor("◂ leaf");
	terminal.press("enter");
	const told = await terminal.waitFor("Press any key to go back to the sessions", 60_000);
	expect(told).toContain("pi ended with exit code 1");
	expect(told.toLowerCase()).toContain("--fork");
	terminal.press("escape");
	await terminal.waitFor("› Find the retry loop");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);

	const other = sandbox.start([], { within: ["sh", "-c", '"$@"; code=$?; stty -a >"$HOME/after"; exit $code', "sh"] });
	await other.waitFor("◂ leaf");
	other.press("enter");
	await waitsInPi(other);
	process.kill(sandbox.piPid, "SIGKILL");
	await other.waitFor("pi ended with exit code 137");
	other.press("escape");
	await other.waitFor("› Find the retry loop");
	other.press("ctrl+c");
	expect((await other.exit()).code).toBe(0);
	expect(readFileSync(join(sandbox.home, "after"), "utf8")).toMatch(/[^-]icanon/);
});
