import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { withOwnCommands } from "../../../../src/app/features/own-commands/own-bindings.ts";
import { parseOwnCommands } from "../../../../src/app/features/own-commands/parse-own-commands.ts";
import { OWN_COMMAND_EXAMPLES } from "../../../../src/cli/help/help-topics.ts";

const parse = (text: string) => parseOwnCommands(text, z);
const LOG = { name: "Log", command: "git -C {cwd} log" };

describe("commands.json", () => {
	test("what a command acts on follows from what it names", () => {
		const { commands, problems } = parse(
			JSON.stringify([
				LOG,
				{ name: "Entry", command: "echo {id}#{entry}", output: "clipboard" },
				{ name: "Fetch", command: "git fetch", output: "nothing" },
				{ name: "Size", command: "du -ch {path}", on: "marked", output: "page", key: "ctrl+alt+y" },
			]),
		);
		expect(problems).toEqual([]);
		expect(commands.map(({ on, output, key }) => [on, output, key?.written])).toEqual([
			["session", "message", undefined],
			["entry", "clipboard", undefined],
			["nothing", "nothing", undefined],
			["marked", "page", "ctrl+alt+y"],
		]);
	});

	test.each([
		['[\n  {"name": "a",,}\n]', /^Line 2: a field in double quotes is missing here\. This command is left out/],
		['{"name": "a"}', /^It must be a list/],
		["null", /^It must be a list/],
		["[\n\n  7\n]", /^Line 3: a command is an object with a name and a command, and not 7\./],
		['[\n  {"name": "a"}\n]', /^Line 2: command must be a text/],
		['[\n  {"name": "",\n   "command": "b"}\n]', /^Line 2: name must be a text/],
		['[\n  {"name": "a", "command": "b",\n   "output": "file"}\n]', /^Line 3: output must be "message", "page"/],
		[
			'[\n  {"name": "a", "command": "b",\n   "shortcut": "x"}\n]',
			/^Line 2: there is no field "shortcut"; there are name, command/,
		],
		[
			'[\n  {"name": "a",\n   "command": "echo \'{title}\'"}\n]',
			/^Line 3: \{title\} stands in quotes.* "a" is left out\.$/,
		],
		['[\n  {"name": "a", "on": "session",\n   "command": "{entry}"}\n]', /^Line 2: the entry is there only/],
		['[{"name": "a", "command": "{id}", "on": "nothing"}]', /^Line 1: a command on nothing/],
		[`[{"name": "${"x".repeat(51)}", "command": "b"}]`, /^Line 1: name has more than 50 characters/],
	])("%j is told", (text, problem) => {
		const { commands, problems } = parse(text);
		expect(commands).toEqual([]);
		expect(problems).toEqual([expect.stringMatching(problem)]);
	});

	test("comments and a comma behind the last one are no mistake", () => {
		const { commands, problems } = parse(
			`// mine\n[ ${JSON.stringify(LOG)}, /* later */ { "name": "b", "command": "x", }, ]`,
		);
		expect([commands.map(({ name }) => name), problems]).toEqual([["Log", "b"], []]);
	});

	test.each([
		['[{"name": "a" "command": "x"},\n{"name": "b", "command": "x"}]', ["b"]],
		['[{"name": "a", "command": "x"}\n{"name": "b", "command": "x"}]', ["a", "b"]],
		['[{"name": "a", "command": x},\n{"name": "b", "command": "x"}]', ["b"]],
		['[{"name": "b", "command": "x"},\n{"name": "a", "command": "x', ["b"]],
		['[{"name": "b", "command": "x"},\n{"name": "a", "command": "echo {nosuch}"}]', ["b"]],
	])("a mistake in one costs that one alone, and is told with its line: %j", (text, names) => {
		const { commands, problems } = parse(text);
		expect(commands.map(({ name }) => name)).toEqual(names);
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.every((problem) => /^Line [12]\b/.test(problem))).toBe(true);
	});

	test("a command that only uses variables is on a session, or an entry", () => {
		const { commands } = parse(
			'[{"name": "a", "command": "sh -c \'x $PI_GROVE_PATH\'"}, {"name": "b", "command": "x $PI_GROVE_ENTRY"}]',
		);
		expect(commands.map(({ on }) => on)).toEqual(["session", "entry"]);
	});

	test("what is wrong with one leaves the others; the first of two with a name stays", () => {
		const text = `\uFEFF[\n${[{ ...LOG, on: "all" }, LOG, LOG].map((each) => JSON.stringify(each)).join(",\n")}\n]`;
		const { commands, problems } = parse(text);
		expect(commands.map(({ name }) => name)).toEqual(["Log"]);
		expect(problems.map((problem) => problem.slice(0, 7))).toEqual(["Line 2:", "Line 4:"]);
	});

	test("what nests deeper than any stack is a problem", () => {
		for (const text of [
			'{"a":'.repeat(9000),
			`[${"[".repeat(9000)}${"]".repeat(9000)}]`,
			`[{"name": ${"[".repeat(9000)}`,
		])
			expect(parse(text).problems).toEqual([expect.stringContaining("nests too deeply")]);
	});

	test("no text makes it throw, and each problem names a line that is there", () => {
		const value = fc.oneof(
			fc.json(),
			fc.string(),
			fc
				.array(fc.object({ key: fc.constantFrom("name", "command", "on") }))
				.map((each) => JSON.stringify(each, null, 1)),
		);
		fc.assert(
			fc.property(value, (text) => {
				for (const problem of parse(text).problems) {
					const line = Number(/^Line (\d+)/.exec(problem)?.[1] ?? 1);
					expect(line).toBeGreaterThan(0);
					expect(line).toBeLessThanOrEqual(text.split("\n").length);
				}
			}),
		);
	});
});

describe("keys", () => {
	const withKey = (...keys: readonly string[]) => {
		const { commands } = parse(JSON.stringify(keys.map((key, index) => ({ ...LOG, name: `Log ${index}`, key }))));
		const { keymap, problems } = withOwnCommands(KEYMAP, commands);
		return [keymap.filter(({ id }) => id.startsWith("own:")).map((binding) => binding.keys), problems] as const;
	};

	test("a free chord is bound", () => {
		expect(withKey("alt+ctrl+y")).toEqual([[["ctrl+alt+y"]], []]);
	});

	test.each([
		["ctrl+k", /^Line 1: ctrl\+k is taken by “.+”, so “Log 0” has no key\. Choose another\.$/],
		["enter", /is taken by/],
		["escape", /is taken by/],
		["ctrl+c", /is taken by/],
		["x", /is text where letters are typed/],
		["hyper+x", /is not a key, such as ctrl\+alt\+g/],
	])("%s is not, and the person is told", (key, problem) => {
		expect(withKey(key)).toEqual([[[]], [expect.stringMatching(problem)]]);
	});

	test("two commands cannot have the same one", () => {
		expect(withKey("ctrl+alt+y", "ctrl+alt+y")).toEqual([
			[["ctrl+alt+y"], []],
			[expect.stringContaining("is taken by “Log 0”")],
		]);
	});

	test("without commands the keymap is as it was", () => {
		expect(withOwnCommands(KEYMAP, [])).toEqual({ keymap: KEYMAP, problems: [] });
	});
});

test("the examples are in order, and their keys free", () => {
	const { commands, problems } = parse(JSON.stringify(OWN_COMMAND_EXAMPLES.map(({ command }) => command)));
	expect(problems).toEqual([]);
	expect(commands).toHaveLength(3);
	expect(withOwnCommands(KEYMAP, commands).problems).toEqual([]);
});
