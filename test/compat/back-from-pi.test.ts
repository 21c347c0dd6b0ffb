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
	await terminal.waitFor(/◂ (end|pi)/);
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
	await terminal.waitFor("/ filter");
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
	expect(await terminal.isFullScreen()).toBe(false);
	expect(lastOf(terminal, "\x1b[?25h", "\x1b[?25l")).toBe("\x1b[?25h");
	expect(lastOf(terminal, "\x1b[?2004h", "\x1b[?2004l")).toBe("\x1b[?2004l");
});

function lastOf({ written }: TestTerminal, ...sequences: readonly string[]): string | undefined {
	return sequences.toSorted((a, b) => written.lastIndexOf(b) - written.lastIndexOf(a))[0];
}

test("pi is stopped and continued, and its window changed, before the person comes back", async () => {
	const shell = 'set -m; "$@"; echo "the shell has it"; read -r line; fg; exit $?';
	const terminal = sandbox.start([], { within: ["bash", "-c", shell, "bash"] });
	await terminal.waitFor(/◂ (end|pi)/);
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
