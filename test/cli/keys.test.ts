import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

/** Switches the kitty keyboard protocol on and off. */
const PUSH = "\x1b[>5u";
const POP = "\x1b[<u";
/** The order in which the screen was entered and left, and the protocol switched on and off. */
const modes = ({ written }: TestTerminal): string[] =>
	["\x1b[?1049h", "\x1b[?1049l", PUSH, POP]
		.flatMap((mode) =>
			Array.from(written.matchAll(RegExp(mode.replace(/[[?]/g, "\\$&"), "g")), ({ index }) => ({ mode, index })),
		)
		.sort((a, b) => a.index - b.index)
		.map(({ mode }) => ({ "\x1b[?1049h": "enter", "\x1b[?1049l": "leave", [PUSH]: "on", [POP]: "off" })[mode] ?? "");

test("function keys, Alt, Ctrl and letters arrive, and Escape with ctrl+c right after it; all of it writes nothing", async () => {
	const before = sandbox.fingerprints();
	const terminal = sandbox.start();
	await terminal.waitFor("1/3");
	// No shell could continue it.
	terminal.press("ctrl+z");
	terminal.press("down");
	await terminal.waitFor("2/3");
	expect(await terminal.isFullScreen()).toBe(true);
	terminal.press("up");
	await terminal.waitFor("1/3");

	terminal.press("ctrl+k");
	await terminal.waitFor("┌ Commands");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Commands"));
	terminal.press("alt+n");
	await terminal.waitFor("┌ Make a new session");
	terminal.press("ctrl+c");
	await terminal.waitFor((screen) => !screen.includes("┌ Make a new session"));
	terminal.press("right", "<delete>");
	await terminal.waitFor("┌ Move this session to the trash?");
	terminal.press("enter");
	await terminal.waitFor((screen) => !screen.includes("┌ Move this session to the trash?"));
	expect(await terminal.waitFor("/ filter")).toContain("› Find the retry loop");

	// In the tree's filter, letters are text.
	terminal.type("/reLoad TODO ?!");
	await terminal.waitFor("tree ❯ reLoad TODO ?!");
	terminal.press("escape");
	await terminal.waitFor("/ filter");
	terminal.press("left");
	await terminal.waitFor("❯ type to search");

	terminal.press("ctrl+r");
	await terminal.waitFor(/┌ Rename/);
	terminal.type("\x1b\x03");
	expect((await terminal.exit()).code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
	// Ctrl+z left for a moment. The terminal has not answered the question about the kitty keyboard protocol.
	expect(modes(terminal)).toEqual(["enter", "leave", "enter", "leave"]);
});

test("ctrl+z gives the terminal back to the shell, and fg goes on; the kitty keyboard protocol is switched off then, and when the program is ended", async () => {
	const script = '"$@"; echo "stopped with $?"; jobs -p >"$HOME/pid"; read -r line; fg; echo "ended with $?"';
	const terminal = sandbox.start([], { within: ["bash", "--norc", "-m", "-c", script, "bash"] });
	await terminal.waitFor("1/3");
	terminal.type("\x1b[?0u");
	await expect.poll(() => modes(terminal)).toEqual(["enter", "on"]);
	terminal.press("ctrl+z");
	await terminal.waitFor("stopped with 148");
	expect(await terminal.isFullScreen()).toBe(false);
	expect(modes(terminal)).toEqual(["enter", "on", "off", "leave"]);
	terminal.type("\r");
	await terminal.waitFor("1/3");
	expect(await terminal.isFullScreen()).toBe(true);
	terminal.press("down");
	await terminal.waitFor("2/3");
	process.kill(Number(readFileSync(join(sandbox.home, "pid"), "utf8")), "SIGTERM");
	await terminal.exit();
	expect((await terminal.history()).join("\n")).toContain("ended with 143");
	expect(modes(terminal).slice(4)).toEqual(["enter", "on", "off", "leave"]);
});
