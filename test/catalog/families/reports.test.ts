import { describe, expect, test } from "vitest";
import { joinReports, mergeReports } from "../../../src/catalog/families/join-reports.ts";
import { isReport } from "../../../src/catalog/families/report-reader.ts";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import type { RunReport } from "../../../src/catalog/families/run-report.ts";
import type { RawEntry } from "../../../src/store/format/raw-entry.ts";

/** What other versions write, and what the fixtures do not show, built from the types of the packages. */

const BEGAN = Date.parse("2026-09-14T09:00:00.000Z");
let count = 0;

function entry(fields: object, second = 0): RawEntry {
	count += 1;
	const made = { id: `e${count}`, parentId: null, timestamp: new Date(BEGAN + second * 1000).toISOString(), ...fields };
	// Only what has been a line is an entry.
	return JSON.parse(JSON.stringify(made)) as RawEntry;
}

function call(name: string, args: object, id = "c1", second = 0): RawEntry {
	const content = [{ type: "toolCall", id, name, arguments: args }];
	return entry({ type: "message", message: { role: "assistant", content } }, second);
}

function result(toolName: string, details: unknown, more: object = {}, second = 10): RawEntry {
	const message = { role: "toolResult", toolCallId: "c1", toolName, content: [], details, isError: false, ...more };
	return entry({ type: "message", message }, second);
}

function message(customType: string, content: string, details?: unknown, second = 20): RawEntry {
	return entry({ type: "custom_message", customType, content, display: true, details }, second);
}

function runs(...entries: readonly RawEntry[]): readonly RunReport[] {
	for (const one of entries) if (reportsIn(one).length > 0) expect(isReport(one)).toBe(true);
	return joinReports(entries.flatMap(reportsIn));
}

const USAGE = { input: 10, output: 5, cacheRead: 100, cacheWrite: 1, cost: 0.25, turns: 3 };

