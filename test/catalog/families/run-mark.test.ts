import { expect, test } from "vitest";
import { runMarkIn } from "../../../src/catalog/families/run-mark.ts";

const PARENT = "/home/dev/.pi/agent/sessions/--home-dev-work-api--/2026-09-14T09-00-00-000Z_p1";
const RUN = "01990000-0000-7000-8000-000000000011";

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
