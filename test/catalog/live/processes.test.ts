import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writersOf } from "../../../src/catalog/live/open-files.ts";
import { runningPis, startMark, startTime } from "../../../src/catalog/live/processes.ts";
import { startFakePi } from "../../support/fake-pi.ts";
import { tempDir } from "../../support/temp-dir.ts";

const isLinux = process.platform === "linux";

function directory(): string {
	return realpathSync(tempDir());
}

describe.runIf(isLinux)("the running pis", () => {
	test("are found behind their title, with directory and start, but without the arguments that it hides", async () => {
		const cwd = directory();
		const began = Date.now();
		const { pid } = await startFakePi(cwd, ["--session", "/s/a.jsonl"], { PI_CODING_AGENT_DIR: "/home/me/agent" });
		expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("--session");
		const [found, ...others] = runningPis().filter((pi) => pi.cwd === cwd);
		expect(found).toEqual({
			pid,
			cwd,
			startedMs: expect.any(Number),
			sessionArgument: undefined,
			continues: false,
			commandSession: undefined,
			agentDir: "/home/me/agent",
		});
		expect(Math.abs((found?.startedMs ?? 0) - began)).toBeLessThan(10_000);
		expect(others).toEqual([]);
	});

	test("are found by their program while they have no title, and then their arguments name the session", async () => {
		const cwd = directory();
		const script = join(cwd, "pi");
		writeFileSync(script, "process.stdin.resume(); process.stdout.write('.');");
		const child = spawn(process.execPath, [script, "-c", "--session", "/s/a.jsonl"], {
			cwd,
			stdio: ["pipe", "pipe", "inherit"],
		});
		onTestFinished(() => void child.kill());
		await once(child.stdout, "data");
		expect(runningPis().filter((pi) => pi.cwd === cwd)).toMatchObject([
			{ pid: child.pid, sessionArgument: "/s/a.jsonl", continues: true },
		]);
	});

	test("have the session for which they run a command in the command's environment; an inherited one is another pi's", async () => {
		const cwd = directory();
		const pi = await startFakePi(cwd);
		await pi.runCommand("/s/a.jsonl");
		const sessionOf = () => runningPis().find(({ pid }) => pid === pi.pid)?.commandSession;
		expect(sessionOf()).toBe("/s/a.jsonl");
		// A pi that was itself started by a pi, and whose children inherit the variable.
		const inner = await startFakePi(cwd, [], { PI_SESSION_FILE: "/s/outer.jsonl" });
		await inner.runCommand("/s/outer.jsonl");
		expect(runningPis().find(({ pid }) => pid === inner.pid)?.commandSession).toBeUndefined();
	});

	test("are gone when they have ended, even if their parent has not collected their status", async () => {
		const cwd = directory();
		// A parent that never collects the status.
		const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], {
			cwd,
			stdio: ["ignore", "pipe", "inherit"],
		});
		onTestFinished(() => void parent.kill("SIGKILL"));
		const [line] = await once(parent.stdout, "data");
		const pid = Number(String(line));
		await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
		expect([startMark(pid), startTime(pid)]).toEqual([undefined, undefined]);
	});
});

test.runIf(isLinux)("the mark of a process is its own, and stays", async () => {
	const pi = await startFakePi(directory());
	expect(startMark(pi.pid)).toMatch(/^[0-9a-f-]{36}:\d+$/);
	expect(startMark(pi.pid)).toBe(startMark(pi.pid));
	expect(startMark(pi.pid)).not.toBe(startMark(1));
	await pi.end();
	expect(startMark(pi.pid)).toBeUndefined();
});

test.runIf(isLinux)("who has a file open is who may write to it, not who reads it or this program", async () => {
	const path = join(directory(), "a.jsonl");
	writeFileSync(path, "");
	const own = openSync(path, "a");
	const reader = spawn("sh", ["-c", 'exec 3<"$0"; read -r line', path], { stdio: ["pipe", "ignore", "inherit"] });
	onTestFinished(() => {
		reader.kill();
		closeSync(own);
	});
	await once(reader, "spawn");
	const pi = await startFakePi(directory(), [], { TITLE: "editor" });
	expect(writersOf([path]).get(path)).toEqual([]);
	await pi.open(path);
	expect(writersOf([join(directory(), "other.jsonl"), path]).get(path)).toEqual([
		{ kind: "open", pid: pi.pid, startedMs: startTime(pi.pid), program: "editor" },
	]);
});

test("without /proc there is nothing to see", () => {
	const none = join(tempDir(), "proc");
	expect([
		runningPis(none),
		[...writersOf([tempDir()], undefined, none).values()].flat(),
		startMark(process.pid, none),
	]).toEqual([[], [], undefined]);
});
