import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import build from "../support/build.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { InPi } from "./in-pi.ts";
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
	await terminal.waitFor(/◂ (end|pi)/);
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

describe("with the extension", () => {
	let pi: InPi;
	beforeEach(async () => {
		pi = new InPi();
		await pi.model.start(pi.agentDir);
	});
	afterEach(() => pi.remove());

	const notes = (): string => join(pi.home, "state", "pi-grove", "open-in-pi");

	/** The paths that running pis say they have open. */
	function noted(): (string | null)[] {
		const names = existsSync(notes()) ? readdirSync(notes()) : [];
		return names.map((name) => JSON.parse(readFileSync(join(notes(), name), "utf8")).path);
	}

	test("a pi says which session it has, as it changes: that one is in use, the others of its directory are free", async () => {
		const { retry: first, parser } = pi.sessions;
		const terminal = pi.startPi(["-e", pi.fakePackage(), "--session", first]);
		await waitsInPi(terminal);
		await expect.poll(noted, { timeout: 60_000 }).toEqual([first]);
		const beside = pi.start();
		await beside.waitFor(/^. ● Find the retry loop/m);
		const question = await asked(beside);
		expect(question.resume).toMatch(/pi \(pid \d+, since .*has it open/s);
		expect(question.remove).toContain("In use: this session is not deleted");
		beside.press("down");
		await beside.waitFor("› Refactor the parser");
		beside.press("enter");
		// Without a question: there is no program pi here.
		await beside.waitFor("there is no program");

		pi.plan("choice", { action: "resume", path: parser, cwd: "" });
		terminal.type("/grove\r");
		await terminal.waitFor("BROWSER", 60_000);
		terminal.type("c");
		await expect.poll(noted, { timeout: 60_000 }).toEqual([parser]);
		await beside.waitFor(/^. ● Refactor the parser/m);
		beside.press("up");
		await beside.waitFor("› Find the retry loop");
		beside.press("ctrl+d");
		const free = await beside.waitFor("Move this session to the trash?");
		expect(free).not.toContain("cannot be seen");
		beside.press("escape");

		terminal.type("/new\r");
		await expect.poll(noted, { timeout: 60_000 }).not.toEqual([parser]);
		await expect.poll(() => noted().length, { timeout: 60_000 }).toBe(1);
		process.kill(pi.piPid, "SIGKILL");
		await beside.waitFor((screen) => !/^. ● /m.test(screen));
		// Who reads the note of a process that has ended removes it.
		await expect.poll(noted, { timeout: 60_000 }).toEqual([]);

		const second = pi.startPi(["-e", pi.fakePackage(), "--session", first]);
		await waitsInPi(second);
		await expect.poll(noted, { timeout: 60_000 }).toEqual([first]);
		second.press("ctrl+d");
		await expect.poll(noted, { timeout: 60_000 }).toEqual([]);
	}, 240_000);
});
