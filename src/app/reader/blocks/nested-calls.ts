import { type Fields, fieldsOf, listOf, numberOf } from "../../conversation/fields.ts";
import { compactJson, joinWords, rowText } from "../../conversation/row-text.ts";
import { formatCounted, formatDuration, formatSize } from "../../text/format.ts";
import { joinLines } from "./json-parts.ts";

/** The calls that a tool made to other tools, one on a row: how it ended, the tool, its arguments, how long it took. */
export function nestedCallsText({ calls, complete }: Fields): string {
	const all = listOf(calls);
	if (all.length === 0) return "";
	const rows = joinLines(all.values().map((call) => nestedCall(fieldsOf(call))));
	const more = complete === false ? "\n(not all was stored)" : "";
	return `${formatCounted(all.length, "call")} of other tools\n${rows}${more}`;
}

function nestedCall({ status, name, arguments: args, argumentsBytes, durationMs, error }: Fields): string {
	const bytes = numberOf(argumentsBytes);
	const ms = numberOf(durationMs);
	return joinWords(
		status === "ok" ? "✓" : `✗ ${rowText(status)}`,
		rowText(name),
		compactJson(args) || (bytes === undefined ? "" : `(${formatSize(bytes)} of arguments were not stored)`),
		ms === undefined ? "" : `· ${formatDuration(ms)}`,
		error === undefined ? "" : `· ${rowText(error)}`,
	);
}
