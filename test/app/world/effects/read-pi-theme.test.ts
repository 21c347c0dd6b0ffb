import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readPiSettings, readPiTheme } from "../../../../src/cli/browser/read-pi-settings.ts";
import { contrast } from "../../../../src/ui/theme/rgb.ts";
import { createTheme } from "../../../../src/ui/theme/theme.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** A working directory and pi's directory with these files; paths begin with "cwd/" or "agent/". */
function machine(files: Readonly<Record<string, unknown>>) {
	const dir = tempDir();
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		writeFileSync(join(dir, path), typeof content === "string" ? content : JSON.stringify(content));
	}
	const read = () => readPiTheme(readPiSettings(join(dir, "cwd"), join(dir, "agent")));
	return { dir, read };
}

/** A theme with every color that pi requires and that matters here. */
const FOREST = {
	name: "forest",
	appearance: "dark",
	vars: { moss: "okhsl(159 59% 67%)", leaf: "moss" },
	colors: {
		text: "",
		muted: "#aab",
		success: "leaf",
		error: 203,
		userMessageText: "oklch(62% 0.1 200)",
		userMessageBg: "#202830",
		selectedBg: "#202830",
		searchMatchText: "#ffff00",
	},
};

test("without a theme in pi's settings, and with pi's own, the terminal decides", () => {
	expect(machine({}).read()).toEqual({ choice: {}, problems: [] });
	for (const theme of ["system", 7, "a/b/c", "/dark"]) {
		expect(machine({ "agent/settings.json": { theme } }).read()).toEqual({ choice: {}, problems: [] });
	}
	expect(machine({ "agent/settings.json": "{" }).read()).toEqual({ choice: {}, problems: [] });
});

test("pi's built-in themes become ours of that brightness; the project's setting takes precedence", () => {
	const files = { "agent/settings.json": { theme: "dark" } };
	expect(machine(files).read().choice.dark).toBe(true);
	expect(machine({ ...files, "cwd/.pi/settings.json": { theme: "light" } }).read().choice.dark).toBe(false);
	expect(machine({ "agent/settings.json": { theme: "light/dark" } }).read()).toEqual({ choice: {}, problems: [] });
});

test("the colors of a theme apply to our roles, in any form that pi accepts", () => {
	const { choice, problems } = machine({
		"agent/settings.json": { theme: "forest" },
		"agent/themes/forest.json": FOREST,
	}).read();
	expect(problems).toEqual([]);
	expect(choice.dark).toBe(true);
	expect(choice.onLight).toBe(choice.onDark);
	const { tones, grounds } = choice.onDark ?? expect.fail();
	expect(tones.muted).toEqual([170, 170, 187]);
	expect(tones.current).toEqual([104, 183, 141]);
	expect(tones.error).toEqual([255, 95, 95]);
	expect(tones.prompt).toEqual([28, 152, 158]);
	expect(grounds.prompt.color).toEqual([32, 40, 48]);
	// The cursor is visible on the band of a prompt.
	expect(contrast(grounds.cursor.color, grounds.prompt.color)).toBeGreaterThanOrEqual(1.25);
	// Colors that it does not name are ours.
	expect(tones.label).toEqual([224, 175, 104]);
	const theme = createTheme({ depth: "24-bit", dark: choice.dark, palette: choice.onDark });
	expect(theme.sgr({ tone: "current" })).toBe("38;2;104;183;141");
	expect(theme.sgr({ tone: "text" })).toBe("");
});

test("a theme is found by its file or its name: the project's, pi's, or one that the settings name", () => {
	const named = (path: string, setting = {}) =>
		machine({ "agent/settings.json": { theme: "forest", ...setting }, [path]: FOREST }).read();
	for (const path of ["cwd/.pi/themes/forest.json", "agent/themes/forest.json", "agent/themes/other.json"]) {
		expect(named(path).choice.onDark, path).toBeDefined();
	}
	expect(named("agent/more/forest.json", { themes: ["more"] }).choice.onDark).toBeDefined();
	expect(named("agent/more/f.json", { themes: ["./more/f.json"] }).choice.onDark).toBeDefined();
});

test("one theme for each brightness", () => {
	const { choice } = machine({
		"agent/settings.json": { theme: "light / forest" },
		"agent/themes/forest.json": FOREST,
	}).read();
	expect(choice).toEqual({ onDark: expect.anything(), onLight: undefined });
});

test("missing or damaged themes are reported, and the default colors apply", () => {
	const { dir, read } = machine({ "agent/settings.json": { theme: "forest" } });
	const path = join(dir, "agent", "themes", "forest.json");
	const expectProblem = (sentence: string, isUsed = false): void => {
		const { choice, problems } = read();
		expect(problems).toEqual([{ path, message: expect.stringContaining(`theme "forest": ${sentence}`) }]);
		expect(problems[0]?.message).toContain(path);
		expect(choice.onDark !== undefined).toBe(isUsed);
	};
	expectProblem("There is no such theme.");
	mkdirSync(dirname(path));
	for (const [text, sentence] of [
		["{", "It is not JSON: "],
		["[]", 'It has no "colors". The default colors apply.'],
		['{"colors": 1}', 'It has no "colors".'],
	] as const) {
		writeFileSync(path, text);
		expectProblem(sentence);
	}
	const colors = { text: "blue", error: "#12", muted: "x", success: 999, warning: [] };
	writeFileSync(path, JSON.stringify({ name: "forest", vars: { x: "y", y: "x" }, colors }));
	expectProblem("Its values for ", true);
	for (const token of Object.keys(colors)) expect(read().problems[0]?.message).toContain(token);
	execFileSync("rm", [path]);
	execFileSync("mkfifo", [path]);
	expectProblem("It cannot be read: ");
});

test("a theme of a package is only for pi, and is silently ignored", () => {
	const files = { "agent/settings.json": { theme: "forest", packages: ["npm:themes"] } };
	expect(machine(files).read()).toEqual({ choice: { dark: undefined }, problems: [] });
});
