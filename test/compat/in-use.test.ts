import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import build from "../support/build.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { PiSandbox, waitsInPi } from "./real-pi.ts";

/** The real pi, waiting in a terminal, and pi-grove beside it. */

beforeAll(build);

let sandbox: PiSandbox;
let retry: string;
beforeEach(() => {
	sandbox = new PiSandbox();
	retry = sandbox.sessions.retry;
});
afterEach(() => sandbox.remove());

async function browser(): Promise<TestTerminal> {
	const terminal = sandbox.start();
	await terminal.waitFor("◂ leaf");
	return terminal;
}

/** What the browser says to enter, and to ctrl+d, on the session. */
async function asked(terminal: TestTerminal): Promise<{ readonly resume: string; readonly remove: string }> {
	terminal.press("enter");
	const resume = await terminal.waitFor(/┌ This session (is|may be) in use/);
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ This session"));
	terminal.press("ctrl+d");
	const remove = await terminal.waitFor(/┌ (In use|Move this session)/);
	terminal.press("escape");
	await terminal.waitFor((screen) => !/┌ (In use|Move this session)/.test(screen));
	return { resume, remove };
}

test("a session that an idle pi was given by pi-grove is in use, until that pi ends", async () => {
	const first = await browser();
	first.press("enter");
	await waitsInPi(first);
	const pid = sandbox.piPid;
	expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("--session");
	const second = await browser();
	await second.waitFor(/^. ● Find the retry loop/m);
	const { resume, remove } = await asked(second);
	expect(resume).toContain(`pi (pid ${pid}, since `);
	expect(resume).toContain("› Open a copy");
	expect(remove).toContain("In use: this session is not deleted");
	expect(remove).toContain(`pi (pid ${pid}, since `);
	expect(existsSync(retry)).toBe(true);

	first.press("ctrl+d");
	await first.waitFor("3 sessions");
	await second.waitFor((screen) => !/^. ● Find/m.test(screen));
	second.press("enter");
	await waitsInPi(second);
});

test("one that a person gave to an idle pi is asked about, and never deleted without a word", async () => {
	const pi = sandbox.start([], { within: ["sh", "-c", 'cd "$HOME/work/api" && exec pi --session "$0"', retry] });
	await waitsInPi(pi);
	const { resume, remove } = await asked(await browser());
	for (const text of [resume, remove]) expect(text).toContain(`pi (pid ${sandbox.piPid}, since `);
	expect(remove).toMatch(/› (Cancel|Close)/);
	expect(existsSync(retry)).toBe(true);
});
