import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

test("PI_GROVE_LOG logs what the browser does, and no text of a session or of a query", async () => {
	const { retry } = threeSessions(sandbox);
	const file = join(sandbox.home, "grove.log");
	const terminal = sandbox.start([], { columns: 160, rows: 40, env: { PI_GROVE_LOG: file } });
	await terminal.waitFor("1/3");
	terminal.type("loop");
	await terminal.waitFor("1/1");
	await expect.poll(() => readFileSync(file, "utf8")).toMatch(/ action loaded .*query="list search"/);
	// The session is read in another thread, and the list and the search do not wait for it.
	await expect.poll(() => readFileSync(file, "utf8")).toMatch(/ end read-session \d+\.\dms session-read\n/);
	const log = readFileSync(file, "utf8");
	expect(log).toMatch(/ action catalog \d+\.\dms event\.type="rows" event\.rows=\[\d\]\n/);
	expect(log).toContain(`path="${retry}"`);
	expect(log).not.toMatch(/loop|client\.ts|parser|検索|newline/i);
});

test("a log that cannot be written is reported, and the browser opens", async () => {
	threeSessions(sandbox);
	const terminal = sandbox.start([], { env: { PI_GROVE_LOG: "/nowhere/at/all.log" } });
	await terminal.waitFor("1/3");
	expect(terminal.written).toContain("pi-grove: cannot write the log of PI_GROVE_LOG: ENOENT");
});