describe("pi-subagents", () => {
	test("parallel runs that started together (0.34)", () => {
		const part = (agent: string, durationMs: number, more: object = {}) => ({
			agent,
			task: `Task of ${agent}`,
			exitCode: 0,
			usage: USAGE,
			progressSummary: { toolCount: 1, tokens: 15, durationMs },
			...more,
		});
		const details = {
			mode: "parallel",
			runId: "1a2b3c4d",
			context: "fork",
			results: [part("a", 4000), part("b", 1000, { exitCode: 1, error: "no" }), part("c", 2000, { timedOut: true })],
		};
		const tasks = ["a", "b", "c"].map((agent) => ({ agent, task: `Task of ${agent}` }));
		const found = runs(call("subagent", { tasks }), result("subagent", details));
		expect(found.map(({ key, agent, state, error, context }) => [key, agent, state, error, context])).toEqual([
			["1a2b3c4d:0", "a", "done", undefined, "fork"],
			["1a2b3c4d:1", "b", "failed", "no", "fork"],
			["1a2b3c4d:2", "c", "timed out", undefined, "fork"],
		]);
		expect(found.map(({ startedMs = 0, endedMs = 0 }) => [startedMs - BEGAN, endedMs - BEGAN])).toEqual([
			[6000, 10_000],
			[6000, 7000],
			[6000, 8000],
		]);
		expect(found[0]).toMatchObject({ tokens: 116, cost: 0.25, turns: 3, index: 0, runId: "1a2b3c4d", callId: "c1" });
	});

	test("a chain, one step after the other (0.34)", () => {
		const step = (agent: string) => ({
			agent,
			task: "t",
			exitCode: 0,
			usage: USAGE,
			progressSummary: { durationMs: 3000 },
		});
		const found = runs(result("subagent", { mode: "chain", runId: "r", results: [step("plan"), step("do")] }));
		expect(found.map(({ agent, startedMs = 0, endedMs = 0 }) => [agent, startedMs - BEGAN, endedMs - BEGAN])).toEqual([
			["plan", 4000, 7000],
			["do", 7000, 10_000],
		]);
	});

	test("the example extension of pi, which knows no ids", () => {
		const one = (agent: string, more: object) => ({
			agent,
			agentSource: "user",
			task: "t",
			messages: [],
			usage: USAGE,
			...more,
		});
		const results = [one("a", { exitCode: 0 }), one("b", { exitCode: 1, stopReason: "error", errorMessage: "bad" })];
		const found = runs(
			result("subagent", { mode: "parallel", agentScope: "user", results: [...results, one("c", { exitCode: -1 })] }),
		);
		expect(found.map(({ key, state, error }) => [key, state, error])).toEqual([
			["c1:0", "done", undefined],
			["c1:1", "failed", "bad"],
			["c1:2", "running", undefined],
		]);
	});

	test.each([
		[{ exitCode: 0 }, "done"],
		[{ exitCode: 1 }, "failed"],
		[{ exitCode: 0, detached: true }, "running"],
		[{ exitCode: 0, stopped: true }, "stopped"],
		[{ exitCode: 0, interrupted: true }, "interrupted"],
		[{ exitCode: 143, timedOut: true }, "timed out"],
		[{ exitCode: 1, turnBudgetExceeded: true }, "turn limit"],
		[{ exitCode: 0, turnBudgetExceeded: true }, "done"],
		[{ exitCode: 0, progress: { status: "running" } }, "running"],
		[{ exitCode: 0, progress: { status: "pending" } }, "queued"],
		[{ exitCode: 0, progress: { status: "completed" } }, "done"],
		[{ exitCode: 1, stopReason: "aborted" }, "interrupted"],
	] as const)("a result with %j is %s", (fields, state) => {
		expect(runs(result("subagent", { runId: "r", results: [{ agent: "a", ...fields }] }))).toMatchObject([{ state }]);
	});

	test("a task that was left out of the result is in the call, else in the name that is shown", () => {
		const details = {
			runId: "r",
			results: [
				{
					agent: "scout",
					task: "[prompt redacted]",
					sessionName: "scout: Look around --- **Output:** Write",
					exitCode: 0,
				},
			],
		};
		expect(runs(result("subagent", details))).toMatchObject([{ task: "Look around" }]);
		const asked = call("subagent", { agent: "scout", task: "Look around in src" });
		expect(runs(asked, result("subagent", details))).toMatchObject([{ task: "Look around in src" }]);
	});

	test("while a call works, what it asks for is known", () => {
		expect(runs(call("subagent", { agent: "scout", task: "Look" }))).toMatchObject([
			{ agent: "scout", task: "Look", state: "running", startedMs: BEGAN, isUnnamed: true },
		]);
		const steps = {
			chain: [{ agent: "a", task: "x" }, { parallel: [{ agent: "b" }, { agent: "c", task: "y" }] }],
			task: "all",
		};
		expect(runs(call("subagent", steps)).map(({ agent, task }) => [agent, task])).toEqual([
			["a", "x"],
			["b", "all"],
			["c", "y"],
		]);
		expect(runs(call("subagent", { workflowScript: "return 1" }))).toMatchObject([{ agent: "workflow" }]);
	});

	test("the runs of a call that failed as a whole have failed", () => {
		const failed = result("subagent", {}, { isError: true, content: [{ type: "text", text: "Unknown agent" }] });
		expect(runs(call("subagent", { agent: "x", task: "Look" }), failed)).toMatchObject([
			{ agent: "x", task: "Look", state: "failed", error: "Unknown agent", endedMs: BEGAN + 10_000 },
		]);
		expect(runs(failed)).toMatchObject([{ agent: "", state: "failed" }]);
	});

	test("those of a call that the person stopped, or that never ran, are stopped", () => {
		for (const more of [{}, { durationMs: 10 }]) {
			const text = [{ type: "text", text: "Operation aborted" }];
			const ended = result("subagent", {}, { isError: true, content: text, ...more });
			const [run] = runs(call("subagent", { agent: "x", task: "Look" }), ended);
			expect(run).toMatchObject({ agent: "x", task: "Look", state: "stopped", endedMs: BEGAN + 10_000 });
			expect(run?.error).toBeUndefined();
		}
	});

	test("other actions start nothing", () => {
		expect(runs(call("subagent", { action: "status", id: "r" }))).toEqual([]);
		expect(runs(result("subagent", { mode: "management", asyncId: "r", asyncDir: "d", results: [] }))).toEqual([]);
		expect(runs(result("bash", { runId: "r", results: [{ agent: "a", exitCode: 0 }] }))).toEqual([]);
	});

	const start = (agent: string, asyncId: string, callId: string, second: number) => [
		call("subagent", { agent, task: `Task ${asyncId}`, async: true }, callId, second),
		result("subagent", { mode: "single", asyncId, results: [] }, { toolCallId: callId }, second),
	];

	test("notices that name no run are about the one with their file, else the oldest of that agent", () => {
		const found = runs(
			...start("scout", "r1", "c1", 1),
			...start("scout", "r2", "c2", 2),
			...start("worker", "r3", "c3", 3),
			message("subagent-notify", "Background task failed: **scout** (1/2)\n\nno\n\nSession file: /s/1.jsonl"),
			message(
				"subagent-notify",
				[
					"Background tasks completed (2): **worker**, **scout**",
					"",
					"1. worker",
					"I said:\n2. scout and so on\nSession file: /s/not-this.jsonl",
					"Session file: /s/3.jsonl",
					"",
					"2. scout",
					"Fine.",
					"Session file: /s/2.jsonl",
				].join("\n"),
			),
		);
		expect(found.map(({ key, agent, task, state, file }) => [key, agent, task, state, file])).toEqual([
			["r1:0", "scout", "Task r1", "failed", "/s/1.jsonl"],
			["r2:0", "scout", "Task r2", "done", "/s/2.jsonl"],
			["r3:0", "worker", "Task r3", "done", "/s/3.jsonl"],
		]);
	});

	test("several results with one index are several runs", () => {
		const results = [1, 2].map((exitCode) => ({ agent: "a", index: 0, exitCode: exitCode - 1 }));
		expect(
			runs(result("subagent", { mode: "parallel", runId: "r", results })).map(({ key, state }) => [key, state]),
		).toEqual([
			["r:0", "done"],
			["r:1", "failed"],
		]);
	});

	test("notices of runs that nothing else reports are runs", () => {
		const failed = message("subagent-notify", "Background task failed: **scout**\n\nno");
		expect(runs(failed, message("subagent-notify", "Background task failed: **scout**\n\nno"))).toHaveLength(2);

		const found = runs(message("subagent-notify", "Background task stopped: **scout**\n\n(no output)"));
		expect(found).toMatchObject([{ agent: "scout", state: "stopped", isBackground: true, endedMs: BEGAN + 20_000 }]);
	});

	test("a background workflow: its steps are the runs", () => {
		const children = (state: string) => ({
			workflowRunId: "w",
			children: [{ childId: "plan", runId: "r1", agent: "planner", sessionName: "planner: Plan it", state }],
		});
		const found = runs(
			call("subagent", { workflowScript: "…", async: true }),
			result("subagent", {
				mode: "workflow",
				asyncId: "w",
				results: [],
				workflowChildren: { workflowRunId: "w", children: [] },
			}),
			message(
				"subagent-incremental-child-notify",
				"Workflow child completed: **plan**\nWorkflow run: w\nChild run: r1\nStatus: workflow still running",
			),
			result("bg_wait", {
				mode: "management",
				results: [],
				completions: [
					{
						runId: "w",
						mode: "workflow",
						state: "complete",
						results: [{ agent: "planner", runId: "r1", usage: USAGE, sessionFile: "/s/1.jsonl", success: true }],
						workflowChildren: children("completed"),
					},
				],
			}),
			message(
				"subagent-notify",
				"Background task failed: **workflow**\n\nfailed\n\nWorkflow run: w\nChild runs: plan=r1 (completed), patch=r2 (failed), last=unavailable (stopped)",
			),
		);
		expect(
			found.map(({ key, runId, agent, task, state, cost, callId }) => [key, runId, agent, task, state, cost, callId]),
		).toEqual([
			["w/plan", "r1", "planner", "Plan it", "done", 0.25, "c1"],
			["w/patch", "r2", "", "", "failed", undefined, "c1"],
			["w/last", undefined, "", "", "stopped", undefined, "c1"],
		]);
	});

	test("a background workflow without further reports is running", () => {
		const found = runs(
			call("subagent", { workflow: "review", async: true }),
			result("subagent", { mode: "workflow", asyncId: "w", results: [] }),
		);
		expect(found).toMatchObject([{ agent: "workflow", task: "review", state: "running", runId: "w", workflowId: "w" }]);
	});

	test("a wait that was subscribed to, and one of an older version", () => {
		const completions = [
			{ runId: "r1", state: "stopped", success: false, results: [{ agent: "scout", success: false }] },
		];
		const started = start("scout", "r1", "c1", 1);
		const notice = message("subagent-wait-subscription", "Wait fired", {
			token: "t",
			runId: "r1",
			outcome: "x",
			completions,
		});
		expect(runs(...started, notice)).toMatchObject([{ key: "r1:0", task: "Task r1", state: "stopped" }]);
		expect(runs(...started, result("subagent_wait", { completions }))).toMatchObject([
			{ key: "r1:0", state: "stopped" },
		]);
	});

	test("a command of the person reports its runs twice", () => {
		const slash = (details: object) =>
			message("subagent-slash-result", "…", { requestId: "q", result: { content: [], details } });
		const before = {
			mode: "single",
			results: [{ agent: "scout", task: "Look", exitCode: 0, progress: { status: "running" } }],
		};
		const after = {
			mode: "single",
			runId: "r",
			results: [{ agent: "scout", task: "Look", exitCode: 0, usage: USAGE }],
		};
		expect(runs(slash(before))).toMatchObject([{ agent: "scout", state: "running" }]);
		expect(runs(slash(before), slash(after))).toMatchObject([{ key: "r:0", task: "Look", state: "done", cost: 0.25 }]);
		expect(runs(slash(before), slash(after))).toHaveLength(1);
	});
});

