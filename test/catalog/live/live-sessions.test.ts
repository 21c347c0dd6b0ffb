import { expect, test } from "vitest";
import type { RecentFile } from "../../../src/catalog/index/session-table.ts";
import { LiveSessions } from "../../../src/catalog/live/live-sessions.ts";
import type { PiNote } from "../../../src/catalog/live/process-notes.ts";
import type { PiProcess } from "../../../src/catalog/live/processes.ts";
import type { LiveReport } from "../../../src/catalog/model/live.ts";

const HOUR = 3_600_000;
const T = Date.parse("2026-11-21T12:00:00.000Z");
const DIRECTORY = "/home/me/a";
const AGENT_DIR = "/home/me/.pi/agent";

/** Sources that a test changes, and the live sessions that use them. */
function world(...sessions: readonly RecentFile[]) {
	const now = {
		ms: T,
		pis: [] as PiProcess[],
		handOvers: [] as { path: string; pid: number; startedMs: number }[],
		notes: [] as PiNote[],
		looks: 0,
	};
	const live = new LiveSessions({
		pis: () => {
			now.looks += 1;
			return now.pis;
		},
		handOvers: () => now.handOvers,
		notes: () => now.notes,
		agentDir: AGENT_DIR,
		isRun: () => false,
		writers: () => new Map(),
		runs: (pid) => now.pis.some((one) => one.pid === pid),
		now: () => now.ms,
	});
	const report = (asked?: readonly string[]): LiveReport => live.report(() => sessions, asked);
	return { now, live, report, seen: (asked?: readonly string[]) => kinds(report(asked)) };
}

function kinds({ sessions }: LiveReport): Record<string, string> {
	return Object.fromEntries([...sessions].map(([path, all]) => [path, all.map(({ kind }) => kind).join(" ")]));
}

/** A session that was begun and last used this long before `T`, in milliseconds. */
function session(name: string, createdAge: number, modifiedAge: number, more: Partial<RecentFile> = {}): RecentFile {
	const createdMs = T - createdAge;
	const stamp = new Date(createdMs).toISOString().replace(/[:.]/g, "-");
	const modifiedMs = T - modifiedAge;
	return { path: `/s/${stamp}_${name}.jsonl`, cwd: DIRECTORY, createdMs, modifiedMs, mtimeMs: modifiedMs, ...more };
}

function pi(pid: number, age: number, more: Partial<PiProcess> = {}): PiProcess {
	return {
		pid,
		startedMs: T - age,
		cwd: DIRECTORY,
		sessionArgument: undefined,
		continues: false,
		commandSession: undefined,
		agentDir: AGENT_DIR,
		...more,
	};
}

const old = session("old", 30 * HOUR, 20 * HOUR);

test("growth by an unknown writer counts as use for half a minute", () => {
	const { now, live, seen } = world(old);
	live.grew(old.path, old.cwd, T);
	now.ms = T + 29_000;
	expect(seen()).toEqual({ [old.path]: "grew" });
	now.ms = T + 31_000;
	expect(seen()).toEqual({});
});

test("growth is attributed to the only pi that can have written it, and ends with that pi", () => {
	const { now, live, report, seen } = world(old);
	now.pis = [pi(1, HOUR), pi(2, HOUR, { cwd: "/home/me/b" })];
	live.grew(old.path, old.cwd, T);
	now.ms = T + HOUR;
	expect(report().sessions.get(old.path)).toEqual([{ kind: "wrote", pid: 1, startedMs: T - HOUR, wroteMs: T }]);
	expect(report().pis.map(({ sessions }) => sessions)).toEqual([[old.path], []]);
	now.pis = [pi(2, HOUR, { cwd: "/home/me/b" })];
	expect(seen([old.path])).toEqual({});
});

test("with two pis in its directory the writer is unknown", () => {
	const { now, live, seen } = world(old);
	now.pis = [pi(1, HOUR), pi(2, HOUR)];
	live.grew(old.path, old.cwd, T);
	expect(seen()).toEqual({ [old.path]: "grew" });
});

test("what is new, replaced or still being copied has not grown", () => {
	const { now, live, seen } = world(old);
	live.replaced(old.path);
	now.ms = T + 500;
	live.grew(old.path, old.cwd, T + 500);
	expect(seen()).toEqual({});
	now.ms = T + 5_000;
	live.grew(old.path, old.cwd, T + 5_000);
	expect(seen()).toEqual({ [old.path]: "grew" });
	live.replaced(old.path);
	expect(seen()).toEqual({});
});

test("growth that is noticed long afterwards does not count", () => {
	const { live, seen } = world(old);
	live.grew(old.path, old.cwd, T - HOUR);
	expect(seen()).toEqual({});
});

