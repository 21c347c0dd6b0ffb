import { isObject } from "../../shared/json.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { messageEnd } from "../../store/format/step-end.ts";
import { runInAgentDetails, runInRecord, runInResultText, runsInNotification } from "./agent-details.ts";
import { runsInNotice } from "./notices.ts";
import { runsInCall } from "./run-calls.ts";
import { type ReportFacts, type RunReport, withoutGaps } from "./run-report.ts";
import { runsInDetails } from "./subagent-details.ts";

/**
 * What an entry of a session says about runs of subagents: calls that start them, results, records and notices of their
 * end. Reports of several entries about the same run have the same key; `joinReports` puts them together. Never throws,
 * whatever is in the entry.
 */
export function reportsIn(entry: RawEntry): readonly RunReport[] {
	const entryId = typeof entry.id === "string" ? entry.id : "";
	return reportedIn(entry).map((report) => ({
		...withoutGaps(report),
		// A notice has no name for its runs.
		...(report.key.startsWith("notice:") ? { key: `${entryId}:${report.key}` } : {}),
		entryId,
	}));
}

function reportedIn(entry: RawEntry): readonly ReportFacts[] {
	if (entry.type === "custom") return entry.customType === "subagents:record" ? runInRecord(entry.data) : [];
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	const atMs = timeIn(entry.timestamp) ?? timeIn(message?.timestamp);
	if (entry.type === "custom_message") return runsInMessage(entry, atMs);
	if (message?.role === "assistant") return runsInCalls(message.content, atMs);
	if (message?.role === "custom") return runsInMessage(message, atMs);
	return message?.role === "toolResult" ? runsInResult(message, atMs) : [];
}

function runsInCalls(content: unknown, startedMs: number | undefined): ReportFacts[] {
	if (!Array.isArray(content)) return [];
	return content.flatMap((block: unknown) =>
		isObject(block) && block.type === "toolCall" && typeof block.id === "string"
			? runsInCall(block.name, block.arguments, block.id, startedMs)
			: [],
	);
}

function runsInResult(message: RawEntry, atMs: number | undefined): ReportFacts[] {
	const callId = typeof message.toolCallId === "string" ? message.toolCallId : undefined;
	const { toolName, details } = message;
	const durationMs = typeof message.durationMs === "number" ? message.durationMs : undefined;
	if (toolName === "subagent" || toolName === "bg_wait" || toolName === "subagent_wait") {
		const starts = toolName === "subagent";
		const runs = runsInDetails(details, { callId: starts ? callId : undefined, atMs, durationMs });
		return runs.length === 0 && starts ? failedCall(message, callId, atMs) : runs;
	}
	if (toolName === "get_subagent_result") {
		const runs = runInAgentDetails(details, undefined, atMs);
		return runs.length > 0 ? runs : runInResultText(textOf(message.content));
	}
	if (toolName !== "Agent") return [];
	const runs = runInAgentDetails(details, callId, atMs);
	return runs.length > 0 ? runs : failedCall(message, callId, atMs);
}

/** A call that failed as a whole, or was stopped, says nothing of its runs. */
function failedCall(message: RawEntry, callId: string | undefined, endedMs: number | undefined): ReportFacts[] {
	const end = messageEnd(message, () => false);
	if (end === "ok" || callId === undefined) return [];
	const call = { key: `call:${callId}`, callId, agent: "", task: "", endedMs, isUnnamed: true } as const;
	// The runs of a call that was stopped, or never made, have not failed, and are not awaited any more.
	if (end !== "failed") return [{ ...call, state: "stopped" }];
	return [{ ...call, state: "failed", error: textOf(message.content).slice(0, 1000) }];
}

function runsInMessage(message: RawEntry, atMs: number | undefined): readonly ReportFacts[] {
	const { customType, details } = message;
	if (customType === "subagent-notification") return runsInNotification(details);
	if (customType === "pi-web:subagent-notification") return runInAgentDetails(details, undefined, atMs);
	if (customType === "subagent-notify" || customType === "subagent-incremental-child-notify")
		return runsInNotice(textOf(message.content), atMs);
	const written = { callId: undefined, atMs, durationMs: undefined };
	if (customType === "subagent-wait-subscription") return runsInDetails(waitedFor(details), written);
	if (customType !== "subagent-slash-result" || !isObject(details) || !isObject(details.result)) return [];
	// A command of the person: written when it starts, and again with what came of it.
	const callId = typeof details.requestId === "string" ? details.requestId : undefined;
	const runs = runsInDetails(details.result.details, { ...written, callId });
	return runs.map((run) => (run.runId === undefined ? { ...run, isUnnamed: true } : run));
}

/** Its `runId` is only the one that was waited for: what became of it is among the completions. */
function waitedFor(details: unknown): unknown {
	return isObject(details) ? { completions: details.completions, mode: "management" } : undefined;
}

function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	const [first] = content;
	return isObject(first) && typeof first.text === "string" ? first.text : "";
}

function timeIn(value: unknown): number | undefined {
	const time = timeOf(value);
	return Number.isNaN(time) ? undefined : time;
}
