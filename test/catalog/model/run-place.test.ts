import { expect, test } from "vitest";
import { isSessionPath, runAt, runPlaceOf } from "../../../src/catalog/model/run-place.ts";
import type { SessionRoots } from "../../../src/catalog/model/session-roots.ts";

const DEFAULT: SessionRoots = { kind: "default", root: "/h/agent/sessions", agentDir: "/h/agent", problems: [] };
const CUSTOM: SessionRoots = { kind: "custom", dir: "/h/mine", agentDir: "/h/agent", problems: [] };

/** As pi names a session, without its extension. */
const NAMED = "2026-01-01T00-00-00-000Z_a";

/** Paths below a session directory, the sessions that asked for them, the ids of the runs, and whether they are forks. */
const RUNS = [
	["p/r/run-0/session.jsonl", "p.jsonl", "r", 0, false],
	["p/r/run-12/session.jsonl", "p.jsonl", "r", 12, false],
	["p/r/run-0/session/s/run-1/session.jsonl", "p/r/run-0/session.jsonl", "s", 1, false],
	[`p/r/async-b/${NAMED}.jsonl`, "p.jsonl", "r", undefined, false],
	[`p/r/async-b/parallel-1/${NAMED}.jsonl`, "p.jsonl", "r", undefined, false],
	[`p/r/async-b/dynamic-0-1/${NAMED}.jsonl`, "p.jsonl", "r", undefined, false],
	[`p/r/async-b/${NAMED}/s/run-0/session.jsonl`, `p/r/async-b/${NAMED}.jsonl`, "s", 0, false],
	["p/forks/x.jsonl", "p.jsonl", undefined, undefined, true],
	["p/forks/x/r/run-0/session.jsonl", "p/forks/x.jsonl", "r", 0, false],
	["p/r/run-0/session/forks/x.jsonl", "p/r/run-0/session.jsonl", undefined, undefined, true],
	["r/run-0/session.jsonl", undefined, "r", 0, false],
] as const;

const DIRECTORIES = [
	["a project's directory", DEFAULT, "/h/agent/sessions/--x--"],
	["the archive", DEFAULT, "/h/agent/session-archive/--x--"],
	["a custom directory", CUSTOM, "/h/mine"],
	["its archive", CUSTOM, "/h/mine/session-archive"],
] as const;

test.each(DIRECTORIES)("in %s the path of a run says who asked for it", (_, roots, directory) => {
	for (const [path, parent, runId, index, isFork] of RUNS) {
		expect(runPlaceOf(`${directory}/${path}`, roots)).toEqual({
			...{ parent: parent && `${directory}/${parent}`, runId, index, isFork },
		});
		expect(isSessionPath(`${directory}/${path}`, roots)).toBe(true);
	}
});

test.each(DIRECTORIES)("in %s all other sessions are a person's", (_, roots, directory) => {
	for (const path of ["x.jsonl", "session.jsonl", "forks.jsonl"]) {
		expect(runPlaceOf(`${directory}/${path}`, roots)).toBeUndefined();
		expect(isSessionPath(`${directory}/${path}`, roots)).toBe(true);
	}
	for (const path of [
		"p/x.jsonl",
		"p/r/run-0/events.jsonl",
		"p/r/run-x/session.jsonl",
		"p/r/async-b/session.jsonl",
		"run-0/session.jsonl",
		"forks/x.jsonl",
	])
		expect([path, isSessionPath(`${directory}/${path}`, roots)]).toEqual([path, false]);
});

const FOR_RUNS: SessionRoots = {
	...DEFAULT,
	runDirs: ["/h/runs", "/h/agent/sessions/sub", "/h/agent/sessions/--x--", "/h/agent/sessions"],
};
const UNKNOWN = { parent: undefined, runId: undefined, index: undefined, isFork: false };

test.each([
	["/h/runs/r/run-1/session.jsonl", { ...UNKNOWN, runId: "r", index: 1 }],
	["/h/agent/sessions/r/run-1/session.jsonl", { ...UNKNOWN, runId: "r", index: 1 }],
	[
		"/h/runs/r/run-1/session/s/run-0/session.jsonl",
		{ ...UNKNOWN, parent: "/h/runs/r/run-1/session.jsonl", runId: "s", index: 0 },
	],
	[`/h/runs/${NAMED}.jsonl`, UNKNOWN],
	[`/h/runs/p/${NAMED}.jsonl`, UNKNOWN],
	["/h/runs/x.jsonl", undefined],
	[`/h/runs/p/q/${NAMED}.jsonl`, undefined],
	[`/h/agent/sessions/sub/${NAMED}.jsonl`, UNKNOWN],
	// A person's, although runs are to be put beside them.
	[`/h/agent/sessions/--x--/${NAMED}.jsonl`, undefined],
	[`/h/agent/sessions/p/${NAMED}.jsonl`, undefined],
])("in a directory that is configured for runs: %s", (path, place) => {
	expect(runPlaceOf(path, FOR_RUNS)).toEqual(place);
});

test("a listed session that is in no directory that is searched is a run", () => {
	expect(runAt("/elsewhere/r/run-2/session.jsonl", DEFAULT)).toEqual({ ...UNKNOWN, runId: "r", index: 2 });
	expect(runAt("/elsewhere/x.jsonl", DEFAULT)).toEqual(UNKNOWN);
	expect(runAt("/h/agent/sessions/--x--/x.jsonl", DEFAULT)).toBeUndefined();
});

test("a path elsewhere is none", () => {
	expect(runPlaceOf("/elsewhere/p/r/run-0/session.jsonl", DEFAULT)).toBeUndefined();
	expect(isSessionPath("/elsewhere/x.jsonl", CUSTOM)).toBe(false);
});