describe("@tintinweb/pi-subagents", () => {
	const id = "8ec55da3-cdbb-440";
	const started = {
		displayName: "Agent",
		subagentType: "general-purpose",
		description: "Count",
		status: "background",
		agentId: id,
	};
	const shown = (status: string) => ({
		content: [
			{
				type: "text",
				text: `Agent: ${id}\nType: Agent | Status: ${status} | Tool uses: 1\nDescription: Count\n\nNo output.`,
			},
		],
	});

	test("a background agent whose result was requested by its id", () => {
		const entries = [
			call("Agent", { subagent_type: "general-purpose", prompt: "Count it", run_in_background: true }),
			result("Agent", started),
		];
		const fetched = (status: string) =>
			result("get_subagent_result", undefined, { ...shown(status), toolCallId: "c2" });
		expect(runs(...entries, fetched("queued"))).toMatchObject([{ state: "queued", agent: "general-purpose" }]);
		expect(runs(...entries, fetched("aborted (aborted — hit the turn limit)"))).toMatchObject([
			{ key: id, state: "turn limit", callId: "c1", isBackground: true, sessionName: "general-purpose#8ec55da3" },
		]);
	});

	test("several that ended together", () => {
		const one = (agentId: string, status: string) => ({
			id: agentId,
			description: agentId,
			status,
			totalTokens: 7,
			turnCount: 0,
		});
		const notice = message("subagent-notification", "…", {
			...one("a1", "completed"),
			others: [one("a2", "steered"), one("a3", "stopped"), 5],
		});
		expect(runs(notice).map(({ key, state, tokens, turns }) => [key, state, tokens, turns])).toEqual([
			["a1", "done", 7, undefined],
			["a2", "done", 7, undefined],
			["a3", "stopped", 7, undefined],
		]);
	});

	test("an agent that goes on is the same run", () => {
		const details = { ...started, status: "completed", durationMs: 1000, tokens: "1.2M token" };
		const found = runs(
			call("Agent", { subagent_type: "general-purpose", prompt: "Count", description: "Count" }),
			result("Agent", { ...details, tokens: "950 token" }),
			call("Agent", { subagent_type: "general-purpose", prompt: "Go on", description: "Go on", resume: id }, "c2", 30),
			result("Agent", details, { toolCallId: "c2" }, 40),
		);
		expect(found).toMatchObject([{ key: id, task: "Count", state: "done", tokens: 1_200_000 }]);
		expect(found).toHaveLength(1);
	});

	test("the tools of others that are called the same say nothing", () => {
		expect(runs(result("Agent", { status: "completed" }), result("get_subagent_result", undefined))).toEqual([]);
		expect(runs(entry({ type: "custom", customType: "subagents:record", data: { id, status: "odd" } }))).toEqual([]);
	});
});

