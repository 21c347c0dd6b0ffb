import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { caseCount, inLong, inShort } from "../support/cases.ts";
import { isAlive } from "../support/processes.ts";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

const before = Array.from({ length: 100 }, (_, index) => `line ${index} of the shell`);

/** Opens the browser from a shell, which records the terminal's modes before and after it. */
async function opened(atSignal = ""): Promise<TestTerminal> {
	const preload = join(sandbox.home, "preload.mjs");
	writeFileSync(
		preload,
		`import { writeFileSync } from "node:fs";
		import { isMainThread } from "node:worker_threads";
		if (isMainThread) {
			writeFileSync(${JSON.stringify(join(sandbox.home, "pid"))}, String(process.pid));
			process.on("SIGUSR2", () => { ${atSignal} });
		}`,
	);
	const script = 'stty -g >"$HOME/before"; "$@"; code=$?; stty -g >"$HOME/after"; exit $code';
	const terminal = sandbox.start([], { before, nodeArgs: ["--import", preload], within: ["sh", "-c", script, "sh"] });
	await terminal.waitFor("3 sessions");
	expect(await terminal.isFullScreen()).toBe(true);
	expect(terminal.written).toContain("\x1b[?1000h\x1b[?1002h\x1b[?1006h");
	return terminal;
}

function signal(name: NodeJS.Signals): void {
	process.kill(Number(readFileSync(join(sandbox.home, "pid"), "utf8")), name);
}

/** The state of the program's process, as `ps` shows it: "T" is stopped. */
function stateOf(): string {
	const pid = readFileSync(join(sandbox.home, "pid"), "utf8");
	return spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.charAt(0);
}

/** Raw mode, bracketed paste and a hidden cursor would outlive a program that does not restore them. */
async function expectRestored(terminal: TestTerminal): Promise<void> {
	const modes = (name: string): string => readFileSync(join(sandbox.home, name), "utf8");
	expect(modes("after")).toBe(modes("before"));
	expect(await terminal.isFullScreen()).toBe(false);
	expect((await terminal.history()).slice(0, before.length)).toEqual(before);
	expect(terminal.written).not.toContain("\x1b[3J");
	expect(lastOf(terminal.written, "\x1b[?25h", "\x1b[?25l")).toBe("\x1b[?25h");
	expect(lastOf(terminal.written, "\x1b[?2004l", "\x1b[?2004h")).toBe("\x1b[?2004l");
	for (const mode of [1000, 1002, 1004, 1006])
		expect(lastOf(terminal.written, `\x1b[?${mode}l`, `\x1b[?${mode}h`)).toBe(`\x1b[?${mode}l`);
	expect(lastOf(terminal.written, "\x1b[?2026l", "\x1b[?2026h")).toBe("\x1b[?2026l");
}

function lastOf(text: string, ...sequences: readonly string[]): string | undefined {
	return sequences.toSorted((a, b) => text.lastIndexOf(b) - text.lastIndexOf(a))[0];
}

/** At a time. */
const TERMINALS = inLong([0, 1, 2, 3], [0, 1]);
/** In each of the terminals. */
const ROUNDS = caseCount(1, 4);

// Node may wait in `process.exit` for a thread that compiles, while that thread waits for a collection of garbage. It happened
// in one of fifty of these.
test("Ctrl+C as soon as an empty cache is filled, in several terminals at a time", async () => {
	async function leaveOften(window: number): Promise<void> {
		for (let time = 0; time < ROUNDS; time++) {
			const env = { XDG_CACHE_HOME: join(sandbox.home, `cache-${window}-${time}`) };
			const terminal = sandbox.start([], { env });
			await terminal.waitFor("1/3");
			terminal.press("ctrl+c");
			expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
		}
	}
	await Promise.all(TERMINALS.map(leaveOften));
});

const SIGNALS = [
	["SIGHUP", 129],
	["SIGTERM", 143],
	["SIGINT", 130],
] as const;

test.each(inShort(SIGNALS, ([name]) => name === "SIGHUP"))("%s ends it with %i", async (name, code) => {
	const terminal = await opened();
	signal(name);
	expect(await terminal.exit()).toEqual({ code, signal: undefined });
	await expectRestored(terminal);
});

const BUGS = [
	["an exception while drawing", `String.prototype.repeat = () => { throw new Error("broken on purpose"); };`],
	["a rejection that nobody handles", `Promise.reject(new Error("broken on purpose"));`],
	["an exception outside of drawing", `setTimeout(() => { throw new Error("broken on purpose"); }, 0);`],
] as const;

test.each(inShort(BUGS, (_bug, index) => index < 2))("%s", async (_, code) => {
	const terminal = await opened(code);
	signal("SIGUSR2");
	terminal.press("down");
	expect(await terminal.exit()).toEqual({ code: 70, signal: undefined });
	await expectRestored(terminal);
	const shown = (await terminal.history()).join("\n");
	expect(shown).toContain("pi-grove: a bug ended the browser");
	expect(shown).toContain("Error: broken on purpose");
	expect(shown).toMatch(/\n\s+at /);
});

test("closing the terminal window ends the program, and nothing is left behind", async () => {
	// Another process holds the terminal, and closes it by exiting.
	const holder = `
		import { spawn } from "@lydell/node-pty";
		const terminal = spawn(process.execPath, [process.argv[1], "--demo"], { cols: 100, rows: 30 });
		let written = "";
		terminal.onData((data) => {
			written += data;
			if (!written.includes("1 of 5")) return;
			console.log(terminal.pid);
			process.exit();
		});`;
	const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", holder, programPath], {
		encoding: "utf8",
		env: { ...process.env, ...sandbox.env },
	});
	const pid = Number(stdout);
	expect(pid).toBeGreaterThan(1);
	await expect.poll(() => isAlive(pid)).toBe(false);
	expect(readdirSync(join(sandbox.home, "tmp"))).toEqual([]);
});

test("after SIGTSTP and SIGCONT the screen is drawn again", async () => {
	const terminal = await opened();
	signal("SIGTSTP");
	await terminal.waitFor((screen) => !screen.includes("3 sessions"));
	expect(await terminal.isFullScreen()).toBe(false);
	// Continued before it has stopped, it would stop for good.
	await expect.poll(stateOf).toBe("T");
	signal("SIGCONT");
	await terminal.waitFor("3 sessions");
	expect(await terminal.isFullScreen()).toBe(true);
	terminal.press("down");
	await terminal.waitFor("2/3");
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
	await expectRestored(terminal);
});
