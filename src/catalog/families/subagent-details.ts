import { z } from "zod";
import { amount, flag, longText, object, objects, position, text } from "./fields.ts";
import { hasEnded, type ReportFacts } from "./run-report.ts";
import { type RunStep, spansOf } from "./run-spans.ts";
import { runStateOf } from "./run-state.ts";

/**
 * What the package `pi-subagents` writes into the `details` of its tools (read in 0.34 and 0.67), and pi's example extension
 * of the same name.
 */

const context = z.enum(["fresh", "fork"]).optional().catch(undefined);

const PROGRESS = object({ status: text, durationMs: amount });

const RESULT = {
	index: position,
	workflowKey: text,
	runId: text,
	agent: text,
	task: longText,
	sessionName: longText,
	context,
	exitCode: z.number().nullable().optional().catch(undefined),
	success: flag,
	detached: flag,
	interrupted: flag,
	timedOut: flag,
	stopped: flag,
	turnBudgetExceeded: flag,
	stopReason: text,
	usage: object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, cost: amount, turns: amount }),
	model: text,
	thinking: text,
	error: longText,
	errorMessage: longText,
	sessionFile: text,
	progress: PROGRESS,
	progressSummary: PROGRESS,
};
const RESULTS = objects(RESULT);
type Result = z.infer<typeof RESULTS>[number];

const CHILDREN = object({
	workflowRunId: text,
	children: objects({ childId: text, runId: text, agent: text, sessionName: longText, model: text, state: text }),
});

const DETAILS = object({
	mode: text,
	runId: text,
	asyncId: text,
	context,
	results: RESULTS,
	completions: objects({
		runId: text,
		agent: text,
		state: text,
		success: flag,
		results: RESULTS,
		workflowChildren: CHILDREN,
	}),
	workflowChildren: CHILDREN,
	workflow: object({ trace: objects({ operation: text, key: text, state: text, durationMs: amount }) }),
});
type SubagentDetails = NonNullable<z.infer<typeof DETAILS>>;

interface ResultOrigin {
	readonly callId: string | undefined;
	readonly atMs: number | undefined;
	readonly durationMs: number | undefined;
}

export function runsInDetails(value: unknown, written: ResultOrigin): ReportFacts[] {
	const details = DETAILS.parse(value);
	if (details === undefined) return [];
	const completed = details.completions.flatMap((completion) => completedRuns(completion, written));
	// Other actions of the tool, such as its status, name a run without being about one.
	return details.mode === "management" ? completed : [...startedRuns(details, written), ...completed];
}

function startedRuns(details: SubagentDetails, written: ResultOrigin): ReportFacts[] {
	const { mode, asyncId, results, workflowChildren } = details;
	const run: RunIdentity = {
		runId: asyncId ?? details.runId,
		callId: written.callId,
		context: details.context,
		...(asyncId === undefined ? {} : { isBackground: true }),
	};
	if (mode === "workflow" || workflowChildren !== undefined) {
		const runs = workflowRuns(run, details, written);
		if (runs.length > 0) return runs;
	} else if (results.length > 0) return directRuns(run, details, written);
	if (asyncId === undefined) return [];
	const [key, state, startedMs] = [`${asyncId}:0`, "running" as const, written.atMs];
	if (mode !== "workflow") return [{ ...run, key, index: 0, agent: "", task: "", state, startedMs }];
	// A workflow is not a run; its steps are.
	return [{ ...run, key, workflowId: asyncId, agent: "workflow", task: "", state, startedMs, isUnnamed: true }];
}

type RunIdentity = Pick<ReportFacts, "runId" | "callId" | "isBackground" | "context">;

/** One agent, several at once, or a chain. */
function directRuns(run: RunIdentity, { mode, results }: SubagentDetails, written: ResultOrigin): ReportFacts[] {
	const [only] = results;
	const isOne = results.length === 1;
	const steps = results.map((result, at) => ({
		key: String(at),
		durationMs:
			result.progressSummary?.durationMs ??
			result.progress?.durationMs ??
			(isOne && result === only ? written.durationMs : undefined),
	}));
	const spans = spansOf(
		mode === "chain" ? steps.flatMap((step) => [begun(step), step]) : [...steps.map(begun), ...steps],
		written.atMs,
	);
	// In some versions each result of several has the index 0.
	const hasIndexes = new Set(results.map(({ index }) => index)).size === results.length;
	return results.map((result, at) => {
		const index = (hasIndexes ? result.index : undefined) ?? at;
		const facts = factsOf(result);
		return {
			...run,
			...facts,
			key: `${run.runId ?? run.callId ?? ""}:${index}`,
			index,
			context: result.context ?? run.context,
			...(hasEnded(facts.state) ? (spans.get(String(at)) ?? (isOne ? { endedMs: written.atMs } : {})) : {}),
		};
	});
}

function begun({ key }: RunStep): RunStep {
	return { key };
}

