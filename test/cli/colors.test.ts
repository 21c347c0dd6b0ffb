import { beforeEach, expect, test } from "vitest";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

const LIGHT = "\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\";
const DARK = "\x1b]11;rgb:0000/2b2b/3636\x1b\\";

/** What the row under the cursor stands on, as a sequence has it, in our dark palette and on Solarized light. */
const DARK_CURSOR = "48;2;40;52;87";
const CURSOR = /48;2;(\d+);(\d+);(\d+)m/g;

/** Whether anything that was written stands on a light ground. */
function isLight(written: string): boolean {
	return grounds(written).some((channels) => channels.every((channel) => channel > 180));
}

/** Whether anything does on a dark one. */
function isDark(written: string): boolean {
	return grounds(written).some((channels) => channels.every((channel) => channel < 100));
}

function grounds(written: string): number[][] {
	return [...written.matchAll(CURSOR)].map(([, ...channels]) => channels.map(Number));
}

async function started(env: Record<string, string | undefined> = {}): Promise<TestTerminal> {
	const terminal = sandbox.start([], { env });
	await terminal.waitFor("It is in client.ts.");
	return terminal;
}

test("the screen is drawn anew in light colors when the terminal says that it is light, however its answer is torn", async () => {
	const terminal = await started();
	expect(terminal.written).toContain("\x1b]11;?\x1b\\");
	expect(terminal.written).toContain(DARK_CURSOR);
	expect(isLight(terminal.written)).toBe(false);
	// Nothing is waited for in between: how long the parts of an answer may be apart, the tests of the splitter say.
	for (const part of [LIGHT.slice(0, 9), LIGHT.slice(9, 20), LIGHT.slice(20)]) terminal.type(part);
	await terminal.waitFor(() => isLight(terminal.written));
	const screen = await terminal.screen();
	expect(screen.join("\n")).not.toMatch(/11;|rgb|fdfd/);
	expect(screen.join("\n")).toContain("It is in client.ts.");
});

test("an answer that comes at once colors the first frame", async () => {
	const terminal = sandbox.start();
	terminal.type(LIGHT);
	await terminal.waitFor("It is in client.ts.");
	expect(isLight(terminal.written)).toBe(true);
	expect((await terminal.screen()).join("\n")).not.toMatch(/11;|rgb|fdfd/);
});

test("COLORFGBG is believed until the terminal answers, PI_GROVE_THEME also then", async () => {
	const guessed = await started({ COLORFGBG: "0;15" });
	expect(isLight(guessed.written)).toBe(true);
	const before = guessed.written.length;
	guessed.type(DARK);
	// Until it was read, more may have been drawn in light colors.
	await guessed.waitFor(() => isDark(guessed.written.slice(before)));

	const chosen = await started({ PI_GROVE_THEME: "light" });
	chosen.type(`${DARK}\x1b[B`);
	await chosen.waitFor("2/3");
	expect(isLight(chosen.written)).toBe(true);
	expect(chosen.written).not.toContain(DARK_CURSOR);
});

test("with NO_COLOR nothing is asked and no color is written", async () => {
	const terminal = await started({ NO_COLOR: "1" });
	expect(terminal.written).not.toContain("\x1b]");
	expect(terminal.written).not.toMatch(/\x1b\[[\d;]*\b(?:[34]8;|3[0-7]m|9[0-7]m)/);
	expect(terminal.written).toMatch(/\x1b\[(?:1;)?7m/);
});
