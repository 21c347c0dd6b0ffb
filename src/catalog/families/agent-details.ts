import type { z } from "zod";
import { amount, flag, longText, object, objects, position, text, time } from "./fields.ts";
import type { ReportFacts } from "./run-report.ts";
import { stateOfWord } from "./run-state.ts";

/**
 * What `@tintinweb/pi-subagents` (read in 0.14.1) and pi-web write about the runs of their tool `Agent`: in `details` of results
 * and messages, and in entries of their own.
 */

const NOTIFICATION = {
	id: text,
	description: longText,
	status: text,
	error: longText,
	totalTokens: amount,
	/** 0 where it was not counted. */
	turnCount: position,
};

const DETAILS = object({
	kind: text,
	// tintinweb
	agentId: text,
	subagentType: text,
	displayName: text,
	description: longText,
	status: text,
	error: longText,
	/** "2.2k token", without what came from the cache. */
	tokens: text,
	turnCount: position,
	durationMs: amount,
	modelName: text,
	// pi-web
	sessionId: text,
	parentToolCallId: text,
	profile: text,
	runInBackground: flag,
	createdAt: time,
	completedAt: time,
});

const RECORD = object({
	id: text,
	type: text,
	description: longText,
	status: text,
	error: longText,
	startedAt: time,
	completedAt: time,
});

/** The run that the details of an `Agent` result, or of pi-web's `get_subagent_result`, are about. */
export function runInAgentDetails(value: unknown, callId: string | undefined, atMs: number | undefined): ReportFacts[] {
	const details = DETAILS.parse(value);
	if (details === undefined) return [];
	return details.kind === "pi-web-subagent" ? piWebRun(details, callId) : tintinwebRun(details, callId, atMs);
}

type AgentDetails = NonNullable<z.infer<typeof DETAILS>>;

function piWebRun(details: AgentDetails, callId: string | undefined): ReportFacts[] {
	const { sessionId, parentToolCallId, profile = "", description = "", createdAt, completedAt, error } = details;
	const state = details.status === "aborted" ? "stopped" : stateOfWord(details.status);
	if (sessionId === undefined || state === undefined) return [];
	return [
		{
			key: sessionId,
			callId: parentToolCallId ?? callId,
			sessionId,
			agent: profile,
			task: description,
			state,
			error,
			startedMs: createdAt,
			endedMs: completedAt,
			...(details.runInBackground ? { isBackground: true } : {}),
		},
	];
}

function tintinwebRun(details: AgentDetails, callId: string | undefined, atMs: number | undefined): ReportFacts[] {
	const { agentId, subagentType, displayName, description = "", status, durationMs, turnCount, modelName } = details;
	const state = stateOfAgent(status);
	if (agentId === undefined || state === undefined) return [];
	const agent = subagentType ?? displayName ?? "";
	const isBackground = status === "background";
	const startedMs = atMs === undefined ? undefined : isBackground ? atMs : atMs - (durationMs ?? 0);
	return [
		{
			...identity(agentId, agent),
			callId,
			task: description,
			state,
			error: details.error,
			startedMs: durationMs === undefined ? undefined : startedMs,
			endedMs: isBackground ? undefined : atMs,
			turns: turnCount || undefined,
			tokens: tokensIn(details.tokens),
			model: modelName,
			...(isBackground ? { isBackground: true } : {}),
		},
	];
}

/** The run of a `subagents:record`, which is written when it ends. */
export function runInRecord(value: unknown): ReportFacts[] {
	const record = RECORD.parse(value);
	const state = stateOfAgent(record?.status);
	if (record?.id === undefined || state === undefined) return [];
	const { id, type = "", description = "", error, startedAt, completedAt } = record;
	return [{ ...identity(id, type), task: description, state, error, startedMs: startedAt, endedMs: completedAt }];
}

const NOTIFICATIONS = object({ ...NOTIFICATION, others: objects(NOTIFICATION) });

/** The runs of a message about agents that have ended in the background. */
export function runsInNotification(value: unknown): ReportFacts[] {
	const first = NOTIFICATIONS.parse(value);
	if (first === undefined) return [];
	return [first, ...first.others].flatMap(({ id, description = "", status, error, totalTokens, turnCount }) => {
		const state = stateOfAgent(status);
		if (id === undefined || state === undefined) return [];
		const counts = { turns: turnCount || undefined, tokens: totalTokens };
		// Neither the agent's name nor, with certainty, how its session is called: the result of the call has both.
		return [{ key: id, agent: "", task: description, state, error, ...counts, isBackground: true as const }];
	});
}

/** The run of a result of tintinweb's `get_subagent_result`, which is text only. */
export function runInResultText(content: string): ReportFacts[] {
	const match = /^Agent: (\S{1,100})\nType: ([^|\n]{1,200}) \| Status: ([a-z]+)[^\n]*\nDescription: ([^\n]*)\n/.exec(
		content,
	);
	const [, id = "", agent = "", status, task = ""] = match ?? [];
	const state = stateOfAgent(status);
	if (id === "" || state === undefined) return [];
	// The name is the one that is shown, and the type of the agent wherever it is not one of the package's own.
	return [{ key: id, agent, task: task.slice(0, 1000), state, isBackground: true }];
}

/** An agent's session is called after its type and the first eight characters of its id, where it has one. */
function identity(id: string, agent: string): Pick<ReportFacts, "key" | "agent" | "sessionName"> {
	return { key: id, agent, ...(agent === "" ? {} : { sessionName: `${agent}#${id.slice(0, 8)}` }) };
}

function stateOfAgent(status: string | undefined) {
	// What a person or a program stops is "stopped".
	return status === "aborted" ? "turn limit" : stateOfWord(status);
}

function tokensIn(tokens: string | undefined): number | undefined {
	const [, amount, unit] = /^([0-9.]+)(k|M)? token/.exec(tokens ?? "") ?? [];
	if (amount === undefined) return undefined;
	const factor = unit === "M" ? 1_000_000 : unit === "k" ? 1000 : 1;
	const count = Math.round(Number(amount) * factor);
	return Number.isNaN(count) ? undefined : count;
}
