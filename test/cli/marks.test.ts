import { beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

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
