import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assistant, header, lines, message, user } from "./session-builder.ts";

/** A run to be made up. */
export interface MadeRun {
	readonly agent: string;
	readonly task: string;
	readonly failed?: boolean;
	/** Where it worked. @default where the session that asked for it did */
	readonly cwd?: string;
	/** Whether its session is gone. */
	readonly isGone?: boolean;
	/** Runs that it has asked for itself, in one step. */
	readonly runs?: readonly MadeRun[];
}

/** Eight hex digits, as the ids of runs once were. */
function runId(seed: string): string {
	let hash = 0x811c9dc5;
	for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
	return hash.toString(16).padStart(8, "0");
}

/** The call of `pi-subagents` that asks for runs. */
export function runCall(id: string, parentId: string, second: number, runs: readonly MadeRun[]): string {
	const tasks = runs.map(({ agent, task }) => ({ agent, task }));
	const asked = tasks.length === 1 ? { ...tasks[0], async: false } : { tasks };
	const call = { type: "toolCall", id: `call_${id}`, name: "subagent", arguments: asked };
	return assistant(id, parentId, second, "", [call]);
}

/** The result of a call, with all runs that it has started. */
export function runResult(
	id: string,
	call: string,
	second: number,
	run: string,
	runs: readonly MadeRun[],
	directory: string,
): string {
	const results = runs.map(({ agent, task, failed = false, isGone }, index) => ({
		...{ index, agent, task, exitCode: failed ? 1 : 0, usage: { cost: 0.5, turns: 3 } },
		...(failed ? { error: "the worker found no module" } : {}),
		finalOutput: `${agent} is done with ${task}`,
		progressSummary: { durationMs: 60_000 },
		...(isGone ? { sessionFile: join(directory, run, `run-${index}`, "session.jsonl") } : {}),
	}));
	return message(id, call, second, {
		...{ role: "toolResult", toolCallId: `call_${call}`, toolName: "subagent", isError: false },
		content: [{ type: "text", text: "All have reported." }],
		details: { mode: "single", runId: run, results },
	});
}

/** Writes a session that has asked for runs in one step, and theirs; the paths of all that were written, it first. */
export function writeFamily(path: string, cwd: string, title: string, runs: readonly MadeRun[]): readonly string[] {
	const directory = path.slice(0, -".jsonl".length);
	const run = runId(path);
	const began = user("u1", null, 1, title);
	const rest =
		runs.length === 0
			? [assistant("u2", "u1", 2, `${title}: done`)]
			: [
					runCall("u2", "u1", 2, runs),
					runResult("u3", "u2", 90, run, runs, directory),
					assistant("u4", "u3", 91, "They are done."),
				];
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, lines(header({ cwd, id: `0198-${runId(`${path}id`)}` }), began, ...rest));
	const below = runs.flatMap(({ task, isGone, cwd: place = cwd, runs: own = [] }, index) =>
		isGone ? [] : writeFamily(join(directory, run, `run-${index}`, "session.jsonl"), place, task, own),
	);
	return [path, ...below];
}
