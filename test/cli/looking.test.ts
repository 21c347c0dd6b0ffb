import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Sandbox, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** Files that pi or another program would repair, convert or refuse when it opens them. */
function oddFiles(sandbox: Sandbox, directory: string): void {
	mkdirSync(directory, { recursive: true });
	const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(directory, name), content);
	write("empty.jsonl", "");
	write("no-session.jsonl", '{"some":"thing else"}\n');
	write(
		"old.jsonl",
		'{"type":"session","id":"old","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/old"}\n{"type":"message","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"a question of version one"}}\n',
	);
	write(
		"no-newline.jsonl",
		`{"type":"session","version":3,"id":"n","timestamp":"2025-01-01T00:00:00.000Z","cwd":"${sandbox.home}"}\n{"type":"message","id":"a","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"no newline at the end"}}`,
	);
	write(
		"latin1.jsonl",
		Buffer.from(
			'{"type":"session","version":3,"id":"l","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/l"}\n{"type":"message","id":"a","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"caf\xe9"}}\n',
			"latin1",
		),
	);
	write(
		"escape.jsonl",
		`${JSON.stringify({ type: "session", version: 3, id: "e", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/e" })}\n${JSON.stringify({ type: "message", id: "a", parentId: null, timestamp: "2025-01-01T00:00:01.000Z", message: { role: "user", content: "\x1b[2J\x1b]0;owned\x07\x1b[31mshouting" } })}\n`,
	);
}

test("every damaged file is a row with its reason, the others still work, and nothing in one reaches the terminal as an escape sequence; a tour of the whole interface changes no byte and no time of any session file", async () => {
	const { parser } = threeSessions(sandbox);
	appendFileSync(parser, '{"type":"message","id":"torn');
	oddFiles(sandbox, join(sandbox.agentDir, "sessions", "--odd--"));
	const before = sandbox.fingerprints();
	expect(before.size).toBe(9);

	const terminal = sandbox.start();
	await terminal.waitFor(/\d damaged {2}9 sessions/);
	const screen = await terminal.waitFor("empty.jsonl");
	expect(screen).toContain("no-session.jsonl");
	expect(screen).toContain("Refactor the parser");
	terminal.type("shouting");
	await terminal.waitFor("1/1");
	await terminal.waitFor((now) => now.split("shouting").length > 3);
	terminal.press("escape");
	await terminal.waitFor("❯ type to search");
	// The first rows are no sessions: the cursor begins behind them.
	terminal.press("home");
	await terminal.waitFor("1/9");
	for (let step = 0; step < 9; step++) {
		terminal.press("down");
		await terminal.waitFor(`${Math.min(step + 2, 9)}/9`);
		terminal.press("right", "up", "down", "right", "pageDown", "left", "left");
	}
	terminal.press("ctrl+s");
	await terminal.waitFor("┌ Sort");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Sort"));
	terminal.press("ctrl+n", "ctrl+n", "ctrl+p", "ctrl+p", "tab", "tab");
	for (const query of ["parser", '"a question"', "re:caf.", "nothing like this"]) {
		terminal.type(query);
		await terminal.waitFor(`❯ ${query}`);
		terminal.press("escape");
		await terminal.waitFor("❯ type to ");
	}
	terminal.press("ctrl+k");
	await terminal.waitFor("┌ Commands");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Commands"));
	terminal.press("ctrl+d");
	await terminal.waitFor("┌ Move this session to the trash?");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Move this session to the trash?"));
	terminal.press("ctrl+r");
	await terminal.waitFor(/┌ Rename/);
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Rename"));
	terminal.resize(80, 24);
	await terminal.waitFor((screen) => screen.split("\n").length === 24);
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
	expect(terminal.written).not.toContain("\x1b]0;");
	expect(terminal.written).not.toContain("owned");
	expect(sandbox.fingerprints()).toEqual(before);
});
