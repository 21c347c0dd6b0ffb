import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { REPORTING_TOOLS, REPORTING_TYPES } from "./run-report.ts";

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

/** The same by the tool of a result, or the `customType` of an extension's entry or message. */
export function isReportSource(source: unknown): boolean {
	return isReportTool(source) || isReportType(source);
}

function isReportType(type: unknown): boolean {
	return typeof type === "string" && REPORTING_TYPES.some((beginning) => type.startsWith(beginning));
}

function isReportTool(name: unknown): boolean {
	return REPORTING_TOOLS.some((tool) => tool === name);
}
