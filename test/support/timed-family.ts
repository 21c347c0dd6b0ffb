import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "./session-builder.ts";

/** A run as a test wants it; times in seconds after its family's beginning. */
export interface TimedRun {
	readonly agent: string;
	readonly task: string;
	readonly from: number;
	readonly to: number;
	/** As the package writes it. @default "completed" */
	readonly status?: "completed" | "error" | "stopped" | "aborted";
	/** Whether it has no session of its own. */
	readonly inMemory?: true;
	/** What it asked for itself. */
	readonly runs?: readonly TimedRun[];
}

/** A session as a test wants it, that asked for runs in some of its turns. */
export interface TimedFamily {
	readonly title: string;
	readonly cwd: string;
	/** Unix ms. */
	readonly startMs: number;
	/** From a prompt to its answer, in seconds after the beginning. */
	readonly turns: readonly { readonly from: number; readonly to: number; readonly runs?: readonly TimedRun[] }[];
}

/** Writes the files of a session and its runs, as `@tintinweb/pi-subagents` does; returns the path of the session. */
export function writeTimedFamily(
	directory: string,
	number: string,
	{ title, cwd, startMs, turns }: TimedFamily,
): string {
	mkdirSync(directory, { recursive: true });
	const written = { count: 0 };
	return write(undefined, { cwd, name: undefined, from: 0, to: 0, prompt: title, turns });

	function write(parentSession: string | undefined, plan: Plan): string {
		const id = `0199f000-0000-7000-${number}-${String(written.count).padStart(12, "0")}`;
		written.count += 1;
		const path = join(directory, `${iso(plan.from).replace(/[:.]/g, "-")}_${id}.jsonl`);
		const all = [JSON.stringify({ type: "session", version: 3, id, timestamp: iso(plan.from), cwd, parentSession })];
		const add = (second: number, fields: object): void => {
			const [entry, before] = [all.length, all.length - 1].map((index) => `e${String(index).padStart(7, "0")}`);
			const { type, ...rest } = fields as { readonly type: string };
			const place = { type, id: entry, parentId: all.length === 1 ? null : before, timestamp: iso(second) };
			all.push(JSON.stringify({ ...place, ...rest }));
		};
		const say = (second: number, message: object): void =>
			add(second, { type: "message", message: { ...message, timestamp: startMs + second * 1000 } });
		if (plan.name !== undefined) add(plan.from, { type: "session_info", name: plan.name });
		for (const { from, to, runs = [] } of plan.turns) {
			say(from, { role: "user", content: [{ type: "text", text: plan.prompt }] });
			const asked = runs.map((run, index) => ({ run, callId: `call ${all.length} ${index}`, id: agentId() }));
			if (asked.length > 0) {
				const calls = asked.map(({ run, callId }) => ({
					type: "toolCall",
					id: callId,
					name: "Agent",
					arguments: { prompt: run.task, subagent_type: run.agent, description: run.task },
				}));
				say(Math.min(...runs.map((run) => run.from)), { ...ANSWER, content: calls, stopReason: "toolUse" });
				for (const { run, id: agent } of asked) tell(run, agent);
				const last = Math.max(...runs.map((run) => run.to));
				for (const { run, callId, id: agent } of asked) {
					const details = {
						subagentType: run.agent,
						description: run.task,
						agentId: agent,
						status: run.status ?? "completed",
					};
					const content = [{ type: "text", text: "It is done." }];
					say(last, { role: "toolResult", toolCallId: callId, toolName: "Agent", content, details, isError: false });
				}
			}
			say(to, { ...ANSWER, content: [{ type: "text", text: "It is done." }], stopReason: "stop" });
		}
		writeFileSync(path, lines(...all));
		return path;

		/** What the parent says at the end of a run, and the session of that. */
		function tell(run: TimedRun, agent: string): void {
			const [startedAt, completedAt] = [run.from, run.to].map((second) => startMs + second * 1000);
			const data = {
				id: agent,
				type: run.agent,
				description: run.task,
				status: run.status ?? "completed",
				startedAt,
				completedAt,
			};
			add(run.to, { type: "custom", customType: "subagents:record", data });
			if (run.inMemory === true) return;
			const own = [{ from: run.from, to: run.to, ...(run.runs === undefined ? {} : { runs: run.runs }) }];
			const name = `${run.agent}#${agent.slice(0, 8)}`;
			write(path, { cwd, name, from: run.from, to: run.to, prompt: run.task, turns: own });
		}
	}

	function agentId(): string {
		written.count += 1;
		return `${number}${String(written.count).padStart(4, "0")}-0000-400`;
	}

	function iso(second: number): string {
		return new Date(startMs + second * 1000).toISOString();
	}
}

interface Plan {
	readonly cwd: string;
	readonly name: string | undefined;
	readonly from: number;
	readonly to: number;
	readonly prompt: string;
	readonly turns: TimedFamily["turns"];
}

const ANSWER = {
	role: "assistant",
	api: "anthropic-messages",
	provider: "anthropic",
	model: "claude-sonnet-4-5",
	usage: {
		input: 1000,
		output: 50,
		cacheRead: 0,
		cacheWrite: 0,
		totalTokens: 1050,
		cost: { input: 0.2, output: 0.1, cacheRead: 0, cacheWrite: 0, total: 0.3 },
	},
} as const;
