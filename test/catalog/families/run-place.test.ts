import { expect, test } from "vitest";
import { runMarkIn } from "../../../src/catalog/families/run-mark.ts";
import { isArtifact, runPlaceOf, runRootOf } from "../../../src/catalog/families/run-place.ts";

const DIR = "/home/dev/.pi/agent/sessions/--home-dev-work-api--";
const PARENT = `${DIR}/2026-09-14T09-00-00-000Z_p1`;
const RUN = "01990000-0000-7000-8000-000000000011";

/** Paths of sessions, and what they say. */
const PLACES: Readonly<Record<string, object | undefined>> = {
	[`${PARENT}/${RUN}/run-0/session.jsonl`]: { parentPath: `${PARENT}.jsonl`, root: PARENT, runId: RUN, index: 0 },
	// Before 0.35 the id of a run had eight characters.
	[`${PARENT}/1a2b3c4d/run-12/session.jsonl`]: { parentPath: `${PARENT}.jsonl`, runId: "1a2b3c4d", index: 12 },
	[`${PARENT}/${RUN}/async-${RUN}/2026-09-14T09-00-01-000Z_c.jsonl`]: { parentPath: `${PARENT}.jsonl`, runId: RUN },
	[`${PARENT}/forks/2026-09-14T09-00-01-000Z_c.jsonl`]: { parentPath: `${PARENT}.jsonl`, context: "fork" },
	// A run of a run, of a fork, and the fork of a run.
	[`${PARENT}/${RUN}/run-0/session/r2/run-1/session.jsonl`]: {
		parentPath: `${PARENT}/${RUN}/run-0/session.jsonl`,
		runId: "r2",
		index: 1,
	},
	[`${PARENT}/forks/c/r2/run-0/session.jsonl`]: {
		parentPath: `${PARENT}/forks/c.jsonl`,
		runId: "r2",
		context: "fresh",
	},
	[`${PARENT}/${RUN}/run-0/session/forks/c.jsonl`]: {
		parentPath: `${PARENT}/${RUN}/run-0/session.jsonl`,
		context: "fork",
	},
	// A directory that was configured: there is no file of the name of the parent.
	[`/home/dev/runs/${RUN}/run-0/session.jsonl`]: {
		parentPath: "/home/dev/runs.jsonl",
		root: "/home/dev/runs",
		runId: RUN,
	},
	[`${PARENT}.jsonl`]: undefined,
	[`${PARENT}/other.jsonl`]: undefined,
	[`${PARENT}/${RUN}/run-x/session.jsonl`]: undefined,
	[`${PARENT}/${RUN}/run-0/session.json`]: undefined,
	[`${PARENT}/${RUN}/run-0/subagent-artifacts/r2_reader.jsonl`]: undefined,
	"run-0/session.jsonl": undefined,
	"/run-0/session.jsonl": undefined,
	"r/run-0/session.jsonl": undefined,
	"/r/run-0/session.jsonl": undefined,
	"forks/c.jsonl": undefined,
	"/forks/c.jsonl": undefined,
	"": undefined,
};

test.each(Object.entries(PLACES))("what %s says", (path, expected) => {
	const place = runPlaceOf(path);
	if (expected === undefined) expect(place).toBeUndefined();
	else expect(place).toMatchObject(expected);
});

test("the runs of a session are below the directory that is named like it", () => {
	expect(runRootOf(`${PARENT}.jsonl`)).toBe(PARENT);
	expect(runPlaceOf(`${runRootOf(`${PARENT}.jsonl`)}/r/run-0/session.jsonl`)?.parentPath).toBe(`${PARENT}.jsonl`);
});

test.each([
	`${DIR}/subagent-artifacts/${RUN}_scout_0.jsonl`,
	`${DIR}/subagent-artifacts/outputs/${RUN}/context.md`,
	`${RUN}_scout_0_transcript.jsonl`,
	"1a2b3c4d_worker_transcript.jsonl",
	`${RUN}_code_reviewer_2_input.md`,
	`${RUN}_scout_output.md`,
	`${RUN}_scout_meta.json`,
	"events.jsonl",
	"output-3.log",
	`subagent-log-${RUN}.md`,
	"c.jsonl.pruned-recovery.json",
	"C:\\sessions\\subagent-artifacts\\x.jsonl",
])("%s is kept beside sessions", (path) => {
	expect(isArtifact(path)).toBe(true);
});

test.each([
	`${PARENT}.jsonl`,
	// Whoever starts pi with an id of their own.
	`${DIR}/2026-09-14T09-00-00-000Z_meeting_transcript.jsonl`,
	"transcript.jsonl",
	"my-events.jsonl",
	"subagent-artifacts.jsonl",
])("%s may be a session", (path) => {
	expect(isArtifact(path)).toBe(false);
});

test("the name of a session says whose run it is", () => {
	const markOf = (name: unknown) => runMarkIn({ type: "session_info", id: "a", name });
	expect(markOf(`subagent-scout-${RUN}-1`)).toEqual({ agent: "scout", runId: RUN, index: 0 });
	expect(markOf("subagent-code-reviewer-1a2b3c4d-12")).toEqual({
		agent: "code-reviewer",
		runId: "1a2b3c4d",
		index: 11,
	});
	expect(markOf(" writer#8ec55da3 ")).toEqual({ agent: "writer", agentId: "8ec55da3" });
	const others = [
		"Fix bug #12345678",
		"Review the scout",
		`subagent-scout-${RUN}-0`,
		"writer#8EC55DA3",
		"",
		null,
		5,
		{},
	];
	for (const name of others) expect(markOf(name)).toBeUndefined();
});

test("a session of pi-web says whose run it is", () => {
	const data = {
		version: 1,
		parentSessionId: "p1",
		parentSessionPath: `${PARENT}.jsonl`,
		parentToolCallId: "call_1",
		profile: "Explore",
		description: "Find the routes",
		createdAt: "2026-09-14T09:00:00.000Z",
		resourceSnapshot: {},
	};
	const entry = { type: "custom", customType: "pi-web:subagent", id: "a", data };
	const startedMs = Date.parse(data.createdAt);
	expect(runMarkIn(entry)).toEqual({
		agent: "Explore",
		parentId: "p1",
		parentPath: `${PARENT}.jsonl`,
		callId: "call_1",
		task: "Find the routes",
		startedMs,
	});
	expect(runMarkIn({ ...entry, data: { profile: "Explore" } })).toBeUndefined();
	expect(runMarkIn({ ...entry, data: null })).toBeUndefined();
	expect(runMarkIn({ ...entry, customType: "other" })).toBeUndefined();
});
