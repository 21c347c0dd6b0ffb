import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
let parser: string;
beforeEach(() => {
	({ parser } = threeSessions(sandbox));
});

function writeCommands(text: string): string {
	const path = join(sandbox.home, ".config", "pi-grove", "commands.json");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

test("own commands stand among the commands, run by name and by key, and what is wrong in their file is told", async () => {
	writeCommands(`[
		{"name": "Note the path", "command": "printf %s {path} >~/noted; echo noted", "key": "ctrl+alt+y"},
		{"name": "Wait", "command": "echo $$ >~/waits; exec sleep 600"},
		{"name": "Taken", "command": "true", "key": "ctrl+k"},
		{"name": "Broken", "command": "echo '{title}'"}
	]`);
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { env: { XDG_CONFIG_HOME: undefined } });
	await terminal.waitFor(/2 problems {2}3 sessions/);
	terminal.type("refactor");
	await terminal.waitFor("1 of 3");
	terminal.press("ctrl+k");
	await terminal.waitFor(/Note the path +ctrl\+alt\+y/);
	terminal.type("note path");
	await terminal.waitFor("› Note the path");
	terminal.press("enter");
	await terminal.waitFor(/^ noted/m);
	expect(readFileSync(join(sandbox.home, "noted"), "utf8")).toBe(parser);
	writeFileSync(join(sandbox.home, "noted"), "");
	terminal.type("\u001b\u0019");
	await expect.poll(() => readFileSync(join(sandbox.home, "noted"), "utf8")).toBe(parser);
	await terminal.waitFor(/^ noted/m);
	terminal.press("ctrl+k");
	await terminal.waitFor("┌ Commands");
	terminal.type("wait");
	await terminal.waitFor("› Wait");
	terminal.press("enter");
	await terminal.waitFor("Running “Wait”; esc stops it");
	await expect.poll(() => existsSync(join(sandbox.home, "waits"))).toBe(true);
	terminal.press("escape");
	await terminal.waitFor("Stopped “Wait”");
	expect(sandbox.fingerprints()).toEqual(before);
	terminal.press("ctrl+k");
	terminal.type("problems");
	await terminal.waitFor("› Problems");
	terminal.press("enter");
	await terminal.waitFor("commands.json: Line 4: ctrl+k is taken by");
	await terminal.waitFor("commands.json: Line 5: {title} stands in quotes");
	terminal.press("escape");
	// An escape that is read together with the next key would be alt and that key.
	await terminal.waitFor(/Refactor the parser(?![\s\S]*── maintenance)/);
	writeCommands(`[
		// Saved while the browser runs.
		{"name": "Newly written", "command": "printf '%s|' {title} $PI_GROVE_ID >~/noted"},
		{"name": "Unfinished", "command": },
	]`);
	await terminal.waitFor(
		"commands.json: Line 4: a value is missing here; texts are in double quotes. This command is left out.",
	);
	terminal.press("ctrl+k");
	terminal.type("newly");
	await terminal.waitFor("› Newly written");
	terminal.press("enter");
	await expect.poll(() => readFileSync(join(sandbox.home, "noted"), "utf8")).toBe("Refactor the parser|session-0001|");
});
