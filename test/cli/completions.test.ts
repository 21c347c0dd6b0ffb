import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { run } from "../support/run.ts";
import { programPath, Sandbox, threeSessions } from "../support/sandbox.ts";
import { TestTerminal } from "../support/terminal.ts";

const sandbox = new Sandbox();
threeSessions(sandbox);
/** An id as pi makes them. */
const ID = "019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b";
afterAll(() => sandbox.remove());

beforeAll(() => {
	const command = join(sandbox.directory("bin"), "pi-grove");
	writeFileSync(command, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(programPath)} "$@"\n`);
	chmodSync(command, 0o755);
	sandbox.directory("work dir");
	writeFileSync(join(sandbox.home, "notes.txt"), "");
	const path = sandbox.session({
		project: "work/site",
		age: 30,
		messages: [
			{ role: "user", text: "Draw the logo" },
			{ role: "assistant", text: "Done." },
			{ role: "user", text: "Make it blue" },
		],
	});
	writeFileSync(path, readFileSync(path, "utf8").replace(/"id":"session-\d+"/, `"id":"${ID}"`));
	// The titles come from the index.
	run(sandbox, ["list"]);
});

/** How each shell is started without the person's settings, and what turns its completions on. */
const SHELLS = [
	["bash", "bash", ["--noprofile", "--norc"], "source <(pi-grove completions bash)"],
	// As bash 3, which macOS has, in what matters here.
	["bash without compopt", "bash", ["--noprofile", "--norc"], "enable -n compopt; source <(pi-grove completions bash)"],
	["zsh", "zsh", ["-f"], "autoload -U compinit; compinit -u -D; source <(pi-grove completions zsh)"],
	["fish", "fish", ["--no-config"], "set -g fish_autosuggestion_enabled 0; pi-grove completions fish | source"],
] as const;

/** What is typed before Tab, and how the line ends after it. */
const LINES: readonly (readonly [typed: string, line: string])[] = [
	["pi-grove comple", "pi-grove completions "],
	["pi-grove completions f", "pi-grove completions fish "],
	["pi-grove --session-dir . list --nam", "list --named "],
	["pi-grove list --since yes", "--since yesterday "],
	["pi-grove list --since=yes", "--since=yesterday "],
	["pi-grove list --cwd work\\ d", "--cwd work\\ dir/"],
	["pi-grove list --cwd=work\\ d", "--cwd=work\\ dir/"],
	["pi-grove blame note", "blame notes.txt "],
	["pi-grove export . --out=note", "--out=notes.txt "],
	['pi-grove list --cwd "work dir" --nam', '"work dir" --named '],
	["pi-grove search -- foo role:us", "foo role:user "],
	["pi-grove help env", "help environment "],
	["pi-grove search role:us", "search role:user "],
	["pi-grove search foo siz", "search foo size:"],
	[`pi-grove doctor ${ID.slice(0, 9)}`, `doctor ${ID} `],
	[`pi-grove ${ID.slice(0, 9)}`, `pi-grove ${ID} `],
];
/** What a shell takes apart differently: words, options, values, files, blanks, quotes, and what no blank follows. */
const IN_SHORT = /comple$|=yes$|--cwd|=note$|siz$|^pi-grove \d/;

describe.each(inShort(SHELLS, ([name]) => name !== "bash without compopt"))("in %s", (_name, shell, args, turnOn) => {
	test("Tab completes commands, options, their values, sessions, entries and queries, also in the middle of the line, and lists the sessions that may be meant with their titles", async ({
		skip,
	}) => {
		if (spawnSync(shell, ["-c", "true"]).status !== 0) skip(`${shell} is not installed`);
		const env = { ...sandbox.env, PS1: "$ ", LC_ALL: "C.UTF-8", SHELL: undefined };
		const terminal = new TestTerminal(shell, args, { cwd: sandbox.home, env, columns: 160 });
		try {
			terminal.type(`${turnOn}; clear; echo ready-$(expr 1 + 1)\r`);
			await terminal.waitFor("ready-2");
			/** Types a part of a command line, presses Tab, and waits for the line as it should be; then takes it back. */
			const completes = async (typed: string, line: string): Promise<void> => {
				terminal.type(`${typed}\t`);
				await terminal.waitFor((screen) => screen.split("\n").some((row) => row.trimEnd().endsWith(line.trimEnd())));
				terminal.press("ctrl+u");
				await terminal.waitFor((screen) => !screen.includes(line.trimEnd()));
			};
			for (const [typed, line] of inShort(LINES, ([typed]) => IN_SHORT.test(typed))) await completes(typed, line);
			terminal.type(`pi-grove doctor ${ID}#\t`);
			await terminal.waitFor("#000");
			terminal.type("\t\t");
			await terminal.waitFor("Make it blue");

			terminal.type("\u0015clear\r");
			await terminal.waitFor((screen) => !screen.includes("Make it blue"));
			const back = "\u001b[D".repeat("  --json".length);
			terminal.type(`pi-grove list --nam  --json${back}\t`);
			await terminal.waitFor((screen) => / list --named +--json/.test(screen));
			terminal.type("\u0005\u0015");
			await terminal.waitFor((screen) => !screen.includes("--named"));
			terminal.type("pi-grove doctor \t\t");
			const screen = await terminal.waitFor("Refactor the parser");
			expect(screen.indexOf("Find the retry loop")).toBeGreaterThan(0);
			expect(screen.indexOf("Find the retry loop")).toBeLessThan(screen.indexOf("Refactor the parser"));
		} finally {
			terminal.kill();
		}
	});
});

