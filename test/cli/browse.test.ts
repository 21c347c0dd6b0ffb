import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
	threeSessions(sandbox);
});
afterEach(() => sandbox.remove());

test("lists all projects, newest first, and shows the selected session's tree and its text", async () => {
	const terminal = sandbox.start();
	// A frame may arrive in several pieces.
	const screen = await terminal.waitFor((text) => text.includes("3 sessions") && text.includes("10h"));
	await terminal.waitFor("It is in client.ts.");
	expect(screen.indexOf("Find the retry loop")).toBeLessThan(screen.indexOf("Refactor the parser"));
	terminal.press("down");
	await terminal.waitFor("Stream it instead");
	await terminal.waitFor("◂ leaf");
});

test("keys that arrive in one piece all count", async () => {
	const terminal = sandbox.start();
	await terminal.waitFor("1/3");
	terminal.type("\x1b[B\x1b[B");
	await terminal.waitFor("3/3");
	terminal.type("\x1b[A\x1b[A\x1b[B");
	await terminal.waitFor("2/3");
	terminal.type("retry");
	await terminal.waitFor("1/1");
	terminal.type("\x7f\x7f\x7f\x7f\x7fpars\x1b[C");
	await terminal.waitFor((screen) => screen.includes("tree ❯ ") && screen.includes("Stream it instead"));
});

test("typing filters at once, Escape clears the filter, then leaves", async () => {
	const terminal = sandbox.start();
	await terminal.waitFor("3 sessions");
	terminal.type("日本語");
	await terminal.waitFor((screen) => screen.includes("1/1") && screen.includes("検索を日本語に対応させて"));
	terminal.press("escape");
	await terminal.waitFor("/3");
	terminal.press("escape", "escape");
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
});

test("pasted text goes into the query as it is, its line ends included", async () => {
	const terminal = sandbox.start();
	await terminal.waitFor("3 sessions");
	terminal.type("\x1b[200~retry\nloop\x1b[201~");
	await terminal.waitFor((screen) => screen.includes("❯ retry loop") && screen.includes("1/1"));
});

test("a session that appears, grows or disappears is shown without a key, and the cursor stays on its session", async () => {
	const terminal = sandbox.start();
	await terminal.waitFor("3 sessions");
	terminal.press("down");
	await terminal.waitFor("› Refactor the parser");
	sandbox.session({ project: "work/new", age: 0, messages: [{ role: "user", text: "A brand-new session" }] });
	const screen = await terminal.waitFor("A brand-new session");
	expect(screen).toContain("› Refactor the parser");
	expect(screen).toContain("4 sessions");
	expect(screen).toContain("3/4");
});

test("a key is answered while nothing else changes: help opens and closes", async () => {
	const terminal = sandbox.start();
	await terminal.waitFor("3 sessions");
	terminal.press("ctrl+k");
	await terminal.waitFor("┌ Commands");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Commands"));
});
