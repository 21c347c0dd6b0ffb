import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Fields, fieldsBesides, fieldsOf, listOf, numberOf, textOf } from "../conversation/fields.ts";
import { compactJson, joinWords, rowText } from "../conversation/row-text.ts";
import { commandFailed } from "../conversation/step.ts";
import { stopMark } from "../conversation/stop-reason.ts";
import { type CallFacts, callOf } from "../conversation/tool-call.ts";
import { formatCounted, formatDuration, formatSize } from "../text/format.ts";
import { argumentsText, blockSections } from "./block-sections.ts";
import { callTitle, oneLine } from "./call-title.ts";
import { type EntrySection, ifAny, joinLines, json, section } from "./entry-section.ts";
import { systemSections } from "./system-sections.ts";

/** The full text of a message in parts, by its role. */
export function* messageSections(entry: SessionEntry, session: Session, home: string): Generator<EntrySection> {
	const message = fieldsOf(fieldsOf(entry).message);
	switch (textOf(message.role)) {
		case "toolResult":
			yield* toolResultSections(message, callOf(entry, session), home);
			return;
		case "bashExecution":
			yield* bashSections(message);
			return;
		case "system":
			yield* systemSections(message, home);
			return;
	}
	yield* blockSections(message.content, home);
	switch (textOf(message.role)) {
		case "user":
			return;
		case "assistant":
			yield stopSection(message);
			return;
		case "custom":
			yield ifAny("details", json(message.details), "muted");
			return;
		default:
			yield section("", json(otherFields(message)), "muted");
	}
}

/** Why an answer is not whole: "failed: 529 overloaded", "cut off: length limit (max_tokens)". */
function stopSection(message: Fields): EntrySection {
	const stop = stopMark(message);
	if (stop === undefined) return section("", "");
	const raw = rowText(message.rawStopReason);
	const error = textOf(message.errorMessage);
	const text = `${stop.long}${raw === "" ? "" : ` (${raw})`}${error === "" ? "" : `: ${error}`}`;
	return section("", text, stop.tone);
}

function* toolResultSections(message: Fields, call: CallFacts | undefined, home: string): Generator<EntrySection> {
	if (call === undefined) yield section(rowText(message.toolName) || "tool", "");
	else yield section(callTitle(call, home), argumentsText(call), "muted");
	let isEmpty = true;
	for (const output of blockSections(message.content, home, message.isError === true ? "error" : "text")) {
		if (output.title === "" && output.text.trim() === "") continue;
		isEmpty = false;
		yield output;
	}
	if (isEmpty) yield section("", "(no output)", "muted");
	yield ifAny("diff", textOf(fieldsOf(message.details).diff), "muted");
	yield nestedCalls(fieldsOf(message.nestedCalls));
}

/** The calls that a tool made to other tools, one on a row: how it ended, the tool, its arguments, how long it took. */
function nestedCalls({ calls, complete }: Fields): EntrySection {
	const all = listOf(calls);
	const rows = all.values().map((call) => nestedCall(fieldsOf(call)));
	const text = joinLines(rows);
	const more = complete === false ? "\n(not all was stored)" : "";
	return ifAny(`${formatCounted(all.length, "call")} of other tools`, `${text}${text === "" ? "" : more}`, "muted");
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

function bashSections(message: Fields): EntrySection[] {
	const command = textOf(message.command);
	const title = oneLine(command);
	const output = textOf(message.output);
	return [
		section(`$ ${title}`, title === command.trimEnd() ? "" : command, "muted"),
		output.trim() === "" ? section("", "(no output)", "muted") : section("", output),
		section("", bashFacts(message).join("\n"), commandFailed(message) ? "error" : "muted"),
	];
}

function bashFacts({ cancelled, exitCode, truncated, fullOutputPath, excludeFromContext }: Fields): string[] {
	const code = numberOf(exitCode) ?? 0;
	const path = rowText(fullOutputPath);
	return [
		cancelled === true ? "✗ cancelled" : "",
		code !== 0 ? `✗ exit code ${code}` : "",
		truncated === true ? "the output is truncated" : "",
		path === "" ? "" : `full output: ${path}`,
		excludeFromContext === true ? "the model does not get it (!!)" : "",
	].filter((fact) => fact !== "");
}

const SHOWN: ReadonlySet<string> = new Set(["role", "timestamp", "content"]);

/** The fields of a message with an unknown role, besides its content; undefined when there are none. */
function otherFields(message: Fields): Fields | undefined {
	const others = fieldsBesides(SHOWN, message);
	return Object.keys(others).length === 0 ? undefined : others;
}
