import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
let parser: string;
let retry: string;
beforeEach(() => {
	({ parser, retry } = threeSessions(sandbox));
});

/** Opens the browser with the cursor on the parser session. */
async function onParser(args: readonly string[] = []): Promise<TestTerminal> {
	const terminal = sandbox.start(args);
	await terminal.waitFor("1/3");
	terminal.press("down");
	await terminal.waitFor("› Refactor the parser");
	await terminal.waitFor(/◂ (?:end|pi continues here)/);
	return terminal;
}

/** The entries that were added to the end of a session. */
function added(path: string, before: string): Record<string, unknown>[] {
	const text = readFileSync(path, "utf8");
	expect(text.startsWith(before)).toBe(true);
	return text
		.slice(before.length)
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

test("without the pi that --pi names a message says so, and the browser stays; Ctrl+D asks first; Escape keeps the file, Enter moves it to the trash, Ctrl+_ brings it back; rename appends one session_info, which the list shows at once; label marks the entry under the cursor", async () => {
	const terminal = await onParser(["--pi", "no-such-program"]);
	terminal.press("enter");
	await terminal.waitFor("no-such-program");
	await terminal.waitFor("3 sessions");
	expect(await terminal.isFullScreen()).toBe(true);

	const prints = sandbox.fingerprints();
	terminal.press("ctrl+d");
	await terminal.waitFor("┌ Move this session to the trash?");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌ Move this session to the trash?"));
	expect(sandbox.fingerprints()).toEqual(prints);

	// Also from the tree.
	terminal.press("right", "<delete>");
	await terminal.waitFor("┌ Move this session to the trash?");
	terminal.press(...(await highlighted(terminal, "trash")), "enter");
	await terminal.waitFor(/Moved/);
	terminal.press("left");
	await terminal.waitFor("2 sessions");
	expect(existsSync(parser)).toBe(false);
	const trash = join(sandbox.home, "data", "Trash");
	const [name = ""] = readdirSync(join(trash, "files"));
	expect(readFileSync(join(trash, "info", `${name}.trashinfo`), "utf8")).toContain(`Path=${encodeURI(parser)}`);

	terminal.press("ctrl+_");
	await terminal.waitFor("3 sessions");
	expect(sandbox.fingerprints().get(parser)).toBe(prints.get(parser));
	await terminal.waitFor("› Refactor the parser");
	await terminal.waitFor(/◂ (?:end|pi continues here)/);

	const before = readFileSync(parser, "utf8");
	terminal.press("ctrl+r");
	await terminal.waitFor(/┌ Rename/);
	terminal.type("\x15Parser, second try\r");
	await terminal.waitFor("› Parser, second try");
	expect(added(parser, before)).toEqual([
		expect.objectContaining({ type: "session_info", name: "Parser, second try" }),
	]);
	terminal.press("ctrl+r");
	await terminal.waitFor(/┌ Rename/);
	terminal.type("\x15\r");
	await terminal.waitFor("› Why does the import");

	const unnamed = readFileSync(parser, "utf8");
	terminal.press("right", "alt+l");
	await terminal.waitFor(/┌ Label/);
	terminal.type("works\r");
	await terminal.waitFor("⚑works");
	expect(added(parser, unnamed)).toEqual([
		expect.objectContaining({ type: "label", targetId: "00010005", label: "works" }),
	]);
});

/** The keys that move the cursor of the open menu to the item that contains a word. */
async function highlighted(terminal: TestTerminal, word: string): Promise<string[]> {
	const rows = await terminal.screen();
	const from = rows.findIndex((row) => /│ › /.test(row));
	const to = rows.findIndex((row) => new RegExp(`│ [› ] [^│]*${word}`).test(row));
	expect(Math.min(from, to)).toBeGreaterThanOrEqual(0);
	return Array.from({ length: Math.abs(to - from) }, () => (to > from ? "down" : "up"));
}

/** Records how it was called, then each line of input, and exits with 7. */
const recording = `
printf '%s\\n' "$PWD" "$#" "$@" >"$HOME/called"
echo "pi is here"
for number in 1 2 3 4 5 6; do
	read -r line
	printf '%s\\n' "$line" >>"$HOME/told"
	echo "pi heard $line"
done
exit 7`;

test("Enter hands the terminal to pi in the session's directory; with --leave pi's exit code becomes ours", async () => {
	sandbox.installPi(recording);
	const before = sandbox.fingerprints();
	const terminal = sandbox.start(["--leave"]);
	await terminal.waitFor("1/3");
	await terminal.waitFor(/◂ (?:end|pi continues here)/);
	terminal.press("enter");
	await terminal.waitFor("pi is here");
	expect(await terminal.isFullScreen()).toBe(false);
	// If the browser still read from the terminal, pi would miss some of the lines.
	const lines = ["every", "line", "must", "reach", "pi", "alone"];
	for (const line of lines) {
		terminal.type(`${line}\r`);
		await terminal.waitFor(`pi heard ${line}`);
	}
	expect(await terminal.exit()).toEqual({ code: 7, signal: undefined });
	expect(readFileSync(join(sandbox.home, "called"), "utf8").trimEnd().split("\n")).toEqual([
		join(sandbox.home, "work", "api"),
		"2",
		"--session",
		retry,
	]);
	expect(readFileSync(join(sandbox.home, "told"), "utf8")).toBe(lines.map((line) => `${line}\n`).join(""));
	expect(sandbox.fingerprints()).toEqual(before);
});
