import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import build from "../support/build.ts";
import { fingerprint } from "../support/fingerprint.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { InPi, PACKAGE } from "./in-pi.ts";

/** The browser in the real pi, as a person uses it: `pi -e` with the folder of the package. */

beforeAll(build);

let pi: InPi;
beforeEach(async () => {
	pi = new InPi();
	await pi.model.start(pi.agentDir);
});
afterEach(() => pi.remove());

const PI_MS = 60_000;
const TEST_MS = 180_000;

async function startPi(...args: readonly string[]): Promise<TestTerminal> {
	const terminal = pi.startPi(["-e", PACKAGE, "--session", pi.sessions.retry, ...args], { columns: 150 });
	await terminal.waitFor((screen) => /^~\/work\/api/m.test(screen) && screen.includes("It is in client.ts."), PI_MS);
	return terminal;
}

async function openBrowser(terminal: TestTerminal, command: string, shown: string | RegExp): Promise<void> {
	terminal.type(`${command}\r`);
	await terminal.waitFor(shown, PI_MS);
}

/** Presses the keys that end the browser, and waits until pi reads the keys again. */
async function backToPi(terminal: TestTerminal, ...keys: readonly string[]): Promise<void> {
	const before = terminal.written.length;
	terminal.press(...keys);
	// Both draw on the other screen; the browser leaves it before pi takes the keys.
	await terminal.waitFor(() => {
		const left = terminal.written.indexOf("\x1b[?1049l", before);
		return left !== -1 && terminal.written.includes("\x1b[?2004h", left);
	}, PI_MS);
}

async function answered(path: string, prompt: string): Promise<void> {
	await expect.poll(() => readFileSync(path, "utf8"), { timeout: PI_MS }).toContain(prompt);
	await expect.poll(() => pi.entries(path).at(-1)?.message?.role, { timeout: PI_MS }).toBe("assistant");
}

test.each(["fullscreen", "regular"])(
	"left without a choice, pi has its %s screen, what was above it, and its session as they were",
	async (mode) => {
		const terminal = await startPi("--tui-mode", mode);
		const everything = async () => ({ screen: await terminal.screen(), above: await terminal.history() });
		const before = await everything();
		const file = fingerprint(pi.sessions.retry);
		for (const keys of [["escape"], ["down", "right", "ctrl+q"]]) {
			await openBrowser(terminal, "/grove", "3 sessions");
			await terminal.waitFor(/● Find the retry loop +open here/);
			await backToPi(terminal, ...keys);
			await expect.poll(everything).toEqual(before);
		}
		expect(fingerprint(pi.sessions.retry)).toBe(file);
	},
	TEST_MS,
);

test(
	"the open session is renamed through pi; an entry of it, and another project's session, are gone to",
	async () => {
		const { retry, site } = pi.sessions;
		const terminal = await startPi();
		await openBrowser(terminal, "/grove retry", /● Find the retry loop +open here/);
		await terminal.waitFor("1 of 3");
		terminal.press("ctrl+r");
		await terminal.waitFor("┌ Rename");
		terminal.type("The retry loop\r");
		await terminal.waitFor("› ● The retry loop");
		expect(pi.entries(retry).at(-1)).toMatchObject({ type: "session_info", name: "The retry loop" });
		await backToPi(terminal, "ctrl+c");
		await terminal.waitFor("~/work/api • The retry loop");

		await openBrowser(terminal, "/grove tree", "◂ pi continues here");
		terminal.press("alt+up");
		await terminal.waitFor("›● Find the retry loop");
		terminal.press("enter");
		await terminal.waitFor("› Rewind to before this prompt, and reword it");
		await backToPi(terminal, "enter");
		await terminal.waitFor("Summarize branch?", PI_MS);
		terminal.press("enter");
		await terminal.waitFor("Navigated to selected point", PI_MS);
		// pi has put the prompt into the editor.
		terminal.type(" once more\r");
		await answered(retry, "Find the retry loop once more");
		expect(pi.pathOf(retry, "Find the retry loop once more").map(({ id }) => id)).not.toContain("00020001");

		await openBrowser(terminal, "/grove", "3 sessions");
		terminal.press("end");
		await terminal.waitFor("› 検索を日本語に対応させて");
		await backToPi(terminal, "enter");
		await terminal.waitFor(/^~\/work\/site/m, PI_MS);
		const left = fingerprint(retry);
		terminal.type("Go on in the other project\r");
		await answered(site, "Go on in the other project");
		expect(pi.model.requests.at(-1)).toContain("対応しました。");
		expect(fingerprint(retry)).toBe(left);
		terminal.press("ctrl+d");
		expect((await terminal.exit(PI_MS)).code).toBe(0);
	},
	TEST_MS,
);
