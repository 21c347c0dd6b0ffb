import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../src/catalog/search/find-ripgrep.ts";
import { inLong, inShort } from "../support/cases.ts";
import { isAlive } from "../support/processes.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** A wrapper around ripgrep that records each of its processes. */
async function noted(): Promise<{ env: Record<string, string>; alive: () => number[]; count: () => number }> {
	const { command } = await findRipgrep({});
	const path = join(sandbox.directory("bin"), "noting-rg");
	const log = join(sandbox.home, "pids");
	writeFileSync(log, "");
	writeFileSync(path, `#!/bin/sh\necho $$ >> "${log}"\nexec "${command}" "$@"\n`);
	chmodSync(path, 0o755);
	const pids = () => readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number);
	return { env: { PI_GROVE_RG: path }, count: () => pids().length, alive: () => pids().filter(isAlive) };
}

test("quitting in the middle of a search leaves no ripgrep behind, nor does being killed", async () => {
	const count = inLong(200, 60);
	for (let index = 0; index < count; index++) {
		const text = `needle ${index} ${"the quick brown fox ".repeat(5000)}`;
		sandbox.session({ project: "work/api", age: index, messages: [{ role: "user", text }] });
	}
	const ripgrep = await noted();
	for (const signal of inLong(["SIGTERM", "SIGKILL"] as const, ["SIGTERM"] as const)) {
		const before = ripgrep.count();
		const terminal = sandbox.start([], { env: ripgrep.env });
		await terminal.waitFor(`${count} sessions`);
		terminal.type("quick fox");
		await expect.poll(ripgrep.count).toBeGreaterThan(before + 1);
		terminal.signal(signal);
		await terminal.exit();
		// The ripgrep of a killed browser ends at its broken pipe, or at the end of its batch.
		if (signal === "SIGTERM") expect(ripgrep.alive()).toEqual([]);
		else await expect.poll(ripgrep.alive).toEqual([]);
	}
});

/** Patterns that keep an engine busy: the first ones for ever, if it goes back; the last one takes any engine seconds. */
const HARD = ["re:\\w+@\\w+", "re:.*error.*retry", "re:\\s+$", "re:(a+)+$", "re:[[:alpha:]\\d]{1,900}!"];

/** A first message of base64, and an answer with runs of blanks and millions of letters. */
function longSession(): void {
	const blanks = `${" ".repeat(50_000)}x`.repeat(4);
	const messages = [
		{ role: "user", text: `Y${"aGVsbG8gd29ybGQh".repeat(5_000)}` },
		{ role: "assistant", text: `${blanks}${"a".repeat(inLong(12_000_000, 4_000_000))} !` },
		{ role: "user", text: "the last message" },
	] as const;
	sandbox.session({ project: "work/api", age: 1, messages });
	sandbox.session({ project: "work/api", age: 2, messages: [{ role: "user", text: "short" }] });
}

/** In the test command the first one; the tests of the search itself have the other pane. */
const ENDS = [
	["tree", "ctrl+q"],
	["list", "SIGTERM"],
	["list", "ctrl+c"],
	["tree", "SIGTERM"],
] as const;

describe("whatever pattern is searched", () => {
	test.each(inShort(ENDS, (_, index) => index === 0))("in the %s, %s ends the browser", async (pane, way) => {
		longSession();
		const terminal = sandbox.start([], { columns: 160 });
		await terminal.waitFor("the last message");
		if (pane === "tree") terminal.press("right");
		for (const pattern of HARD) {
			await terminal.waitFor(pane === "tree" ? "/ filter" : "❯ type to search");
			if (pane === "tree") terminal.press("/");
			terminal.type(pattern);
			await terminal.waitFor(`❯ ${pattern}`);
			if (pattern !== HARD.at(-1)) terminal.press("escape");
		}
		if (way === "SIGTERM") terminal.signal(way);
		else terminal.press(way);
		await terminal.exit();
		expect(await terminal.isFullScreen()).toBe(false);
	});
});

test.each(inShort(["SIGINT", "SIGTERM"] as const, (signal) => signal === "SIGINT"))(
	"%s ends a search in the shell in the middle of a long text",
	async (signal) => {
		longSession();
		const ripgrep = await noted();
		const terminal = sandbox.start(["search", "re:[[:alpha:]\\d]{1,900}!"], { env: ripgrep.env });
		// It has reported its lines, which are now compared.
		await expect.poll(() => ripgrep.count() > 1 && ripgrep.alive().length === 0).toBe(true);
		terminal.signal(signal);
		expect((await terminal.exit()).code).not.toBe(1);
	},
);