test("pi-web", () => {
	const details = {
		kind: "pi-web-subagent",
		sessionId: "s1",
		parentToolCallId: "c1",
		profile: "Explore",
		description: "Find it",
		status: "running",
		runInBackground: true,
		createdAt: "2026-09-14T09:00:01.000Z",
	};
	const ended = { ...details, status: "aborted", completedAt: "2026-09-14T09:00:05.000Z" };
	const asked = call("Agent", {
		subagent_type: "Explore",
		prompt: "Find",
		description: "Find it",
		run_in_background: true,
	});
	const found = runs(asked, result("Agent", details), message("pi-web:subagent-notification", "…", ended));
	expect(found).toMatchObject([
		{
			key: "s1",
			sessionId: "s1",
			agent: "Explore",
			state: "stopped",
			startedMs: BEGAN + 1000,
			endedMs: BEGAN + 5000,
			isBackground: true,
		},
	]);
	expect(found).toHaveLength(1);
	expect(runs(result("get_subagent_result", ended))).toMatchObject([{ key: "s1", callId: "c1", state: "stopped" }]);
});

test("ids of calls that come again are other calls", () => {
	const answer = (runId: string) => result("subagent", { runId, results: [{ agent: "a", exitCode: 0 }] });
	const found = runs(
		call("subagent", { agent: "a", task: "one" }),
		answer("r1"),
		call("subagent", { agent: "a", task: "two" }),
		answer("r2"),
	);
	expect(found.map(({ key, task }) => [key, task])).toEqual([
		["r1:0", "one"],
		["r2:0", "two"],
	]);
});

