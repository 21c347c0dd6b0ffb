import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { run } from "../support/run.ts";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

// Some start the program several times.

const sandbox = sandboxOfTest();

/** Runs a shell script in which "$@" is the program. */
function shell(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, programPath, ...args], {
		encoding: "utf8",
		env: { ...process.env, ...sandbox.env, ...env },
		cwd: sandbox.home,
	});
	return { code: status, out: stdout, err: stderr };
}

describe("a current directory that was deleted", () => {
	const DELETED = 'mkdir gone && cd gone && rmdir ../gone && "$@"';

	const all = [["list"], ["search", "retry"], ["stats"]];
	test.each(inShort(all, ([command]) => command === "search"))("does not keep %s from working", (...args) => {
		threeSessions(sandbox);
		const { code, out, err } = shell(DELETED, args);
		expect({ code, err }).toEqual({
			code: 0,
			err: expect.stringMatching(/^pi-grove: the current directory was deleted; continuing in .*\n/),
		});
		expect(err).not.toContain("    at ");
		expect(out).not.toBe("");
	});

	test("does not keep the browser from starting, with all sessions", async () => {
		threeSessions(sandbox);
		const terminal = sandbox.start([], { within: ["sh", "-c", DELETED, "sh"] });
		expect(await terminal.waitFor("3 sessions")).toContain("Find the retry loop");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
	});
});

test.runIf(existsSync("/dev/full"))("what cannot be written is said in one line, with an exit code", () => {
	threeSessions(sandbox);
	const all = [["list"], ["list", "--json"], ["search", "retry"], ["stats"], ["--help"], ["--version"]];
	for (const args of inShort(all, (_args, index) => index === 1 || index === 4)) {
		const { code, err } = shell('"$@" >/dev/full', args);
		expect({ code, err: err.split("\n").filter((line) => line.startsWith("pi-grove: ")) }).toEqual({
			code: 2,
			err: ["pi-grove: cannot write the output: the disk is full; make room and try again (ENOSPC)"],
		});
		expect(err).not.toContain("    at ");
	}
	// Nobody reads what is printed on either stream.
	expect(shell('"$@" 2>&1 >/dev/null | true', ["list"]).err).toBe("");
});

describe("a session directory that does not exist", () => {
	const all = [["list"], ["list", "--json"], ["search", "retry"], ["stats"]];
	test.each(inShort(all, ([command]) => command !== "list"))("is a mistake for %s", (...args) => {
		const { code, out, err } = run(sandbox, [...args, "--session-dir", "/nonexistent"]);
		expect({ code, out, err }).toEqual({
			code: 2,
			out: "",
			err: "pi-grove: The session directory /nonexistent (--session-dir) does not exist.\n",
		});
		const fromEnv = run(sandbox, args, { PI_CODING_AGENT_SESSION_DIR: programPath });
		expect(fromEnv).toMatchObject({ code: 2, err: expect.stringContaining("is not a directory") });
	});

	test("is no mistake where pi itself makes it", () => {
		expect(run(sandbox, ["list"])).toMatchObject({ code: 0, err: "" });
	});

	test("is named on the screen, until it is there", async () => {
		const directory = join(sandbox.home, "later");
		const terminal = sandbox.start(["--session-dir", directory]);
		await terminal.waitFor(`The session directory ${directory}`.slice(0, 60));
		expect(await terminal.screen()).toContainEqual(expect.stringContaining("1 problem"));
		mkdirSync(directory);
		terminal.press("ctrl+c");
		await terminal.exit();
		const again = sandbox.start(["--session-dir", directory]);
		await again.waitFor("No sessions in ~/later");
	});
});

