import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

/** Puts a shell script before all others in the PATH. */
function install(name: string, script: string): void {
	const path = join(sandbox.directory("bin"), name);
	writeFileSync(path, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
}

/** Shows what it got, writes down what it can see of it, and waits for Enter. */
const SEES = `for last; do :; done
ls -ld "$(dirname "$last")" | cut -c1-10 >"$HOME/modes"; ls -l "$last" | cut -c1-10 >>"$HOME/modes"
echo "$@" >"$HOME/args"; cat "$last" >"$HOME/seen"; stty -a | grep -o -- '-*icanon' >"$HOME/tty"
echo THE PROGRAM RUNS; read line`;

function noted(name: string): string {
	return readFileSync(join(sandbox.home, name), "utf8").trim();
}

/** The browser in the tree of "Refactor the parser", the cursor on its last answer. */
async function inTree(env: Readonly<Record<string, string | undefined>>): Promise<TestTerminal> {
	const clean = {
		VISUAL: undefined,
		EDITOR: undefined,
		PAGER: undefined,
		DISPLAY: undefined,
		WAYLAND_DISPLAY: undefined,
	};
	const terminal = sandbox.start([], { env: { ...clean, TMUX: undefined, SSH_CONNECTION: undefined, ...env } });
	await terminal.waitFor("3 sessions");
	terminal.type("tests pass");
	await terminal.waitFor("1 of 3");
	terminal.press("right");
	await terminal.waitFor("hit 1/1");
	return terminal;
}

/** Leaves at once. */
async function leave(terminal: TestTerminal): Promise<void> {
	terminal.press("ctrl+q");
	await left(terminal);
}

async function left(terminal: TestTerminal): Promise<void> {
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	expect(directoriesLeft()).toEqual([]);
}

/** Returns whether the program was still there. */
function interrupt(terminal: TestTerminal): boolean {
	try {
		terminal.signal("SIGINT");
		return true;
	} catch {
		return false;
	}
}

/** What was made for other programs, and is still there. */
function directoriesLeft(): string[] {
	return readdirSync(join(sandbox.home, "tmp")).filter((name) => name.startsWith("pi-grove-"));
}

test("an editor that is not there is a message; one that is gets the terminal and a private copy, which is gone afterwards; the session is as it was; a signal that ends us while the editor runs ends both, and nothing of the session stays behind", async () => {
	const before = sandbox.fingerprints();
	const terminal = await inTree({ EDITOR: "wrong", VISUAL: 'my-editor --wait "two words"' });
	terminal.press("<editor>");
	await terminal.waitFor('Cannot open the editor: $VISUAL names the program "my-editor", which does not exist');
	expect(await terminal.isFullScreen()).toBe(true);

	install("my-editor", `${SEES}\necho more >>"$last"`);
	terminal.press("<editor>");
	await terminal.waitFor("THE PROGRAM RUNS");
	expect(await terminal.isFullScreen()).toBe(false);
	expect(noted("modes").split("\n")).toEqual(["drwx------", "-rw-------"]);
	expect(noted("args")).toMatch(/^--wait two words \S+\/refactor-the-parser-entry-\w+\.md$/);
	expect(noted("seen")).toBe("All tests pass now.");
	expect(noted("tty")).toBe("icanon");
	terminal.press("enter");
	await terminal.waitFor("You edited a copy");
	expect(await terminal.isFullScreen()).toBe(true);
	terminal.press("up");
	await terminal.waitFor("Stream it instead");

	install("my-editor", `echo $PPID >"$HOME/browser"; echo THE OTHER PROGRAM RUNS; read line`);
	terminal.press("<editor>");
	await terminal.waitFor("THE OTHER PROGRAM RUNS");
	process.kill(Number(noted("browser")), "SIGTERM");
	expect((await terminal.exit()).code).toBe(143);
	expect(await terminal.isFullScreen()).toBe(false);
	expect(directoriesLeft()).toEqual([]);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("the pager gets the whole branch from the menu; its ctrl+c is not ours", async () => {
	install("my-pager", `trap 'echo INTERRUPTED' INT\n${SEES}\nread line`);
	const terminal = await inTree({ PAGER: "my-pager" });
	terminal.press("<export>");
	await terminal.waitFor("Open the branch in the pager");
	terminal.press("end");
	terminal.press("enter");
	await terminal.waitFor("THE PROGRAM RUNS");
	terminal.press("ctrl+c");
	await terminal.waitFor("INTERRUPTED");
	terminal.press("enter");
	terminal.press("enter");
	await terminal.waitFor("All tests pass now.");
	expect(await terminal.isFullScreen()).toBe(true);
	const seen = noted("seen");
	expect(seen).toMatch(/^# Refactor the parser\n/);
	const said = ["Why does the import", "The file does not end", "Stream it instead", "All tests pass now."];
	expect(said.map((words) => seen.indexOf(words))).toEqual(
		said.map((words) => seen.indexOf(words)).toSorted((a, b) => a - b),
	);
	expect(said.every((words) => seen.includes(words))).toBe(true);
	expect(seen).not.toContain("Use a regular expression");
	await leave(terminal);
});

test("interrupted again and again while it leaves, nothing of the session stays behind", async () => {
	install("my-editor", SEES);
	const terminal = await inTree({ EDITOR: "my-editor" });
	terminal.press("<editor>");
	await terminal.waitFor("THE PROGRAM RUNS");
	terminal.press("enter");
	await terminal.waitFor("hit 1/1");
	terminal.press("ctrl+q");
	while (interrupt(terminal)) await setImmediate();
	await terminal.exit();
	expect(directoriesLeft()).toEqual([]);
});

test("a turn is copied as Markdown by the system's own program, which gets nothing of the terminal; a branch is saved in the start directory, never over a file; the message says where, or why not", async () => {
	install(
		"xclip",
		`cat >"$HOME/clipboard"; if (: </dev/tty) 2>/dev/null; then echo yes; else echo no; fi >"$HOME/has-terminal"`,
	);
	writeFileSync(join(sandbox.home, "refactor-the-parser.md"), "mine");
	const terminal = await inTree({ DISPLAY: ":0" });
	terminal.press("<copy-turn>");
	await terminal.waitFor("Copied the turn as Markdown to the clipboard (");
	expect(noted("clipboard")).toMatch(
		/^## You · [\d: \w]+\n\nStream it instead\n\n## Model · [\d: \w]+\n\nAll tests pass now\.$/,
	);
	expect(statSync(join(sandbox.home, "clipboard")).size).toBeLessThan(200);
	expect(noted("has-terminal")).toBe("no");
	expect(terminal.written).not.toContain("\u001b]52;");
	for (const number of [2, 3]) {
		terminal.press("<export>");
		await terminal.waitFor("Save the branch as Markdown");
		terminal.press("down");
		await terminal.waitFor("› Save the branch as Markdown");
		terminal.press("enter");
		await terminal.waitFor(`Saved the branch as ~/refactor-the-parser-${number}.md (`);
	}
	expect(noted("refactor-the-parser.md")).toBe("mine");
	expect(noted("refactor-the-parser-2.md")).toContain("All tests pass now.");
	expect(noted("refactor-the-parser-3.md")).toBe(noted("refactor-the-parser-2.md"));
	chmodSync(sandbox.home, 0o555);
	try {
		terminal.press("<export>");
		await terminal.waitFor("Save the branch as Markdown");
		terminal.press("down");
		await terminal.waitFor("› Save the branch as Markdown");
		terminal.press("enter");
		// The person who may do anything is not refused.
		const may = process.getuid?.() === 0;
		await terminal.waitFor(may ? "refactor-the-parser-4.md" : /Cannot save the branch: .*permission/i);
	} finally {
		chmodSync(sandbox.home, 0o755);
	}
	await leave(terminal);
});
