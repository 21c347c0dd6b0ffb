import { spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprint } from "../support/fingerprint.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { InPi } from "./in-pi.ts";
import { IS_NEWEST, PI_PROGRAM, PI_VERSION } from "./pi-program.ts";

/** The extension alone in the real pi: a small program stands for the browser (`fake-browser.mjs`). */

let pi: InPi;
beforeEach(async () => {
	pi = new InPi();
	await pi.model.start(pi.agentDir);
});
afterEach(() => pi.remove());

const PI_MS = 60_000;
const TEST_MS = 180_000;

/** Starts pi on the session about the retry loop. */
async function startPi(...args: readonly string[]): Promise<TestTerminal> {
	const terminal = pi.startPi(["-e", pi.fakePackage(), "--session", pi.sessions.retry, ...args]);
	await terminal.waitFor((screen) => /^~\/work\/api/m.test(screen) && screen.includes("It is in client.ts."), PI_MS);
	return terminal;
}

async function openBrowser(terminal: TestTerminal, command = "/grove"): Promise<void> {
	terminal.type(`${command}\r`);
	await terminal.waitFor("BROWSER", PI_MS);
}

/** Presses a key that ends the browser, and waits until pi reads the keys again. */
async function leaveBrowser(terminal: TestTerminal, key: string): Promise<void> {
	const before = terminal.written.length;
	terminal.type(key);
	await terminal.waitFor(() => terminal.written.includes("\x1b[?2004h", before), PI_MS);
}

/** Chooses in the browser, and waits for what is on pi's screen then. */
async function choose(terminal: TestTerminal, choice: object, then: string | RegExp): Promise<string> {
	pi.plan("choice", choice);
	await openBrowser(terminal);
	await leaveBrowser(terminal, "c");
	return terminal.waitFor(then, PI_MS);
}

/** Asks pi something from the browser, and leaves it with the answer. */
async function ask(terminal: TestTerminal, request: object): Promise<string> {
	pi.plan("request", request);
	await openBrowser(terminal);
	terminal.type("r");
	const screen = await terminal.waitFor(/\{"answer":.*\}/);
	await leaveBrowser(terminal, "q");
	return /\{"answer":.*\}/.exec(screen)?.[0] ?? "";
}

/** Prompts, and waits for the answer. */
async function prompt(terminal: TestTerminal, text: string, path: string): Promise<void> {
	terminal.type(`${text}\r`);
	await expect.poll(() => readFileSync(path, "utf8"), { timeout: PI_MS }).toContain(text);
	await expect.poll(() => pi.entries(path).at(-1)?.message?.role, { timeout: PI_MS }).toBe("assistant");
}

/** Waits until pi has ended, and the terminal's modes are ordinary; returns the screen. */
async function endOf(terminal: TestTerminal): Promise<string> {
	await terminal.exit(PI_MS);
	const screen = async (): Promise<string> => (await terminal.screen()).join("\n");
	await expect.poll(screen).toMatch(/[^-]icanon/);
	return screen();
}

/** What a person could scroll back to, with the screen. */
const everything = async (terminal: TestTerminal) => ({
	screen: await terminal.screen(),
	above: await terminal.history(),
});

