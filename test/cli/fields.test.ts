import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inLong } from "../support/cases.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TerminalOptions, TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

async function opened(options: TerminalOptions = {}): Promise<TestTerminal> {
	const terminal = sandbox.start([], options);
	await terminal.waitFor("1/3");
	return terminal;
}

/** Waits until the row of the terminal's cursor ends, before it, with this. */
async function cursorBehind(terminal: TestTerminal, text: string): Promise<void> {
	await expect
		.poll(async () => ((await terminal.cursor())?.before ?? "hidden").normalize("NFC"))
		.toMatch(new RegExp(`${text.normalize("NFC").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
}

test("the terminal's cursor is where the next character goes, in any width, and hidden where nothing can be typed", async () => {
	const terminal = await opened({ columns: 160, rows: 24 });
	for (const columns of inLong([160, 80, 40], [160, 40])) {
		terminal.resize(columns, 24);
		await cursorBehind(terminal, "❯ ");
		terminal.type("the 日本語 e\u0301nd");
		await cursorBehind(terminal, "nd");
		terminal.press("left", "left");
		await cursorBehind(terminal, "e\u0301");
		terminal.press("left", "left");
		await cursorBehind(terminal, "日本語");
		terminal.press("left");
		await cursorBehind(terminal, "日本");
		terminal.press("ctrl+a", "alt+f");
		await cursorBehind(terminal, "the");
		terminal.press("home");
		await cursorBehind(terminal, "❯ ");
		terminal.press("end", "ctrl+s");
		await terminal.waitFor("┌ Sort");
		await expect.poll(() => terminal.cursor()).toBeUndefined();
		terminal.press("escape");
		await cursorBehind(terminal, "nd");
		terminal.press("ctrl+u");
		await terminal.waitFor("❯ type to search");
	}
});

describe("a saved query", () => {
	test("is above the list with the up key in every run and window, is deleted and had back; a damaged line of the file is told, kept, and left out; no session is touched", async () => {
		const path = join(sandbox.directory("state/pi-grove"), "queries.jsonl");
		const good = JSON.stringify({ version: 1, token: "1", changes: [{ name: "good", text: "client" }] });
		writeFileSync(path, `${good}\n{"version":1,"tok\n`);
		const before = sandbox.fingerprints();
		const first = sandbox.start();
		await first.waitFor("Line 2 of");
		first.press("up");
		await first.waitFor(": good  client");
		first.type("parser :save mine");
		first.press("enter");
		await first.waitFor("Saved “mine”");
		expect(readFileSync(path, "utf8")).toContain(`${good}\n{"version":1,"tok\n{`);

		const second = sandbox.start();
		await second.waitFor("Line 2 of");
		second.press("up");
		await second.waitFor(": mine  parser");
		second.type("retry :save loops");
		second.press("enter");
		await second.waitFor("Saved “loops”");
		first.press("escape");
		await first.waitFor("type to search");
		first.press("home", "up");
		await first.waitFor(/: loops {2}retry[\s\S]*: mine {3}parser/);
		first.type(":mi");
		first.press("enter");
		await first.waitFor("❯ parser");
		await first.waitFor("1 of 3");

		second.press("escape");
		await second.waitFor("type to search");
		second.press("home", "up");
		await second.waitFor(/: loops {2}retry[\s\S]*: mine {3}parser/);
		second.press("ctrl+d");
		await second.waitFor("Deleted the saved query “mine”");
		await second.waitFor((screen) => !screen.includes(": mine"));
		second.press("ctrl+_");
		await second.waitFor(/: loops {2}retry[\s\S]*: mine {3}parser/);
		expect(sandbox.fingerprints()).toEqual(before);
	});
});
