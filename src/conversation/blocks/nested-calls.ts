import { formatCounted, formatDuration, formatSize } from "../../ui/text/format.ts";
import { callWords } from "../entries/call-words.ts";
import { type Fields, fieldsOf, listOf, numberOf } from "../entries/fields.ts";
import type { Place } from "../entries/place.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import { joinLines } from "./json-parts.ts";

/** The calls that a tool made to other tools, one on a row: how it ended, the tool, its arguments, how long it took. */
export function nestedCallsText({ calls, complete }: Fields, place: Place): string {
	const all = listOf(calls);
	if (all.length === 0) return "";
	const rows = joinLines(all.values().map((call) => nestedCall(fieldsOf(call), place)));
	const more = complete === false ? "\n(not all was stored)" : "";
	return `${formatCounted(all.length, "call")} of other tools\n${rows}${more}`;
}

function nestedCall(call: Fields, place: Place): string {
	const { status, name, arguments: args, argumentsBytes, durationMs, error } = call;
	const bytes = numberOf(argumentsBytes);
	const ms = numberOf(durationMs);
	const { verb, argument } = callWords(rowText(name), fieldsOf(args), place);
	return joinWords(
		status === "ok" ? "✓" : `✗ ${rowText(status)}`,
		verb,
		argument.replaceAll("\n", " ") ||
			(bytes === undefined ? "" : `(${formatSize(bytes)} of arguments were not stored)`),
		ms === undefined ? "" : `· ${formatDuration(ms)}`,
		error === undefined ? "" : `· ${rowText(error)}`,
	);
}