test("a pi has the session that was begun when it started, and the nearer of two", () => {
	const [one, two] = [session("one", HOUR - 1_500, 60_000), session("two", HOUR - 9_000, 30_000)];
	const { now, seen } = world(two, one, old);
	now.pis = [pi(1, HOUR), pi(2, HOUR - 7_500)];
	expect(seen()).toEqual({ [one.path]: "begun", [two.path]: "begun" });
});

test("a pi in another directory, or started after it was last used, has nothing to do with a session", () => {
	const { now, seen } = world(session("recent", HOUR, 60_000), old);
	now.pis = [pi(1, 2 * HOUR, { cwd: "/home/me/b" })];
	expect(seen()).toEqual({});
	now.pis = [pi(1, 30_000)];
	expect(seen()).toEqual({});
});

test("the only pi in a directory has the session that was used since it started", () => {
	const resumed = session("resumed", 30 * HOUR, 60_000);
	const { now, seen } = world(resumed, old);
	now.pis = [pi(1, HOUR)];
	expect(seen()).toEqual({ [resumed.path]: "wrote" });
	// One of the two, but it is unknown which.
	now.ms += 2_000;
	now.pis = [pi(1, HOUR), pi(2, 2 * HOUR)];
	expect(seen()).toEqual({});
});

test("a resumed session in which pi has only noted its settings was written when that pi started", () => {
	const noted = session("noted", 30 * HOUR, 20 * HOUR, { mtimeMs: T - HOUR + 1_200 });
	const touched = session("touched", 30 * HOUR, 20 * HOUR, { mtimeMs: T - 60_000 });
	const { now, seen } = world(touched, noted, old);
	now.pis = [pi(1, HOUR)];
	expect(seen()).toEqual({ [noted.path]: "wrote" });
});

test("a copy is not in use: neither under a name of its own nor together with the original", () => {
	const begun = session("begun", HOUR - 1_000, 60_000);
	const copy = { ...begun, path: "/s/copy.jsonl", mtimeMs: T };
	const { now, seen } = world(copy, begun);
	now.pis = [pi(1, HOUR)];
	expect(seen()).toEqual({ [begun.path]: "begun" });
});

test("a pi that continues has the session of its directory that was written last", () => {
	const before = session("before", 40 * HOUR, 30 * HOUR);
	const { now, seen } = world(before, old, session("elsewhere", 30 * HOUR, HOUR, { cwd: "/other" }));
	now.pis = [pi(1, HOUR, { continues: true })];
	expect(seen()).toEqual({ [old.path]: "continued" });
});

test("a hand-over, a running command and an argument each name the session", () => {
	const [a, b, c] = ["a", "b", "c"].map((name) => session(name, 30 * HOUR, 20 * HOUR)) as [
		RecentFile,
		RecentFile,
		RecentFile,
	];
	const { now, seen } = world(a, b, c);
	now.handOvers = [{ path: a.path, pid: 1, startedMs: T - HOUR }];
	now.pis = [pi(1, HOUR), pi(2, HOUR, { commandSession: b.path }), pi(3, HOUR, { sessionArgument: "c" })];
	expect(seen()).toEqual({ [a.path]: "handed-over", [b.path]: "command", [c.path]: "named" });
	now.pis = [pi(4, HOUR, { sessionArgument: "../a/x.jsonl" })];
	now.handOvers = [];
	now.ms += 2_000;
	expect(seen()).toEqual({ "/home/me/a/x.jsonl": "named" });
});

test("the processes are checked at most once a second, and immediately for a question", () => {
	const { now, seen, live } = world(old);
	for (let times = 0; times < 50; times++) {
		live.grew(old.path, old.cwd, T);
		seen();
	}
	expect(now.looks).toBe(1);
	seen([old.path]);
	expect(now.looks).toBe(2);
});

test("changes are reported once, whatever was asked in between", () => {
	const { now, live } = world(old);
	const changes = () => live.changes(() => [old]);
	expect(changes()).toBeUndefined();
	now.handOvers = [{ path: old.path, pid: 1, startedMs: T }];
	now.ms += 2_000;
	expect(changes()?.sessions.size).toBe(1);
	expect(changes()).toBeUndefined();
	now.handOvers = [];
	expect(live.report(() => [old], [old.path]).sessions.size).toBe(0);
	now.handOvers = [{ path: old.path, pid: 1, startedMs: T }];
	now.ms += 2_000;
	expect(changes()?.sessions.size).toBe(1);
});

test("the end of a pi is noticed without checking all processes", () => {
	const { now, live, seen } = world(old);
	now.pis = [pi(1, HOUR)];
	live.grew(old.path, old.cwd, T);
	expect([seen(), live.hasEnded()]).toEqual([{ [old.path]: "wrote" }, false]);
	now.pis = [];
	expect([live.hasEnded(), seen(), live.hasEnded()]).toEqual([true, {}, false]);
});
