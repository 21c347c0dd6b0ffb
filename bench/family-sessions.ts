import { appendFileSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeHome } from "./small-sessions.ts";

/** Every so many sessions one has runs. */
const EVERY = 5;
/** Each of these has so many; one of all has a quarter of them, as the session of an orchestrator that works for days. */
const FEW = 3;
/** Runs of one call. */
const AT_ONCE = 5;
/** Every so many runs one failed. */
const FAILED_EVERY = 20;
const AGENTS = ["scout", "worker", "reviewer", "planner", "tester"];

/**
 * Fills a home directory with small sessions, of which some have runs of subagents, as pi-subagents 0.67 writes them; their
 * answers have cost something. Returns the environment of a program in it.
 */
export function makeFamilies(home: string, sessions: number, runs: number): NodeJS.ProcessEnv {
	const env = makeHome(home, sessions);
	const files = globSync(join(home, ".pi/agent/sessions/*/*.jsonl")).sort();
	for (const [index, file] of files.entries())
		appendFileSync(file, answer(`c${index}`, "00000002", 0.1 + (index % 97) / 50));
	let left = runs;
	for (let at = files.length - 1; left > 0 && at >= 0; at -= EVERY) {
		const count = Math.min(left, left === runs ? Math.ceil(runs / 4) : FEW);
		addRuns(files[at] ?? "", at, count);
		left -= count;
	}
	// Where there are few sessions, the last ones have the rest.
	if (left > 0) throw new Error(`${sessions} sessions are too few for ${runs} runs`);
	return env;
}

function addRuns(parent: string, number: number, count: number): void {
	const lines: string[] = [];
	let last = `c${number}`;
	for (let done = 0; done < count; done += AT_ONCE) {
		const size = Math.min(AT_ONCE, count - done);
		const results = Array.from({ length: size }, (_, at) => {
			const run = done + at;
			const runId = `${String(number).padStart(8, "0")}-0000-4000-8000-${String(run).padStart(12, "0")}`;
			const sessionFile = join(parent.slice(0, -".jsonl".length), runId, "run-0", "session.jsonl");
			const agent = AGENTS[run % AGENTS.length] ?? "";
			const task = `Part ${run} of the work: find what uses it, change it, and say what is left to do`;
			writeRun(sessionFile, `subagent-${agent}-${runId}-1`, task, 0.05 + (run % 13) / 20);
			const usage = { input: 2000, output: 300, cacheRead: 0, cacheWrite: 0, cost: 0.05 + (run % 13) / 20, turns: 1 };
			const exitCode = (number + run) % FAILED_EVERY === 0 ? 1 : 0;
			return { index: 0, runId, workflowKey: runId, agent, task, exitCode, usage, sessionFile };
		});
		const cost = results.reduce((sum, { usage }) => sum + usage.cost, 0);
		const children = results.map(({ runId, agent }) => ({ childId: runId, runId, agent, state: "complete" }));
		const [callId, resultId] = [`k${done}`, `r${done}`];
		const call = { type: "toolCall", id: callId, name: "subagent", arguments: { workflowScript: "…" } };
		const details = { mode: "workflow", runId: callId, results, workflowChildren: { workflowRunId: callId, children } };
		lines.push(
			answer(callId, last, 0.02, [call]),
			entry(resultId, callId, {
				...{ role: "toolResult", toolCallId: callId, toolName: "subagent", content: [], isError: false, details },
				usage: usageOf(cost),
			}),
		);
		last = resultId;
	}
	appendFileSync(parent, lines.join(""));
}

function writeRun(path: string, name: string, task: string, cost: number): void {
	mkdirSync(dirname(path), { recursive: true });
	const timestamp = new Date().toISOString();
	const header = { type: "session", version: 3, id: name, timestamp, cwd: "/home/dev/work/project-0" };
	const named = { type: "session_info", id: "n", parentId: null, timestamp, name };
	const asked = entry("u", "n", { role: "user", content: [{ type: "text", text: task }] });
	writeFileSync(path, `${JSON.stringify(header)}\n${JSON.stringify(named)}\n${asked}${answer(`a-${name}`, "u", cost)}`);
}

function answer(id: string, parentId: string | null, cost: number, calls: readonly object[] = []): string {
	const content = [{ type: "text", text: "It is done; nothing is left." }, ...calls];
	return entry(id, parentId, { role: "assistant", content, model: "claude-sonnet-4-5", usage: usageOf(cost) });
}

function usageOf(cost: number): object {
	return { input: 2000, output: 300, cacheRead: 0, cacheWrite: 0, totalTokens: 2300, cost: { total: cost } };
}

function entry(id: string, parentId: string | null, message: object): string {
	const now = Date.now();
	const timestamp = new Date(now).toISOString();
	return `${JSON.stringify({ type: "message", id, parentId, timestamp, message: { ...message, timestamp: now } })}\n`;
}