describe("where nothing can be written", () => {
	const env = () => {
		const file = join(sandbox.home, "file");
		writeFileSync(file, "");
		return { XDG_CACHE_HOME: join(file, "cache"), TMPDIR: join(sandbox.home, "missing") };
	};

	test("list, search and stats work, and say what is missing", () => {
		threeSessions(sandbox);
		const cannot = expect.stringContaining("pi-grove: Cannot use the index ");
		expect(run(sandbox, ["list"], env())).toMatchObject({ code: 0, err: cannot });
		expect(run(sandbox, ["list"], env()).out.split("\n")).toHaveLength(4);
		expect(run(sandbox, ["search", "retry"], env())).toMatchObject({ code: 0 });
		const stats = run(sandbox, ["stats", "--json"], env());
		expect(stats).toMatchObject({ code: 0, err: cannot });
		expect(JSON.parse(stats.out)).toMatchObject({ sessions: 3, counted: 3 });
	});

	test("the browser shows the sessions, and without any it opens empty", async () => {
		const empty = sandbox.start([], { env: env() });
		await empty.waitFor("No sessions in ~/.pi/agent/sessions");
		empty.press("ctrl+c");
		await empty.exit();
		threeSessions(sandbox);
		const terminal = sandbox.start([], { env: env() });
		expect(await terminal.waitFor(/1 problem {2}3 sessions/)).toContain("Find the retry loop");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
		expect(run(sandbox, ["--version"], env()).code).toBe(0);
	});
});

test("a known session that becomes a named pipe keeps nothing waiting", async () => {
	const { retry } = threeSessions(sandbox);
	expect(run(sandbox, ["list"]).code).toBe(0);
	rmSync(retry);
	expect(spawnSync("mkfifo", [retry]).status).toBe(0);
	const pipe = expect.stringContaining(`${retry} as a session: it is a named pipe`);
	for (const args of [["list"], ["search", "retry"], ["search", "parser"], ["stats"]]) {
		const { code, err } = run(sandbox, args);
		expect({ args, code, err }).toEqual({ args, code: args[1] === "retry" ? 2 : 0, err: pipe });
	}
	const terminal = sandbox.start();
	await terminal.waitFor(/1 problem {2}2 sessions/);
	sandbox.session({ project: "work/new", age: 0, messages: [{ role: "user", text: "a new one" }] });
	await terminal.waitFor(/1 problem {2}3 sessions/);
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
});

test("leaving does not wait for a thread that waits for a disk", () => {
	spawnSync("mkfifo", [join(sandbox.home, "pipe")]);
	const leave = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "cli", "browser", "finish.ts")).href;
	const script = `
		import { Worker } from "node:worker_threads";
		import { leave } from ${JSON.stringify(leave)};
		process.on("SIGINT", () => undefined);
		const code = 'const { workerData, parentPort } = require("node:worker_threads"); parentPort.postMessage(1); require("node:fs").readFileSync(workerData)';
		const worker = new Worker(code, { eval: true, execArgv: [], workerData: ${JSON.stringify(join(sandbox.home, "pipe"))} });
		worker.on("message", () => setTimeout(() => leave(3, true), 100));
	`;
	const args = ["--input-type=module", "-e", script];
	// With process.exit alone it never ends.
	expect(spawnSync(process.execPath, args, { timeout: 60_000, killSignal: "SIGKILL" }).signal).toBe("SIGINT");
});

test("what has the name of a session and is none is a problem that says what it is", () => {
	const { parser } = threeSessions(sandbox);
	const directory = join(parser, "..");
	symlinkSync("/nowhere/at/all", join(directory, "link.jsonl"));
	mkdirSync(join(directory, "folder.jsonl"));
	symlinkSync("/nowhere/else", join(directory, "..", "--gone--"));
	const bytes = (name: string) => Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);
	if (process.platform === "linux") {
		writeFileSync(bytes("caf\xe9.jsonl"), "");
		mkdirSync(Buffer.concat([Buffer.from(`${directory}/../`), Buffer.from("--caf\xe9--", "latin1")]));
	}
	const { code, out, err } = run(sandbox, ["list"]);
	expect(code).toBe(0);
	expect(err).toContain(`${directory}/link.jsonl: the link leads to /nowhere/at/all, which does not exist.`);
	expect(err).toContain(`${directory}/folder.jsonl as a session: it is a directory, not a file.`);
	expect(err).toContain("--gone--: the link leads to /nowhere/else");
	if (process.platform === "linux") {
		expect(err).toContain(`"caf\\xe9.jsonl" in ${directory}: its name is not valid UTF-8`);
		expect(err).toContain('"--caf\\xe9--" in');
	}
	expect(out.split("\n")).toHaveLength(4);
	rmSync(directory, { recursive: true });
});
