import { z } from "zod";
import { flag, longText, object, objects, text } from "./fields.ts";
import type { ReportFacts } from "./run-report.ts";

/** What calls of the tools ask for: all that is known of runs until the result, or a notice, is there. */

const context = z.enum(["fresh", "fork"]).optional().catch(undefined);
const TASK = { agent: text, task: longText };

const SUBAGENT = object({
	...TASK,
	action: text,
	async: flag,
	context,
	tasks: objects(TASK),
	chain: objects({ ...TASK, parallel: objects(TASK) }),
	workflow: text,
	workflowScript: text,
	workflowScriptPath: text,
});

const AGENT = object({
	subagent_type: text,
	description: longText,
	prompt: longText,
	run_in_background: flag,
	schedule: text,
});

export function runsInCall(
	name: unknown,
	value: unknown,
	callId: string,
	startedMs: number | undefined,
): ReportFacts[] {
	if (name !== "subagent" && name !== "Agent") return [];
	const requests = name === "subagent" ? askedOfSubagent(value) : askedOfAgent(value);
	return requests.map((run, at) => ({
		...run,
		key: `call:${callId}${at === 0 ? "" : `:${at}`}`,
		callId,
		state: "running",
		startedMs,
		isUnnamed: true,
	}));
}

type RunRequest = Pick<ReportFacts, "agent" | "task" | "context" | "isBackground">;

function askedOfSubagent(value: unknown): RunRequest[] {
	const call = SUBAGENT.parse(value);
	// Other actions manage agents and runs.
	if (call === undefined || call.action !== undefined) return [];
	const more = { context: call.context, ...(call.async ? { isBackground: true as const } : {}) };
	const steps = call.chain.flatMap((step) => (step.parallel.length > 0 ? step.parallel : [step]));
	const tasks = [...call.tasks, ...steps];
	if (tasks.length > 0)
		return tasks.map(({ agent = "", task = "" }) => ({ agent, task: task || (call.task ?? ""), ...more }));
	if (call.agent !== undefined) return [{ agent: call.agent, task: call.task ?? "", ...more }];
	const isWorkflow = [call.workflow, call.workflowScript, call.workflowScriptPath].some((one) => one !== undefined);
	return isWorkflow ? [{ agent: "workflow", task: call.workflow ?? call.workflowScriptPath ?? "", ...more }] : [];
}

function askedOfAgent(value: unknown): RunRequest[] {
	const call = AGENT.parse(value);
	// What is scheduled starts later, without a call.
	if (call === undefined || call.schedule !== undefined || (call.subagent_type ?? call.prompt) === undefined) return [];
	const { subagent_type: agent = "", description, prompt = "", run_in_background } = call;
	return [{ agent, task: description ?? prompt, ...(run_in_background ? { isBackground: true } : {}) }];
}
