import { expect, test } from "vitest";
import { readArguments } from "../../src/cli/arguments.ts";

test.each<[string, object]>([
	["", { kind: "browse", demo: false, mouse: true }],
	["--demo", { kind: "browse", demo: true, mouse: true }],
	["--session-dir /s --pi npx", { kind: "browse", sessionDir: "/s", pi: "npx", demo: false, mouse: true }],
	["--session-dir=/s", { kind: "browse", sessionDir: "/s", demo: false, mouse: true }],
	["--no-mouse", { kind: "browse", demo: false, mouse: false }],
	["01a1ff89 --demo", { kind: "browse", open: "01a1ff89", demo: true, mouse: true }],
	["browse", { kind: "browse", open: "browse", demo: false, mouse: true }],
	["./list", { kind: "browse", open: "./list", demo: false, mouse: true }],
	["list", { kind: "list", json: false }],
	["list --json --cwd .", { kind: "list", cwd: ".", json: true }],
	["--session-dir /s list", { kind: "list", sessionDir: "/s", json: false }],
	["search retry", { kind: "search", query: "retry", json: false }],
	["search retry loop --json --limit 20", { kind: "search", query: "retry loop", limit: 20, json: true }],
	[
		"--limit 3 --session-dir /s search list",
		{ kind: "search", query: "list", sessionDir: "/s", limit: 3, json: false },
	],
	["search -- --json -x", { kind: "search", query: "--json -x", json: false }],
	["search role:user --json re:a.b", { kind: "search", query: "role:user re:a.b", json: true }],
	["stats", { kind: "stats", json: false }],
	["stats --json --session-dir=/s", { kind: "stats", sessionDir: "/s", json: true }],
	["standup", { kind: "standup", since: "yesterday", json: false }],
	["standup --since 7d --cwd . --json", { kind: "standup", since: "7d", cwd: ".", json: true }],
	["doctor", { kind: "doctor", sessions: [], json: false }],
	[
		"doctor a.jsonl 01a1 --repair-to /d",
		{ kind: "doctor", sessions: ["a.jsonl", "01a1"], repairTo: "/d", json: false },
	],
	["list --nonsense --help", { kind: "help" }],
	["-h", { kind: "help" }],
	["-v", { kind: "version" }],
	["--version", { kind: "version" }],
])("%j", (line, request) => {
	expect(readArguments(line.split(" ").filter(Boolean))).toEqual(request);
});

test.each([
	["lst", "unknown command lst; did you mean list?"],
	["a.jsonl b.jsonl", "the browser opens one session, a.jsonl; it takes no argument b.jsonl"],
	["list extra", "list takes no argument extra; options start with --"],
	["--sesion-dir /s", "unknown option --sesion-dir; did you mean --session-dir?"],
	["--frobnicate", "unknown option --frobnicate"],
	["-x", "unknown option -x"],
	["serch retry", "unknown command serch; did you mean search?"],
	["stat", "unknown command stat; did you mean stats?"],
	["stats extra", "stats takes no argument extra; options start with --"],
	["search", "search needs a query: pi-grove search QUERY"],
	["search --json", "search needs a query: pi-grove search QUERY"],
	["search -- ", "search needs a query: pi-grove search QUERY"],
	["search --limit", "option --limit needs a value: N"],
	["search --limit=0 retry", "option --limit needs a whole number of at least 1, not 0"],
	["search --limit many retry", "option --limit needs a whole number of at least 1, not many"],
	["search --limit 1.5 retry", "option --limit needs a whole number of at least 1, not 1.5"],
	["search retry --limt 5", "unknown option --limt; did you mean --limit?"],
	["search -foo", "unknown option -f; to search for words that start with -, put -- before them"],
	["search --cwd . retry", "option --cwd is not for search, only for pi-grove list and standup"],
	["stats --limit 5", "option --limit is not for stats, only for pi-grove search"],
	["--json", "option --json is not for the browser, only for pi-grove list, search, stats, standup and doctor"],
	["list --pi npx", "option --pi is not for list, only for the browser"],
	["--pi", "option --pi needs a value: COMMAND"],
	["--pi=", "option --pi needs a value: COMMAND"],
	["--demo=yes", "option --demo takes no value"],
])("%j is a mistake", (line, message) => {
	expect(readArguments(line.split(" "))).toEqual({ kind: "mistake", message });
});
