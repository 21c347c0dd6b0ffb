import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { REPORTING_TOOLS, REPORTING_TYPES, type RunReport } from "./run-report.ts";

type Read = (entry: RawEntry) => readonly RunReport[];

let read: Read | undefined;

/** Loads what reads reports. It needs zod, which the thread that counts does without for all who have no subagents. */
export async function loadReports(): Promise<void> {
	({ reportsIn: read } = await import("./reports-in.ts"));
}

/** What reads reports, if it has been loaded. */
export function loadedReports(): Read | undefined {
	return read;
}

/** Whether an entry can say something about runs of subagents: false only if `reportsIn` finds nothing in it. */
export function isReport(entry: RawEntry): boolean {
	if (entry.type === "custom" || entry.type === "custom_message") return isReportType(entry.customType);
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	switch (message?.role) {
		case "toolResult":
			return isReportTool(message.toolName);
		case "custom":
			return isReportType(message.customType);
		case "assistant":
			return (
				Array.isArray(message.content) &&
				message.content.some(
					(block: unknown) => isObject(block) && block.type === "toolCall" && isReportTool(block.name),
				)
			);
		default:
			return false;
	}
}

function isReportType(type: unknown): boolean {
	return typeof type === "string" && REPORTING_TYPES.some((beginning) => type.startsWith(beginning));
}

function isReportTool(name: unknown): boolean {
	return REPORTING_TOOLS.some((tool) => tool === name);
}
