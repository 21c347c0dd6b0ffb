import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { cliMarkdown } from "../../scripts/cli-markdown.ts";
import { manPage } from "../../scripts/man-page.ts";
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import {
	COMMANDS,
	type CommandName,
	DAILY_COMMANDS,
	NAMED_COMMANDS,
	OPTION_NAMES,
} from "../../src/cli/arguments/command-table.ts";
import { helpPageOf } from "../../src/cli/help/command-pages.ts";
import { allHelp, helpOf, helpText } from "../../src/cli/help/help.ts";
import { HELP_NAMES } from "../../src/cli/help/help-topics.ts";
import { splitWords } from "../../src/shared/split-words.ts";
import { tempDir } from "../support/temp-dir.ts";

const root = join(import.meta.dirname, "..", "..");

test("docs/cli.md shows what the table of the commands holds", async () => {
	const path = join(root, "docs", "cli.md");
	await expect(cliMarkdown(), "docs/cli.md is out of date: npm run docs writes it anew").toMatchFileSnapshot(path);
});

describe.each([80, 100, 120])("in %i columns", (columns) => {
	test("no line of the help is longer", () => {
		const pages = [helpText(columns), allHelp(columns), ...HELP_NAMES.map((name) => helpOf(name, columns))];
		const long = pages.flatMap((page) => page.split("\n")).filter((line) => line.length > columns);
		expect(long).toEqual([]);
	});
});

test("each line of the first page is whole in 120 columns", () => {
	const goesOn = (helpText() + allHelp()).split("\n").filter((line) => /^ {3}/.test(line));
	expect(goesOn).toEqual([]);
});

test("the first page explains twelve commands and names all others, and every option is in the help of a command", () => {
	const first = helpText();
	expect(DAILY_COMMANDS).toHaveLength(12);
	for (const name of DAILY_COMMANDS) expect(first).toMatch(new RegExp(`^  ${name}\\b.* {2}`, "m"));
	const [, others = ""] = /\nMore commands.*\n([\s\S]*?)\n\n/.exec(first) ?? [];
	expect([...DAILY_COMMANDS, ...others.trim().split(/,\s+/)].toSorted()).toEqual(NAMED_COMMANDS.toSorted());
	for (const name of NAMED_COMMANDS) expect(allHelp()).toMatch(new RegExp(`^  ${name}\\b`, "m"));
	const all = HELP_NAMES.map((name) => helpOf(name)).join("");
	for (const name of OPTION_NAMES) expect(all).toContain(`--${name}`);
});

const examples = (Object.keys(COMMANDS) as CommandName[]).flatMap((name) => {
	return helpPageOf(name).examples.map(([line]): [CommandName, string] => [name, line]);
});

test.each(examples)("the example of %s is no mistake: %s", (name, line) => {
	// What stands behind a sign of the shell is not ours.
	const split = splitWords(line.replace(/\s[|>].*$/, ""));
	expect(split).toHaveProperty("words");
	const words = "words" in split ? split.words : [];
	expect(readArguments(words)).toMatchObject(
		name === "browse" ? { kind: "browse" } : { kind: "command", command: name },
	);
});

test("the help tells of every variable of the environment that is ours", () => {
	const files = globSync("{src,components,hooks,extensions}/**/*.{ts,tsx}", { cwd: root });
	const names = files.flatMap((file) => readFileSync(join(root, file), "utf8").match(/\bPI_GROVE_[A-Z_]+/g) ?? []);
	const told = helpOf("environment") + helpOf("own-commands");
	// Told by pi to the browser that it starts, not by a person.
	const unknown = [...new Set(names)].filter((name) => name !== "PI_GROVE_HOST" && !told.includes(name));
	expect(unknown).toEqual([]);
});

describe("the man page", () => {
	const page = manPage(packageFile.version);

	test("is where the package says, in a list: npm 11 links no other when it installs globally", () => {
		expect(packageFile.man).toEqual(["dist/man/pi-grove.1"]);
		expect(packageFile.files).toContain("dist");
	});

	test("is ASCII, and every line that begins with a dot is a request that man knows", () => {
		expect(page).not.toMatch(/[^\n -~]/);
		const requests = page.split("\n").flatMap((line) => /^\.\S*/.exec(line) ?? []);
		expect([...new Set(requests)].toSorted()).toEqual([
			".PP",
			".RE",
			".RS",
			".SH",
			".SS",
			".TH",
			".TP",
			".ad",
			".br",
			".nh",
		]);
		expect(page).not.toMatch(/^'/m);
	});

	test("man shows it with all commands and their options", ({ skip }) => {
		if (spawnSync("man", ["--version"]).status !== 0) skip("man is not installed");
		const path = join(tempDir(), "pi-grove.1");
		writeFileSync(path, page);
		const env = { ...process.env, MANWIDTH: "100", LC_ALL: "C.UTF-8", MAN_KEEP_FORMATTING: undefined };
		const { status, stdout, stderr } = spawnSync("man", ["--warnings", "-l", path], { encoding: "utf8", env });
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		const plain = stdout.replaceAll(/.\x08/g, "");
		for (const name of NAMED_COMMANDS) expect(plain).toContain(`pi-grove ${name}`);
		for (const name of OPTION_NAMES) expect(plain).toContain(`--${name}`);
		expect(plain).toContain("pi-grove search '\"rate limit\" role:user since:7d'");
	});
});