test.each(["fullscreen", "regular"])(
	"it opens on the open session, and leaves pi, its %s screen and its session as they were",
	async (mode) => {
		const terminal = await startPi("--tui-mode", mode);
		const before = await everything(terminal);
		const file = fingerprint(pi.sessions.retry);
		expect(await terminal.isFullScreen()).toBe(mode === "fullscreen");

		for (const [command, argv, opens] of [
			["/grove", [], undefined],
			["/grove tree", ["--", pi.sessions.retry], undefined],
			["/grove changes", ["--", pi.sessions.retry], "changes"],
			["/grove  parser role:user ", ["--query", "parser role:user"], undefined],
		] as const) {
			await openBrowser(terminal, command);
			expect(pi.started()).toMatchObject({
				argv,
				host: {
					protocol: 1,
					pi: PI_VERSION,
					busy: false,
					...(opens && { opens }),
					open: { path: pi.sessions.retry, leaf: pi.entries(pi.sessions.retry).at(-1)?.id },
				},
			});
			await leaveBrowser(terminal, "\x03");
			await expect.poll(() => everything(terminal)).toEqual(before);
		}
		const { theme } = pi.started().host;
		if (PI_VERSION === "0.87.1") expect(theme).toBeUndefined();
		else expect(theme?.colors.accent).toSatisfy((color) => typeof color === "number" || /^#[\da-f]{6}$/.test(color));

		// The same when the browser ends badly.
		await openBrowser(terminal);
		await leaveBrowser(terminal, "k");
		await terminal.waitFor("pi-grove ended with SIGKILL.");
		await openBrowser(terminal);
		await leaveBrowser(terminal, "x");
		await terminal.waitFor(/pi-grove ended with exit code 2\. pi-grove: something is in the way/);
		expect((await terminal.history()).slice(0, 60)).toEqual(before.above.slice(0, 60));
		expect(fingerprint(pi.sessions.retry)).toBe(file);

		await prompt(terminal, "Go on here", pi.sessions.retry);
		terminal.press("ctrl+d");
		expect(await endOf(terminal)).toContain("pi ended with 0");
		expect(await terminal.isFullScreen()).toBe(false);
	},
	TEST_MS,
);

test(
	"what is chosen is done: another project's session, an entry, a fork, a text, a reference; nothing that ends pi",
	async () => {
		const { parser, retry, site } = pi.sessions;
		const terminal = await startPi();

		// Of the open session: a name, a label, and what is not possible.
		expect(await ask(terminal, { request: 1, action: "rename", name: "Called so" })).toBe('{"answer":1}');
		const [first] = pi.entries(retry);
		const request = { request: 2, action: "label", entryId: first?.id, label: "here" };
		expect(await ask(terminal, request)).toBe('{"answer":2}');
		expect(await ask(terminal, { ...request, request: 3, entryId: "none" })).toContain('"error":"pi has no such entry');
		expect(await ask(terminal, { request: 4, action: "other" })).toContain('"error"');
		expect(pi.entries(retry).slice(-2)).toMatchObject([
			{ type: "session_info", name: "Called so" },
			{ type: "label", targetId: first?.id, label: "here" },
		]);

		// What would end pi, or what it does not know.
		const text = join(pi.home, "text.jsonl");
		writeFileSync(text, "This is no session.\n");
		const empty = join(pi.home, "empty.jsonl");
		writeFileSync(empty, "");
		await choose(terminal, { action: "resume", path: join(pi.home, "gone.jsonl"), cwd: "" }, "it no longer exists");
		await choose(terminal, { action: "resume", path: text, cwd: "" }, "it does not begin with the header of a session");
		await choose(terminal, { action: "resume", path: empty, cwd: "" }, "it is empty");
		await choose(terminal, { action: "resume", path: pi.home, cwd: "" }, "it is not a regular file");
		await choose(terminal, { action: "resume", path: retry, cwd: "" }, "This session is already open here.");
		await choose(terminal, { action: "goto", path: retry, entryId: "none" }, "The session has no entry none.");
		await choose(terminal, { action: "goto", path: site, entryId: "00030000" }, "is no longer open here");
		const answer = pi.entries(retry).find(({ message }) => message?.role === "assistant")?.id;
		const fork = { action: "fork", path: retry, entryId: answer, position: "before" };
		await choose(terminal, fork, "Only a prompt can be left out of a fork.");

		// An entry: pi's question, then pi continues from there. Going back to a prompt puts it into the editor.
		await choose(terminal, { action: "goto", path: retry, entryId: answer }, "Summarize branch?");
		terminal.press("escape");
		await terminal.waitFor((screen) => !screen.includes("Summarize branch?"));
		await choose(terminal, { action: "goto", path: retry, entryId: answer }, "Summarize branch?");
		terminal.press("enter");
		await terminal.waitFor("Navigated to selected point");
		await prompt(terminal, "And now from here", retry);
		const path = pi.pathOf(retry, "And now from here");
		expect(path.map(({ id }) => id)).toContain(answer);
		expect(path.map(({ type }) => type)).not.toContain("label");

		// Texts for the editor; a draft stays.
		await choose(terminal, { action: "edit", text: "A prompt of old\x1b[2J" }, "A prompt of old");
		terminal.press("ctrl+u");
		await terminal.waitFor((screen) => !screen.includes("A prompt of old"));
		await choose(terminal, { action: "reference", path: site, text: "session 0003#1 (site)" }, "session 0003#1 (site)");
		terminal.press("ctrl+u");
		await terminal.waitFor((screen) => !screen.includes("session 0003#1"));

		// A new session, which gets the text for its first prompt.
		await choose(terminal, { action: "new", text: "# Digest: of old" }, "# Digest: of old");
		terminal.press("ctrl+u");
		await terminal.waitFor((screen) => !screen.includes("# Digest: of old"));
		await choose(terminal, { action: "resume", path: retry, cwd: "" }, /And now from here/);

		// A fork: a new file, and pi goes on in it.
		await choose(terminal, { action: "fork", path: retry, entryId: answer, position: "at" }, "Forked to new session");
		const forks = (): string[] => readdirSync(dirname(retry)).filter((name) => !/_session-000/.test(name));
		await expect.poll(forks).toHaveLength(1);

		// Another project's session, then an entry of a third one with a text to say again.
		await choose(terminal, { action: "resume", path: site, cwd: "" }, /^~\/work\/site/m);
		const before = fingerprint(retry);
		await prompt(terminal, "Go on in the other project", site);
		expect(pi.model.requests.at(-1)).toContain("対応しました。");
		expect(fingerprint(retry)).toBe(before);
		await choose(terminal, { action: "goto", path: site, entryId: "00030001" }, "Summarize branch?");
		terminal.press("down", "enter");
		await expect.poll(() => pi.entries(site).map(({ type }) => type), { timeout: PI_MS }).toContain("branch_summary");
		await terminal.waitFor("Navigated to selected point");
		const third = { action: "resume", path: parser, cwd: "", entryId: "00010001", text: "Say it again" };
		await choose(terminal, third, "Summarize branch?");
		terminal.press("enter");
		await terminal.waitFor(/^~\/work\/api/m, PI_MS);
		await terminal.waitFor("Say it again");
		terminal.press("enter");
		await expect.poll(() => pi.entries(parser).at(-1)?.message?.role, { timeout: PI_MS }).toBe("assistant");
		const again = pi.pathOf(parser, "Say it again").map(({ id }) => id);
		expect(again).toEqual(expect.arrayContaining(["00010001", "00010000"]));
		expect(again).not.toContain("00010002");
		terminal.press("ctrl+d");
		expect(await endOf(terminal)).toContain("pi ended with 0");
	},
	TEST_MS,
);

test(
	"while a turn is running the browser knows it; another session stops it, and what was said is kept",
	async () => {
		const { retry, site } = pi.sessions;
		const terminal = await startPi();
		terminal.type("Answer slowly\r");
		await terminal.waitFor("Heard you.", PI_MS);
		await openBrowser(terminal);
		await terminal.waitFor("busy true");
		pi.model.finish();
		await terminal.waitFor(/"busy":false.*"leaf":"/, PI_MS);
		expect(pi.entries(retry).at(-1)).toMatchObject({ message: { role: "assistant", stopReason: "stop" } });
		await leaveBrowser(terminal, "q");
		await terminal.waitFor("That is all.");

		// It is not sent to an entry before the turn has ended.
		terminal.type("Once more slowly\r");
		await expect.poll(() => pi.model.requests.length).toBe(2);
		const [first] = pi.entries(retry);
		const goto = { action: "goto", path: retry, entryId: first?.id };
		expect(await choose(terminal, goto, "when the running turn has ended")).not.toContain("Summarize branch?");
		pi.model.finish();
		await terminal.waitFor("Summarize branch?", PI_MS);
		terminal.press("enter");
		await terminal.waitFor("Navigated to selected point", PI_MS);
		// The first prompt is in the editor now, as in pi's own tree.
		terminal.press("ctrl+u");
		terminal.type("A third time slowly\r");
		await terminal.waitFor("Heard you.", PI_MS);
		await choose(terminal, { action: "resume", path: site, cwd: "" }, /^~\/work\/site/m);
		expect(pi.entries(retry).findLast(({ message }) => message?.role === "assistant")?.message?.stopReason).toBe(
			"aborted",
		);
		await prompt(terminal, "Go on in the other project", site);
	},
	TEST_MS,
);

test(
	"a key of the person's choice opens it and leaves the draft alone; pi --grove starts in it; it is said what is missing",
	async () => {
		writeFileSync(join(pi.agentDir, "keybindings.json"), '{"pi-grove.open": ["alt+g"]}');
		const terminal = await startPi("--grove");
		await terminal.waitFor("BROWSER", PI_MS);
		await leaveBrowser(terminal, "q");
		terminal.type("half a thou");
		await terminal.waitFor("half a thou");
		terminal.press("alt+g");
		await terminal.waitFor("BROWSER", PI_MS);
		pi.plan("choice", { action: "reference", path: pi.sessions.site, text: "ght" });
		await leaveBrowser(terminal, "c");
		await terminal.waitFor("half a thought");
		terminal.press("ctrl+u");
		pi.takeBrowserAway();
		terminal.type("/grove\r");
		await terminal.waitFor("this pi-grove is not built");
	},
	TEST_MS,
);

test(
	"a session without a file has no tree until it has one; a person may write what a summary is about, or want none",
	async () => {
		const terminal = pi.startPi(["-e", pi.fakePackage()]);
		// What was loaded is shown when pi begins to take commands.
		await terminal.waitFor((screen) => screen.includes("grove.ts") && screen.includes("small"), PI_MS);
		await openBrowser(terminal);
		expect(pi.started().host.open.path).toBeUndefined();
		await leaveBrowser(terminal, "q");
		terminal.type("/grove tree\r");
		await terminal.waitFor("This session has no file yet");
		for (const text of ["First of all", "Then this"]) {
			terminal.type(`${text}\r`);
			await terminal.waitFor((screen) => screen.split(text).at(-1)?.includes("That is all.") === true, PI_MS);
		}
		await openBrowser(terminal, "/grove tree");
		const { path = "" } = pi.started().host.open;
		expect(pi.started().argv).toEqual(["--", path]);
		const answer = pi.entries(path).find(({ message }) => message?.role === "assistant");
		await leaveBrowser(terminal, "q");

		await choose(terminal, { action: "goto", path, entryId: answer?.id }, "Summarize branch?");
		terminal.press("down", "down", "enter");
		await terminal.waitFor("Custom summarization instructions");
		terminal.press("escape");
		await terminal.waitFor("Summarize branch?");
		terminal.press("down", "down", "enter");
		await terminal.waitFor("Custom summarization instructions");
		terminal.type("Only the numbers\r");
		await expect.poll(() => pi.model.requests.at(-1), { timeout: PI_MS }).toContain("Only the numbers");
		await terminal.waitFor("Navigated to selected point", PI_MS);
		expect(pi.entries(path).map(({ type }) => type)).toContain("branch_summary");

		// Only newer ones tell extensions what the person has set.
		if (PI_VERSION === "0.87.1") return;
		const settings = join(pi.agentDir, "settings.json");
		const own = JSON.parse(readFileSync(settings, "utf8"));
		writeFileSync(settings, JSON.stringify({ ...own, branchSummary: { skipPrompt: true } }));
		terminal.type("/reload\r");
		await terminal.waitFor(/Reloaded/, PI_MS);
		const root = pi.entries(path).find(({ message }) => message?.role === "user");
		await choose(terminal, { action: "goto", path, entryId: root?.id }, "First of all");
		await expect.poll(async () => (await terminal.screen()).join("\n")).toMatch(/─\nFirst of all\n─/);
	},
	TEST_MS,
);

test(
	"meanwhile: ctrl+c before the browser reads the keys, a question of a tool, an end of pi; then the terminal is in order",
	async () => {
		const extension = join(pi.home, "ask.ts");
		writeFileSync(
			extension,
			`export default (pi) => pi.on("agent_end", async (_event, ctx) => {
				ctx.ui.notify("Answered " + (await ctx.ui.select("Which one?", ["this", "that"])), "info");
			});`,
		);
		const terminal = await startPi("-e", extension);
		const waits = join(pi.home, "wait");
		writeFileSync(waits, "");
		for (let left = 0; left < 3; left++) {
			const before = terminal.written.length;
			terminal.type("/grove\r");
			await expect.poll(() => pi.hasStarted(), { timeout: PI_MS }).toBe(true);
			terminal.press("ctrl+c");
			const pressed = performance.now();
			await terminal.waitFor(() => terminal.written.includes("\x1b[?2004h", before), PI_MS);
			await terminal.waitFor("It is in client.ts.");
			// A ctrl+c that pi itself still got is its first one: two within half a second end it.
			await expect.poll(() => performance.now() - pressed, { timeout: PI_MS }).toBeGreaterThan(600);
		}
		rmSync(waits);

		terminal.type("Answer slowly\r");
		await terminal.waitFor("Heard you.", PI_MS);
		await openBrowser(terminal);
		await terminal.waitFor("busy true");
		pi.model.finish();
		await expect.poll(() => pi.entries(pi.sessions.retry).at(-1)?.message?.stopReason).toBe("stop");
		await leaveBrowser(terminal, "q");
		await terminal.waitFor("Which one?");
		terminal.press("down", "enter");
		await terminal.waitFor("Answered that");

		await openBrowser(terminal);
		process.kill(pi.piPid, "SIGTERM");
		await endOf(terminal);
		expect(await terminal.isFullScreen()).toBe(false);
	},
	TEST_MS,
);

test(
	"pi itself asks where the directory of a session is gone; old versions and odd directories are opened",
	async () => {
		const gone = pi.session({ project: "work/gone", age: 50, messages: [{ role: "user", text: "Was here once" }] });
		rmSync(join(pi.home, "work/gone"), { recursive: true });
		const odd = pi.session({ project: "work/odd", age: 40, messages: [{ role: "user", text: "In no directory" }] });
		rmSync(join(pi.home, "work/odd"), { recursive: true });
		writeFileSync(join(pi.home, "work/odd"), "");
		const old = pi.session({ project: "work/old", age: 60, messages: [{ role: "user", text: "Long ago" }] });
		const lines = readFileSync(old, "utf8")
			.replace('"version":3,', "")
			.replaceAll(/"id":"\w{8}","parentId":(null|"\w+"),/g, "");
		writeFileSync(old, lines);
		const terminal = await startPi();

		await choose(terminal, { action: "resume", path: gone, cwd: "" }, /does not exist|no longer exists/i);
		terminal.press("escape");
		await terminal.waitFor("Resume cancelled");
		await choose(terminal, { action: "resume", path: old, cwd: "" }, /^~\/work\/old/m);
		await prompt(terminal, "Go on with the old one", old);
		await choose(terminal, { action: "resume", path: odd, cwd: "" }, "In no directory");
		terminal.press("ctrl+d");
		expect(await endOf(terminal)).toContain("pi ended with 0");
	},
	TEST_MS,
);

test.runIf(IS_NEWEST)(
	"a pi that is one file looks for a Node, and says what to do where there is none; a package that is installed is loaded",
	async () => {
		const program = join(pi.directory("one"), "pi");
		copyFileSync(process.execPath, program);
		const none = pi.directory("none");
		for (const tool of ["stty", "sh", "seq", "tr", "grep"]) symlinkSync(whereIs(tool), join(none, tool));
		const fake = pi.fakePackage();
		const { status } = spawnSync(program, [PI_PROGRAM, "install", fake], {
			env: { ...process.env, ...pi.env, PI_OFFLINE: "1" },
		});
		expect(status).toBe(0);
		const terminal = pi.startPi(["--session", pi.sessions.retry], { env: { PATH: none } }, program);
		await terminal.waitFor("It is in client.ts.", PI_MS);
		terminal.type("/grove\r");
		await terminal.waitFor(/the browser needs Node 22\.19 or newer, and there is no node in\s+the PATH/, PI_MS);

		writeFileSync(join(none, "node"), `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
		await openBrowser(terminal);
		await leaveBrowser(terminal, "q");
	},
	TEST_MS,
);

function whereIs(tool: string): string {
	return spawnSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).stdout.trim();
}
