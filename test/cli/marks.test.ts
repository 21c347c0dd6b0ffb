import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

let sandbox: Sandbox;
let parser: string;
beforeEach(() => {
	sandbox = new Sandbox();
	({ parser } = threeSessions(sandbox));
});
afterEach(() => sandbox.remove());

async function onParser(): Promise<TestTerminal> {
	const terminal = sandbox.start();
	await terminal.waitFor("1/3");
	terminal.press("down");
	await terminal.waitFor("› Refactor the parser");
	return terminal;
}

test("what is pinned and tagged is so in every window and at the next start, and no session file knows of it", async () => {
	const before = sandbox.fingerprints();
	const terminal = await onParser();
	// Two seconds pass before it looks whether there are marks now.
	const earlier = sandbox.start([], { columns: 180 });
	await earlier.waitFor("1/3");
	terminal.press("<pin>");
	await terminal.waitFor("Pinned “Refactor the parser”");
	await terminal.waitFor(/^› ★ Refactor the parser/m);
	await earlier.waitFor(/★ Refactor the parser/);
	const other = sandbox.start([], { columns: 180 });
	await other.waitFor(/★ Refactor the parser/);
	terminal.press("<tags>");
	await terminal.waitFor("┌ Tags of the session");
	terminal.type("wip later\r");
	await terminal.waitFor("Tagged “Refactor the parser” #wip #later");
	await other.waitFor("#later #wip");
	other.type("tag:later");
	await other.waitFor("1/1");
	await earlier.waitFor("#later #wip");
	const next = sandbox.start([], { columns: 180 });
	await next.waitFor(/★ Refactor the parser +#later #wip/);
	expect(run(sandbox, ["search", "tag:wip", "is:pinned"]).out).toContain("Refactor the parser");
	expect(sandbox.fingerprints()).toEqual(before);
});

test("tab completes a tag, and -tag takes it off", async () => {
	const terminal = await onParser();
	terminal.press("<tags>");
	await terminal.waitFor("┌ Tags of the session");
	terminal.type("experiment\r");
	await terminal.waitFor("#experiment");
	terminal.press("up");
	terminal.press("<tags>");
	await terminal.waitFor("tab #experiment");
	terminal.type("e\t\r");
	await terminal.waitFor(/Tagged “.*” #experiment/);
	terminal.press("<tags>");
	await terminal.waitFor("now #experiment");
	terminal.type("-e\t\r");
	await terminal.waitFor(/Took #experiment off “/);
});

test("archiving moves the file and nothing else; the shell's list leaves it out, and says so; the same key brings it back; with everything in the archive the next start is no demo, and enter on one asks, brings it back, and pi has it", async () => {
	const before = sandbox.fingerprints();
	const bytes = readFileSync(parser);
	const to = join(sandbox.agentDir, "session-archive", basename(dirname(parser)), basename(parser));
	const terminal = await onParser();
	terminal.press("<archive>");
	await terminal.waitFor("Archived “Refactor the parser”");
	await terminal.waitFor("2 sessions · 1 archived");
	expect([existsSync(parser), readFileSync(to).equals(bytes)]).toEqual([false, true]);
	expect(run(sandbox, ["list"])).toMatchObject({
		out: expect.not.stringContaining("Refactor the parser"),
		err: "",
	});
	expect(run(sandbox, ["search", "record"]).out).not.toContain("Refactor");
	expect(run(sandbox, ["search", "record", "is:archived"]).out).toContain("Refactor the parser");
	terminal.press("tab");
	await terminal.waitFor("1 session archived");
	await terminal.waitFor("› Refactor the parser");
	terminal.type("regular");
	await terminal.waitFor("1/1");
	terminal.press("ctrl+u");
	await terminal.waitFor(/◂ (?:leaf|pi goes on here)/);
	terminal.press("<archive>");
	await terminal.waitFor("Brought “Refactor the parser” back");
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: bring “Refactor the parser” back");
	expect([existsSync(parser), existsSync(to)]).toEqual([false, true]);
	// The next start begins in the scope that this one ends in.
	terminal.press("tab", "tab");
	await terminal.waitFor("2 sessions · 1 archived");
	terminal.press("ctrl+c");
	await terminal.exit();

	sandbox.installPi(`printf '%s\\n' "$@" >"$HOME/called"`);
	// What pi would have put there: the whole directory of the sessions.
	renameSync(to, parser);
	rmSync(join(sandbox.agentDir, "session-archive"), { recursive: true });
	renameSync(join(sandbox.agentDir, "sessions"), join(sandbox.agentDir, "session-archive"));
	const next = sandbox.start(["--leave"]);
	await next.waitFor("0 sessions · 3 archived");
	next.press("tab");
	await next.waitFor("3 sessions archived");
	next.type("parser");
	await next.waitFor("1/1");
	next.press("enter");
	await next.waitFor("┌ This session is archived");
	next.press("enter");
	await next.exit();
	expect(readFileSync(join(sandbox.home, "called"), "utf8")).toContain(parser);
	expect(existsSync(parser)).toBe(true);
});

test("a damaged line of the marks is told, and the rest counts; nothing is written by looking", async () => {
	const terminal = await onParser();
	terminal.press("<pin>");
	await terminal.waitFor("Pinned “");
	terminal.press("ctrl+c");
	await terminal.exit();
	const file = join(sandbox.home, "state", "pi-grove", "marks.jsonl");
	const text = `{"version":1,"tok\n{"version":7,"stars":3}\n${readFileSync(file, "utf8")}`;
	writeFileSync(file, text);
	const next = sandbox.start();
	await next.waitFor("Line 1 of");
	await next.waitFor("★ Refactor the parser");
	await next.waitFor("2 problems");
	next.press("ctrl+c");
	await next.exit();
	expect(readFileSync(file, "utf8")).toBe(text);
	expect(readdirSync(dirname(file))).toContain("marks.jsonl");
});

test("a directory that the person chose has its archive inside, where nobody looks for sessions", async () => {
	const mine = dirname(parser);
	const terminal = sandbox.start(["--session-dir", mine]);
	await terminal.waitFor("› Find the retry loop");
	terminal.press("<archive>");
	await terminal.waitFor("Archived “Find the retry loop");
	await terminal.waitFor("1 session · 1 archived");
	expect(readdirSync(join(mine, "session-archive"))).toHaveLength(1);
	expect(existsSync(join(sandbox.agentDir, "session-archive"))).toBe(false);
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: archive “");
	await terminal.waitFor("2 sessions");
	expect(readdirSync(join(mine, "session-archive"))).toEqual([]);
});