/** What the program answers to the words up to the cursor: the directive, then the candidates without their meanings. */
function answer(...words: readonly string[]): readonly string[] {
	const { code, out, err } = run(sandbox, ["__complete", "--", ...words]);
	expect({ code, err }).toEqual({ code: 0, err: "" });
	return out
		.trimEnd()
		.split("\n")
		.map((line) => line.replace(/\t.*/, ""));
}

test.each([
	["a command", ["comple"], [":", "completions"]],
	["a session where no command matches", [ID.slice(0, 9)], [":", ID]],
	["a path in place of a session", ["doctor", "./"], [":files"]],
	["an option of the command", ["list", "--nam"], [":", "--named"]],
	["its short form", ["undo", "-y"], [":", "-y"]],
	["no option of another command", ["list", "--pi"], [":"]],
	["an option of the browser", ["--le"], [":", "--leave"]],
	["an option before the command", ["--session-dir", ".", "list", "--nam"], [":", "--named"]],
	["a value", ["list", "--since", "yes"], [":", "yesterday"]],
	["a value behind =", ["list", "--since=yes"], [":", "--since=yesterday"]],
	["a value that begins with a dash", ["list", "--cwd", "-"], [":directories"]],
	["the word behind a value with =", ["list", "--since=7d", "--nam"], [":", "--named"]],
	["a directory", ["list", "--cwd", "work d"], [":directories"]],
	["a directory behind =", ["list", "--cwd=work d"], [":directories"]],
	["a file", ["blame", ""], [":files"]],
	["a file as a value", ["export", ".", "--out", ""], [":files"]],
	["a session as a value", ["search", "--except", ID.slice(0, 9)], [":", ID]],
	["no value of a flag", ["list", "--json=x"], [":"]],
	["no value of an unknown option", ["list", "--what=x"], [":"]],
	["nothing in place of text", ["list", "--limit", ""], [":"]],
	["a choice", ["completions", "f"], [":", "fish"]],
	["nothing after the last word", ["completions", "fish", ""], [":"]],
	["a query where neither a command nor a session matches", ["role:us"], [":", "role:user"]],
	["a field of it, and its value at once", ["siz"], [":nospace", "size:"]],
	["a query behind the first word", ["stripe", "role:us"], [":", "role:user"]],
	["no command behind --", ["--", "comple"], [":"]],
	["a session behind --", ["--", ID.slice(0, 9)], [":", ID]],
	["text after the first word", ["rename", ".", ""], [":"]],
	["a topic of the help", ["help", "env"], [":", "environment"]],
	["a field, and its value at once", ["search", "foo", "siz"], [":nospace", "size:"]],
	["the value of a field", ["search", "role:us"], [":", "role:user"]],
	["words instead of options behind --", ["search", "--", "--na"], [":"]],
	["a query behind --", ["search", "--", "role:us"], [":", "role:user"]],
	["nothing with blanks, which a shell would take apart", ["search", "foo role:us"], [":"]],
])("the program proposes %s", (_what, words, expected) => {
	expect(answer(...words)).toEqual(expected);
});

test("all commands, and all options, have a meaning", () => {
	for (const words of [[""], ["list", "-"]]) {
		const lines = run(sandbox, ["__complete", "--", ...words])
			.out.trimEnd()
			.split("\n")
			.slice(1);
		expect(lines.length).toBeGreaterThan(5);
		for (const line of lines) expect(line).toMatch(/^[a-z-]+\t\S.*$/);
	}
});

test("sessions come from the directory of --session-dir", () => {
	const words = (option: readonly string[]) => ["doctor", ...option, ID.slice(0, 9)];
	expect(answer(...words(["--session-dir", join(sandbox.home, "work dir")]))).toEqual([":"]);
	expect(answer(...words([`--session-dir=${join(sandbox.home, "work dir")}`]))).toEqual([":"]);
	expect(answer(...words(["--session-dir", "/does/not/exist"]))).toEqual([":"]);
});

test("nothing is printed on stderr, and nothing is written", () => {
	const before = sandbox.fingerprints();
	expect(answer("doctor", `${ID}#zzz`)).toEqual([":"]);
	expect(answer("doctor", "zzz")).toEqual([":"]);
	expect(answer("doctor", "")).toContain(ID);
	expect(run(sandbox, ["__complete"])).toEqual({ code: 0, out: "", err: "" });
	expect(sandbox.fingerprints()).toEqual(before);
});

test("an id that a shell would take apart is not proposed", () => {
	const hostile = new Sandbox();
	try {
		const path = hostile.session({ project: "x", age: 1, messages: [{ role: "user", text: "hello" }] });
		const id = "$(touch owned)";
		writeFileSync(
			path,
			`{"type":"session","version":3,"id":${JSON.stringify(id)},"timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}\n`,
		);
		for (const warm of [false, true]) {
			if (warm) run(hostile, ["list"]);
			expect(run(hostile, ["__complete", "--", "doctor", ""])).toEqual({ code: 0, out: ":\n", err: "" });
		}
	} finally {
		hostile.remove();
	}
});

test("a shell that starts is not told of a directory that is missing", () => {
	const { code, err } = run(sandbox, ["completions", "bash"], { PI_CODING_AGENT_SESSION_DIR: "/does/not/exist" });
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(run(sandbox, ["completions", "tcsh"])).toEqual({
		code: 2,
		out: "",
		err: "pi-grove: completions takes bash, zsh and fish, not tcsh; did you mean bash? (see pi-grove completions --help)\n",
	});
});