test("runs are in the order in which they were started", () => {
	const twice = entry({
		type: "message",
		message: {
			role: "assistant",
			content: ["c1", "c2"].map((id) => ({
				type: "toolCall",
				id,
				name: "subagent",
				arguments: { agent: id, task: id },
			})),
		},
	});
	const answer = (id: string) =>
		result("subagent", { runId: id, results: [{ agent: id, exitCode: 0 }] }, { toolCallId: id });
	expect(runs(twice, answer("c2"), answer("c1")).map(({ agent }) => agent)).toEqual(["c1", "c2"]);
});

test("what was known of a run is not taken back", () => {
	const report = { key: "r:0", entryId: "e", agent: "a", task: "t", state: "done" } as const satisfies RunReport;
	expect(mergeReports({ ...report, endedMs: 5 }, { ...report, state: "running", startedMs: 1 })).toEqual({
		...report,
		startedMs: 1,
		endedMs: 5,
	});
	expect(mergeReports({ ...report, state: "stopped" }, { ...report, state: "failed" }).state).toBe("stopped");
	expect(mergeReports({ ...report, state: "stopped" }, { ...report, state: "failed", error: "x" }).state).toBe(
		"failed",
	);
	expect(mergeReports({ ...report, state: "interrupted" }, report).state).toBe("done");
	expect(mergeReports({ ...report, cost: 2, turns: 1 }, { ...report, cost: 1, turns: 3 })).toMatchObject({
		cost: 2,
		turns: 3,
	});
	expect(mergeReports({ ...report, agent: "", task: "" }, { ...report, entryId: "f" })).toEqual(report);
});
