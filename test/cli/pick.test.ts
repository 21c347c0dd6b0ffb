import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { noteHandOver } from "../../src/catalog/live/process-notes.ts";
import { inLong } from "../support/cases.ts";
import { startFakePi } from "../support/fake-pi.ts";
import { run } from "../support/run.ts";
import { programPath, type StartOptions, sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
let sessions: ReturnType<typeof threeSessions>;
beforeEach(() => {
	sessions = threeSessions(sandbox);
});

/** Runs it in a command substitution, and has the shell print what it got, between the two marks. */
const SHELLS = {
	sh: ["sh", "-c", 'p=$("$@"); printf "code %s\\n<%s>\\n" "$?" "$p"', "sh"],
	bash: ["bash", "-c", 'p=$("$@"); printf "code %s\\n<%s>\\n" "$?" "$p"', "bash"],
	zsh: ["zsh", "-c", 'p=$("$@"); printf "code %s\\n<%s>\\n" "$?" "$p"', "zsh"],
	fish: ["fish", "-c", 'set p ($argv[1] $argv[2..]); printf "code %s\\n<%s>\\n" $status "$p"'],
} as const;

function pick(args: readonly string[], options: StartOptions = {}): TestTerminal {
	return sandbox.start(["pick", ...args], { within: SHELLS.sh, columns: 200, ...options });
}

/** What the shell got, and the exit code. */
async function got(terminal: TestTerminal): Promise<readonly [code: number, text: string]> {
	await terminal.exit();
	const [, code = "", printed = ""] = /code (\d+)\r?\n<([^>]*)>/.exec(terminal.written) ?? [];
	return [Number(code), printed];
}

describe("in a command substitution", () => {
	// The next test is in sh.
	test.for(inLong(["sh", "bash", "zsh", "fish"] as const, ["fish"] as const))(
		"of %s the browser is drawn on the terminal, and the path alone is printed",
		async (shell, { skip }) => {
			if (spawnSync(shell, ["-c", ":"]).error !== undefined) skip(`${shell} is not installed`);
			const terminal = pick([], { within: SHELLS[shell] });
			await terminal.waitFor("1/3");
			terminal.press("down");
			await terminal.waitFor("› Refactor the parser");
			terminal.press("enter");
			expect(await got(terminal)).toEqual([0, sessions.parser]);
		},
	);

	test("it is drawn on the controlling terminal where stderr goes elsewhere, and follows its size; a query and the options of the lists say where it begins; --json prints the session in one line", async () => {
		const within = ["sh", "-c", 'p=$("$@" 2>errors.txt </dev/null); printf "code %s\\n<%s>\\n" "$?" "$p"', "sh"];
		const terminal = pick(["--json", "--cwd", "work/api", "--named", "parser"], { within });
		await terminal.waitFor(/1\/1\b/);
		terminal.resize(60, 12);
		await terminal.waitFor((screen) => screen.split("\n").length === 12 && /1\/1\b/.test(screen));
		terminal.press("enter");
		const [code, printed] = await got(terminal);
		const cwd = join(sandbox.home, "work/api");
		expect([code, JSON.parse(printed)]).toMatchObject([
			0,
			{ path: sessions.parser, name: "Refactor the parser", entryId: null, cwd },
		]);
		expect(printed.trimEnd()).not.toContain("\n");
		expect(readFileSync(join(sandbox.home, "errors.txt"), "utf8")).toBe("");
	});

	test("escape prints nothing and ends with 130; no shell can take the terminal back before", async () => {
		const terminal = pick([]);
		await terminal.waitFor("1/3");
		terminal.press("ctrl+z");
		await terminal.waitFor("leave first");
		terminal.press("escape");
		expect(await got(terminal)).toEqual([130, ""]);
	});
});

test("--fd writes it to another descriptor, and is drawn on stdout; neither a missing pi nor a directory that is gone is in the way: pi says that itself", async () => {
	const gone = sandbox.session({ project: "gone", age: 1, messages: [{ role: "user", text: "Where am I?" }] });
	rmdirSync(join(sandbox.home, "gone"));
	const within = ["/bin/sh", "-c", '"$@" 5>choice.txt 2>errors.txt', "sh"];
	const terminal = pick(["--fd", "5"], { env: { PATH: join(sandbox.home, "bin") }, within });
	await terminal.waitFor("1/4");
	terminal.press("enter");
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	expect(readFileSync(join(sandbox.home, "choice.txt"), "utf8")).toBe(`${gone}\n`);
});

test("--json prints the entry under the cursor, and writes nothing", async () => {
	const before = sandbox.fingerprints();
	const terminal = pick(["--json"]);
	await terminal.waitFor("1/3");
	terminal.press("down");
	await terminal.waitFor("› Refactor the parser");
	terminal.press("right", "home", "down");
	await terminal.waitFor(/[›│]● Why does the import/);
	terminal.press("enter");
	const [, printed] = await got(terminal);
	const { entryId } = JSON.parse(printed);
	const line = readFileSync(sessions.parser, "utf8")
		.split("\n")
		.find((each) => each.includes("Why does the import"));
	expect(line).toContain(`"id":"${entryId}"`);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("without --json an entry chooses its session: nothing is asked or written, and a line on stderr says so", async () => {
	const before = sandbox.fingerprints();
	const terminal = pick([]);
	await terminal.waitFor("1/3");
	terminal.press("down");
	await terminal.waitFor("› Refactor the parser");
	terminal.press("right", "up");
	await terminal.waitFor(/› ?.* Stream it instead/);
	terminal.press("enter");
	expect(await got(terminal)).toEqual([0, sessions.parser]);
	expect(terminal.written).toMatch(/pi-grove: the path is that of the session, .*; --json also prints the entry 0001/);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("a session that a running pi has, or may have, is chosen without a question; what is known is said on stderr", async () => {
	// Written long before that pi was started.
	utimesSync(sessions.retry, 0, 0);
	const before = sandbox.fingerprints();
	const env = { PI_CODING_AGENT_DIR: sandbox.agentDir };
	const { pid } = await startFakePi(join(sandbox.home, "work/api"), [], env);
	const first = pick([]);
	await first.waitFor("1/3");
	first.press("enter");
	expect(await got(first)).toEqual([0, sessions.retry]);
	expect(first.written).not.toContain("this session");
	noteHandOver(join(sandbox.home, "state", "pi-grove"), { path: sessions.retry, pid, startedMs: Date.now() });
	const second = pick([]);
	await second.waitFor(/^. ● Find the retry loop/m);
	second.press("enter");
	expect(await got(second)).toEqual([0, sessions.retry]);
	expect(second.written).toMatch(
		new RegExp(`pi-grove: this session is in use\\. pi \\(pid ${pid}, since .+\\) was started with it\\.`),
	);
	expect(sandbox.fingerprints()).toEqual(before);
});

describe("what cannot be done ends with 2 and one line", () => {
	test("without any terminal", async () => {
		const env = { ...process.env, ...sandbox.env };
		// In a session of its own, which no terminal controls.
		const child = spawn(process.execPath, [programPath, "pick"], { env, detached: true });
		child.stdin.end();
		const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
		expect([code, out]).toEqual([2, ""]);
		expect(err).toBe(
			"pi-grove: choosing needs a terminal, and there is none. Without one, use: pi-grove list --json\n",
		);
	});

	test.each<[string, readonly string[], Record<string, string>, RegExp]>([
		["a descriptor that is not open", ["--fd", "77"], {}, /descriptor 77: it is not open.*pick --fd 77 77>FILE\n$/],
		["no descriptor", ["--fd", "x"], {}, /--fd needs a file descriptor, a whole number from 0, not x/],
		[
			"an agent",
			[],
			{ PI_CODING_AGENT: "true" },
			/needs a person, and this is run by an agent. Use: pi-grove search --json/,
		],
		["no session directory", ["--session-dir", "nowhere"], {}, /nowhere/],
	])("%s", (_, args, env, message) => {
		const { code, out, err } = run(sandbox, ["pick", ...args], env);
		expect([code, out]).toEqual([2, ""]);
		expect(err).toMatch(message);
		expect(err.trimEnd().split("\n")).toHaveLength(1);
	});
});
