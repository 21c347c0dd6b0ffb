import { appendFileSync, globSync, mkdirSync, renameSync } from "node:fs";
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

/** Where the sessions of the runs are: in families, or like all others, and then nothing says that they were runs. */
type Kind = "families" | "plain";

/**
 * Fills a home directory with small sessions, of which some are runs of subagents that others have asked for, as pi-subagents 0.67
 * writes them; their answers have cost something. Both kinds have the same sessions with the same bytes, so that they compare:
 * in plain ones the runs are beside the others, and what their parents report of them is the output of a command. Returns the
 * environment of a program in it.
 */
export function makeFamilies(home: string, sessions: number, runs: number, kind: Kind): NodeJS.ProcessEnv {
	const env = makeHome(home, sessions + runs);
	const files = globSync(join(home, ".pi/agent/sessions/*/*.jsonl")).sort();
	for (const [index, file] of files.entries())
		appendFileSync(file, answer(`c${index}`, "00000002", 0.1 + (index % 97) / 50));
	// Evenly among all, so that every project keeps its sessions, and a run began when others did.
	const share = (index: number): number => Math.floor((index * runs) / files.length);
	const isRun = (index: number): boolean => share(index + 1) > share(index);
	const own = [...files.entries()].filter(([index]) => !isRun(index));
	const ofRuns = [...files.entries()].filter(([index]) => isRun(index));
	for (let at = own.length - 1; ofRuns.length > 0 && at >= 0; at -= EVERY) {
		const count = ofRuns.length === runs ? Math.ceil(runs / 4) : FEW;
		addRuns(own[at] ?? [0, ""], ofRuns.splice(-count), kind);
	}
	// Where there are few sessions, the last ones have the rest.
	if (ofRuns.length > 0) throw new Error(`${sessions} sessions are too few for ${runs} runs`);
	return env;
}

/** A session and its number among all. */
type Numbered = readonly [number: number, path: string];

function addRuns([number, parent]: Numbered, runs: readonly Numbered[], kind: Kind): void {
	const lines: string[] = [];
	let last = `c${number}`;
	for (let done = 0; done < runs.length; done += AT_ONCE) {
		const results = runs.slice(done, done + AT_ONCE).map(([runNumber, path], at) => {
			const run = done + at;
			const runId = `${String(number).padStart(8, "0")}-0000-4000-8000-${String(run).padStart(12, "0")}`;
			const sessionFile = join(parent.slice(0, -".jsonl".length), runId, "run-0", "session.jsonl");
			const agent = AGENTS[run % AGENTS.length] ?? "";
			const task = `Part ${run} of the work: find what uses it, change it, and say what is left to do`;
			nameRun([runNumber, path], `${NAMES[kind]}-${agent}-${runId}-1`);
			if (kind === "families") {
				mkdirSync(dirname(sessionFile), { recursive: true });
				renameSync(path, sessionFile);
			}
			const usage = {
				input: 2000,
				output: 300,
				cacheRead: 0,
				cacheWrite: 0,
				cost: 0.1 + (runNumber % 97) / 50,
				turns: 2,
			};
			const exitCode = (number + run) % FAILED_EVERY === 0 ? 1 : 0;
			return { index: 0, runId, workflowKey: runId, agent, task, exitCode, usage, sessionFile };
		});
		const cost = results.reduce((sum, { usage }) => sum + usage.cost, 0);
		const children = results.map(({ runId, agent }) => ({ childId: runId, runId, agent, state: "complete" }));
		const [callId, resultId] = [`k${done}`, `r${done}`];
		const details = { mode: "workflow", runId: callId, results, workflowChildren: { workflowRunId: callId, children } };
		const call = { type: "toolCall", id: callId, ...CALLS[kind] };
		const result =
			kind === "families"
				? { toolName: "subagent", content: [], details, usage: usageOf(cost) }
				: { toolName: "bash", content: [{ type: "text", text: JSON.stringify(details).replaceAll('"', "'") }] };
		lines.push(
			answer(callId, last, 0.02, [call]),
			entry(resultId, callId, { role: "toolResult", toolCallId: callId, isError: false, ...result }),
		);
		last = resultId;
	}
	appendFileSync(parent, lines.join(""));
}

const CALLS: Readonly<Record<Kind, object>> = {
	families: { name: "subagent", arguments: { workflowScript: "…" } },
	plain: { name: "bash", arguments: { command: "…" } },
};

/** How the names begin that the package gives to the sessions of runs, and as long a beginning that is not one of these. */
const NAMES: Readonly<Record<Kind, string>> = { families: "subagent", plain: "sub-task" };

function nameRun([number, path]: Numbered, name: string): void {
	const timestamp = new Date().toISOString();
	const named = { type: "session_info", id: `n${number}`, parentId: `c${number}`, timestamp, name };
	appendFileSync(path, `${JSON.stringify(named)}\n`);
}

function answer(id: string, parentId: string | null, cost: number, calls: readonly object[] = []): string {
	const content = [{ type: "text", text: "It is done; nothing is left." }, ...calls];
	return entry(id, parentId, { role: "assistant", content, model: "claude-sonnet-4-5", usage: usageOf(cost) });
}

function usageOf(cost: number): object {
	return { input: 2000, output: 300, cacheRead: 0, cacheWrite: 0, totalTokens: 2300, cost: costOf(cost) };
}

/** Of its parts only the sum is told apart from nothing. */
function costOf(total: number): object {
	return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total };
}

function entry(id: string, parentId: string | null, message: object): string {
	const now = Date.now();
	const timestamp = new Date(now).toISOString();
	return `${JSON.stringify({ type: "message", id, parentId, timestamp, message: { ...message, timestamp: now } })}\n`;
}
