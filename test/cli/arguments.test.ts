import { expect, test } from "vitest";
import { readArguments } from "../../src/commands/arguments.ts";

test.each<[string, object]>([
	["", { kind: "browse", demo: false }],
	["--demo", { kind: "browse", demo: true }],
	["--session-dir /s --pi npx", { kind: "browse", sessionDir: "/s", pi: "npx", demo: false }],
	["--session-dir=/s", { kind: "browse", sessionDir: "/s", demo: false }],
	["list", { kind: "list", json: false }],
	["list --json --cwd .", { kind: "list", cwd: ".", json: true }],
	["--session-dir /s list", { kind: "list", sessionDir: "/s", json: false }],
	["list --nonsense --help", { kind: "help" }],
	["-h", { kind: "help" }],
	["-v", { kind: "version" }],
	["--version", { kind: "version" }],
])("%j", (line, request) => {
	expect(readArguments(line.split(" ").filter(Boolean))).toEqual(request);
});

test.each([
	["lst", "unknown command lst; did you mean list?"],
	["browse", "unknown command browse"],
	["list extra", "list takes no argument extra; options start with --"],
	["--sesion-dir /s", "unknown option --sesion-dir; did you mean --session-dir?"],
	["--frobnicate", "unknown option --frobnicate"],
	["-x", "unknown option -x"],
	["--json", "option --json is not for the browser, only for pi-grove list"],
	["list --pi npx", "option --pi is not for list, only for the browser"],
	["--pi", "option --pi needs a value: COMMAND"],
	["--pi=", "option --pi needs a value: COMMAND"],
	["--demo=yes", "option --demo takes no value"],
])("%j is a mistake", (line, message) => {
	expect(readArguments(line.split(" "))).toEqual({ kind: "mistake", message });
});
