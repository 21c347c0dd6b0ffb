import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { LiveSessions } from "../../../src/catalog/sync/live-sessions.ts";
import { runningPi } from "../../../src/catalog/sync/running-pi.ts";

const sessions = () => [
	{ path: "/s/3.jsonl", cwd: "/home/me/a", mtimeMs: 3000 },
	{ path: "/s/2.jsonl", cwd: "/home/me/a", mtimeMs: 2000 },
	{ path: "/s/1.jsonl", cwd: "/home/me/b", mtimeMs: 1000 },
];

test("a session that grew is live for a while, and so is one that a running pi writes", () => {
	const live = new LiveSessions();
	live.grew("/s/1.jsonl", 0);
	expect(live.current(sessions, [], 10_000)).toEqual(["/s/1.jsonl"]);
	expect(live.current(sessions, [], 60_000)).toEqual([]);
	const pi = { cwd: "/home/me/a", started: 1500, session: undefined };
	expect(live.current(sessions, [pi], 60_000)).toEqual(["/s/3.jsonl"]);
	expect(live.current(sessions, [{ ...pi, started: 9000 }], 60_000)).toEqual([]);
	expect(live.current(sessions, [{ ...pi, session: "/s/2.jsonl" }], 60_000)).toEqual(["/s/2.jsonl"]);
});

test("what this program itself has changed is not live, whichever way it is heard of first", () => {
	const live = new LiveSessions();
	live.grew("/s/1.jsonl", 1000);
	live.changedHere("/s/1.jsonl", 1100);
	expect(live.current(sessions, [], 1200)).toEqual([]);
	// A pi that wrote before is still there.
	live.grew("/s/2.jsonl", 1000);
	live.changedHere("/s/2.jsonl", 9000);
	expect(live.current(sessions, [], 9100)).toEqual(["/s/2.jsonl"]);
});

test.runIf(process.platform === "linux")("finds a running pi by its name", async () => {
	const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
		argv0: "pi",
		cwd: "/",
		stdio: ["pipe", "ignore", "ignore"],
	});
	onTestFinished(() => void child.kill());
	await new Promise((resolve) => child.once("spawn", resolve));
	const [found] = runningPi().filter((pi) => pi.cwd === "/");
	expect(Math.abs((found?.started ?? 0) - Date.now())).toBeLessThan(60_000);
});