/** The steps of a workflow: each is a run of its own, with an id of its own. */
function workflowRuns(
	run: RunIdentity,
	{
		workflowChildren,
		workflow,
		results,
	}: Pick<SubagentDetails, "workflowChildren" | "results"> & Partial<SubagentDetails>,
	written: ResultOrigin,
): ReportFacts[] {
	const workflowId = workflowChildren?.workflowRunId ?? run.runId ?? written.callId ?? "";
	const trace = (workflow?.trace ?? []).filter(({ operation }) => operation === undefined || operation === "run");
	const steps = trace.flatMap(({ key, state, durationMs }) =>
		key === undefined ? [] : [state === "started" ? { key } : { key, durationMs: durationMs ?? 0 }],
	);
	const spans = spansOf(steps, run.isBackground ? undefined : written.atMs);
	const byKey = Map.groupBy(results, ({ workflowKey }) => workflowKey);
	const children = (workflowChildren?.children ?? []).filter(({ childId }) => childId !== undefined);
	const keys = new Set(children.map(({ childId }) => childId));
	const runs = children.map((child): ReportFacts => {
		const result = byKey.get(child.childId)?.at(-1);
		const facts = factsOf({ ...result, agent: result?.agent ?? child.agent, model: result?.model ?? child.model });
		return {
			...run,
			...facts,
			key: `${workflowId}/${child.childId}`,
			workflowId,
			runId: child.runId ?? result?.runId,
			index: 0,
			task: facts.task || taskIn(child.sessionName, child.agent),
			context: result?.context ?? run.context,
			state: result === undefined ? runStateOf({ state: child.state }) : facts.state,
			...spans.get(child.childId ?? ""),
		};
	});
	const otherResults = results.filter(({ workflowKey }) => workflowKey === undefined || !keys.has(workflowKey));
	return [
		...runs,
		...otherResults.map((result, at) => ({
			...run,
			...factsOf(result),
			key: `${workflowId}/${result.workflowKey ?? at}`,
			workflowId,
			runId: result.runId,
			index: 0,
			context: result.context ?? run.context,
			...spans.get(result.workflowKey ?? ""),
		})),
	];
}

/** What a wait has seen end: the id of a run that was started earlier, and what became of each of its agents. */
function completedRuns(completion: SubagentDetails["completions"][number], written: ResultOrigin): ReportFacts[] {
	const { runId, agent = "", state, results, success, workflowChildren } = completion;
	if (runId === undefined) return [];
	const ended = { isBackground: true, endedMs: written.atMs } as const;
	if (workflowChildren !== undefined) {
		const keyOf = new Map(workflowChildren.children.map((child) => [child.runId, child.childId]));
		const keyed = results.map((result) => ({ ...result, workflowKey: result.workflowKey ?? keyOf.get(result.runId) }));
		return workflowRuns({ runId }, { workflowChildren, results: keyed }, written).map((run) => ({
			...run,
			...ended,
			callId: undefined,
		}));
	}
	if (results.length === 0)
		return [{ ...ended, key: `${runId}:0`, runId, index: 0, agent, task: "", state: runStateOf({ state, success }) }];
	return results.map((result, index) => {
		// What is said of all agents of the run is said of its only one.
		const merged = results.length === 1 ? { ...result, state, success: result.success ?? success } : result;
		const facts = factsOf(merged);
		return { ...ended, ...facts, key: `${runId}:${index}`, runId, index, agent: facts.agent || agent };
	});
}

/** What a result says about its run, whatever kind of run it is. */
function factsOf(result: Partial<Result> & { readonly state?: string }) {
	const { agent = "", task, sessionName, usage, model, thinking, error, errorMessage, sessionFile } = result;
	const suffix = `:${thinking}`;
	const tokens = (usage?.input ?? 0) + (usage?.output ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
	return {
		agent,
		task: task === undefined || task === REDACTED ? taskIn(sessionName, agent) : task,
		state: runStateOf(result),
		error: error ?? errorMessage,
		turns: usage?.turns,
		tokens: usage === undefined ? undefined : tokens,
		cost: usage?.cost,
		model: model?.endsWith(suffix) ? model.slice(0, -suffix.length) : model,
		file: sessionFile,
	};
}

/** What stands in place of the task since 0.35 or so; the call has it, and the run's own session. */
const REDACTED = "[prompt redacted]";
/** How the package's own instructions for the output begin, which follow the task. */
const INSTRUCTIONS = " --- **Output:**";
/** How the task of a run with forked context begins. */
const PREAMBLE = "You are a delegated subagent running from a fork";

/** The beginning of the task in the name that a run is shown with, "scout: Look around". */
function taskIn(sessionName: string | undefined, agent: string | undefined): string {
	const prefix = `${agent}: `;
	if (agent === undefined || !sessionName?.startsWith(prefix)) return "";
	const task = sessionName.slice(prefix.length).split(INSTRUCTIONS)[0] ?? "";
	return task.startsWith(PREAMBLE) ? "" : task;
}
