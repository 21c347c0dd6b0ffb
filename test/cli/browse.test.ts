import { afterAll, beforeAll, expect, test } from "vitest";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

/*
 * One program for all of these tests, which follow each other: each begins with an empty filter, and where the one before it
 * has left the cursor.
 */

const sandbox = new Sandbox();
let terminal: TestTerminal;
beforeAll(() => {
	threeSessions(sandbox);
	terminal = sandbox.start();
});
afterAll(() => sandbox.remove());

test("lists all projects, newest first, and shows the selected session's tree and its text", async () => {
	// A frame may arrive in several pieces.
	const screen = await terminal.waitFor((text) => text.includes("3 sessions") && text.includes("10h"));
	await terminal.waitFor("It is in client.ts.");
	expect(screen.indexOf("Find the retry loop")).toBeLessThan(screen.indexOf("Refactor the parser"));
	terminal.press("down");
	await terminal.waitFor("Stream it instead");
	await terminal.waitFor(/◂ (end|pi)/);
});

test("a key is answered while nothing else changes: help opens and closes", async () => {
	terminal.press("ctrl+k");
	await terminal.waitFor("┌ Commands");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Commands"));
});

test("pasted text goes into the query as it is, its line ends included", async () => {
	terminal.type("\x1b[200~retry\nloop\x1b[201~");
	await terminal.waitFor((screen) => screen.includes("❯ retry loop") && screen.includes("1/1"));
	terminal.press("ctrl+u");
	await terminal.waitFor("/3");
});

test("keys that arrive in one piece all count", async () => {
	terminal.press("home");
	await terminal.waitFor("1/3");
	terminal.type("\x1b[B\x1b[B");
	await terminal.waitFor("3/3");
	terminal.type("\x1b[A\x1b[A\x1b[B");
	await terminal.waitFor("2/3");
	terminal.type("retry");
	await terminal.waitFor("1/1");
	terminal.type("\x7f\x7f\x7f\x7f\x7fpars\x1b[C");
	await terminal.waitFor((screen) => screen.includes("/ filter") && screen.includes("Stream it instead"));
	terminal.press("left", "ctrl+u");
	await terminal.waitFor("2/3");
});

test("a session that appears is shown without a key, and the cursor stays on its session", async () => {
	await terminal.waitFor("› Refactor the parser");
	sandbox.session({ project: "work/new", age: 0, messages: [{ role: "user", text: "A brand-new session" }] });
	const screen = await terminal.waitFor("A brand-new session");
	expect(screen).toContain("› Refactor the parser");
	expect(screen).toContain("4 sessions");
	expect(screen).toContain("3/4");
});

test.each([
	["ctrl+l", "ctrl+l"],
	// The tree has a filter at ctrl+l.
	["the command", "<redraw>"],
	["a report that the focus is back", "\x1b[O\x1b[I"],
])("what another program has written on the screen is gone after %s", async (_way, keys) => {
	terminal.writeOver("\x1b[20;3HBroadcast message from root\r\nThe system goes down");
	await terminal.waitFor((screen) => screen.includes("Broadcast message") && screen.includes("goes down"));
	terminal.press(keys);
	await terminal.waitFor((screen) => !screen.includes("Broadcast message") && !screen.includes("goes down"));
});

test("typing filters at once, Escape clears the filter and then says what leaves", async () => {
	terminal.type("日本語");
	await terminal.waitFor((screen) => screen.includes("1/1") && screen.includes("検索を日本語に対応させて"));
	terminal.press("escape");
	await terminal.waitFor("/4");
	terminal.press("escape", "escape");
	await terminal.waitFor("Press ctrl+c or ctrl+q to leave");
	terminal.press("ctrl+c");
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
});
