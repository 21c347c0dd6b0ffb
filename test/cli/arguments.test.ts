import { expect, test } from "vitest";
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { helpOf } from "../../src/cli/help/help.ts";

/** The request of a command line without a command. */
function browser(...words: string[]) {
	return { kind: "browse", args: { words } };
}

/** The request of a command. */
function command(name: string, args: object = {}) {
	return { kind: "command", command: name, args: { words: [], ...args } };
}

test.each<[string, object]>([
	["", browser()],
	["--demo", { kind: "browse", args: { words: [], demo: true } }],
	["--session-dir /s --pi npx", { kind: "browse", args: { words: [], sessionDir: "/s", pi: "npx" } }],
	["--session-dir=/s", { kind: "browse", args: { words: [], sessionDir: "/s" } }],
	["--no-mouse", { kind: "browse", args: { words: [], noMouse: true } }],
	["01a1ff89 --demo", { kind: "browse", args: { words: ["01a1ff89"], demo: true } }],
	["browse", browser("browse")],
	["./list", browser("./list")],
	["list", command("list")],
	["list --json --cwd .", command("list", { cwd: ".", json: true })],
	["list --named --since 7d --limit 5", command("list", { named: true, since: "7d", limit: 5 })],
	["--session-dir /s list", command("list", { sessionDir: "/s" })],
	["search retry", command("search", { words: ["retry"] })],
	["search retry loop --json --limit 20", command("search", { words: ["retry", "loop"], limit: 20, json: true })],
	["--limit 3 --session-dir /s search list", command("search", { words: ["list"], sessionDir: "/s", limit: 3 })],
	["search -- --json -x", command("search", { words: ["--json", "-x"] })],
	["search role:user --json re:a.b", command("search", { words: ["role:user", "re:a.b"], json: true })],
	["stats", command("stats")],
	["stats --json --session-dir=/s", command("stats", { json: true, sessionDir: "/s" })],
	["standup --since 7d --cwd . --json", command("standup", { since: "7d", cwd: ".", json: true })],
	["doctor", command("doctor")],
	["doctor a.jsonl 01a1 --repair-to /d", command("doctor", { words: ["a.jsonl", "01a1"], repairTo: "/d" })],
	["lst", browser("lst")],
	["stripe webhook since:7d", browser("stripe", "webhook", "since:7d")],
	["a.jsonl b.jsonl", browser("a.jsonl", "b.jsonl")],
	["-- list", browser("list")],
	["--no-mouse -- --help -x", { kind: "browse", args: { words: ["--help", "-x"], noMouse: true } }],
	["list --nonsense --help", { kind: "help", args: { words: ["list"] } }],
	["nonsense --help", { kind: "help", args: { words: ["nonsense"] } }],
	["search retry --all -h", { kind: "help", args: { words: ["search"] } }],
	["-h", { kind: "help", args: { words: [] } }],
	["--help --all", { kind: "help", args: { words: [], all: true } }],
	["help --all", command("help", { all: true })],
	["-v", { kind: "version" }],
	["--version", { kind: "version" }],
])("%j", (line, request) => {
	expect(readArguments(line.split(" ").filter(Boolean))).toEqual(request);
});

test.each([
	["lst --json", "there is no command lst; did you mean list?"],
	[
		"stripe --json",
		"option --json is not for the browser, only for pi-grove list, search, prompts, commands and others",
	],
	["--sesion-dir /s", "unknown option --sesion-dir; did you mean --session-dir?"],
	["--frobnicate", "unknown option --frobnicate"],
	["-x", "unknown option -x"],
	["show . --treee", "unknown option --treee; did you mean --tree?"],
	["standup extra", "standup takes no argument extra; options start with --"],
	["search", "search needs a query: pi-grove search QUERY…"],
	["search --json", "search needs a query: pi-grove search QUERY…"],
	["search -- ", "search needs a query: pi-grove search QUERY…"],
	["search --limit", "option --limit needs a value: N"],
	["search --limit=0 retry", "option --limit needs a whole number of at least 1, not 0"],
	["search --limit many retry", "option --limit needs a whole number of at least 1, not many"],
	["search --limit 1.5 retry", "option --limit needs a whole number of at least 1, not 1.5"],
	["search retry --limt 5", "unknown option --limt; did you mean --limit?"],
	["search -foo", "unknown option -f; to search for words that start with -, put -- before them"],
	["list --except x", "option --except is not for list, only for pi-grove search"],
	["path", "path needs a session: pi-grove path SESSION"],
	["path a b", "path takes no argument b; options start with --"],
	[
		"list --since soon",
		"option --since needs a date, not soon; there are 2026-11-03, today, yesterday, monday, 7d, 2w and 3mo",
	],
	["--repair-to x", "option --repair-to is not for the browser, only for pi-grove doctor"],
	["list --pi npx", "option --pi is not for list, only for the browser"],
	["--pi", "option --pi needs a value: COMMAND"],
	["--pi=", "option --pi needs a value: COMMAND"],
	["--demo=yes", "option --demo takes no value"],
])("%j is a mistake", (line, message) => {
	expect(readArguments(line.split(" "))).toMatchObject({ kind: "mistake", message });
});

test.each([
	["show . --foo", "show"],
	["search --limt 5 retry", "search"],
	["lst --foo", undefined],
	["--foo", undefined],
])("the mistake in %j names the help of its command", (line, command) => {
	const request = readArguments(line.split(" "));
	expect(request.kind).toBe("mistake");
	expect("command" in request ? request.command : undefined).toBe(command);
});

test("of many commands that take an option, the first ones are named", () => {
	expect(readArguments(["--json"])).toMatchObject({
		message: expect.stringMatching(
			/^option --json is not for the browser, only for pi-grove list(, \w+){3} and others$/,
		),
	});
});

test("the help of a command says what its options mean for it, without Markdown", () => {
	expect(helpOf("history")).toMatch(/--since DATE +Only changes made on DATE or later/);
	expect(helpOf("show")).toMatch(/--runs +The runs of subagents that it started/);
	expect(helpOf("help")).toMatch(/--all +The list of all commands/);
	for (const name of ["show", "list", "delete", "export"] as const)
		expect(helpOf(name)).not.toMatch(/with show|of help/);
	expect(helpOf("serve")).not.toContain("](");
});
