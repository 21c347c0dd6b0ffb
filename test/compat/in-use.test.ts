import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import build from "../support/build.ts";
import { isAlive } from "../support/processes.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

/** The real pi, waiting in a terminal, and pi-grove beside it. */

const PROGRAMS: Readonly<Record<string, string>> = {
	"0.87.1": "node_modules/@earendil-works/pi-coding-agent/dist/cli.js",
	"1.5.2": "pi-1.5.2/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
};
const program = join(import.meta.dirname, PROGRAMS[process.env.PI_VERSION ?? "0.87.1"] ?? "");

beforeAll(build);

let sandbox: Sandbox;
let retry: string;
beforeEach(() => {
	sandbox = new Sandbox();
	const sessions = threeSessions(sandbox);
	retry = sessions.retry;
	for (const path of Object.values(sessions)) {
		writeFileSync(path, readFileSync(path, "utf8").replaceAll('"role":"assistant"', ANSWERED));
		// Long before any pi of these tests was started.
		utimesSync(path, 0, 0);
	}
	expect(existsSync(program)).toBe(true);
	sandbox.installPi(`
		export PI_OFFLINE=1 PI_SKIP_VERSION_CHECK=1
		echo $$ >"$HOME/pi"
		exec ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} "$@"`);
});
afterEach(() => {
	if (existsSync(join(sandbox.home, "pi")) && isAlive(piPid())) process.kill(piPid(), "SIGKILL");
	sandbox.remove();
});

function piPid(): number {
	return Number(readFileSync(join(sandbox.home, "pi"), "utf8"));
}

/** What pi needs of an answer to show its session. */
const ANSWERED = JSON.stringify({
	role: "assistant",
	api: "none",
	provider: "none",
	model: "none",
	stopReason: "stop",
	usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
}).slice(1, -1);

/** pi shows the session, and the directory in its footer, when it waits. */
async function waitsInPi(terminal: TestTerminal): Promise<void> {
	await terminal.waitFor((screen) => /^~\/work\/api/m.test(screen) && screen.includes("It is in client.ts."), 60_000);
}

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
	expect(readFileSync(`/proc/${piPid()}/cmdline`, "utf8")).not.toContain("--session");
	const second = await browser();
	await second.waitFor(/^. ● Find the retry loop/m);
	const { resume, remove } = await asked(second);
	expect(resume).toContain(`pi (pid ${piPid()}, since `);
	expect(resume).toContain("› Open a copy");
	expect(remove).toContain("In use: this session is not deleted");
	expect(remove).toContain(`pi (pid ${piPid()}, since `);
	expect(existsSync(retry)).toBe(true);

	first.press("ctrl+d");
	await first.exit();
	await second.waitFor((screen) => !/^. ● Find/m.test(screen));
	second.press("enter");
	await waitsInPi(second);
});

test("one that a person gave to an idle pi is asked about, and never deleted without a word", async () => {
	const pi = sandbox.start([], { within: ["sh", "-c", 'cd "$HOME/work/api" && exec pi --session "$0"', retry] });
	await waitsInPi(pi);
	const { resume, remove } = await asked(await browser());
	for (const text of [resume, remove]) expect(text).toContain(`pi (pid ${piPid()}, since `);
	expect(remove).toMatch(/› (Cancel|Close)/);
	expect(existsSync(retry)).toBe(true);
});
