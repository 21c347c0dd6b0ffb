import type { Session } from "../../store/read/read-session.ts";
import { formatCounted, formatDuration } from "../text/format.ts";
import { argumentsText, blockSections } from "./block-sections.ts";
import { type EntrySection, ifAny, json, MAX_PARTS, section } from "./entry-section.ts";
import { type Fields, fieldsBesides, fieldsOf, listOf, numberOf, textOf } from "./fields.ts";
import { compactJson, joinWords, rowText } from "./row-text.ts";
import { bashFailed, stopMark } from "./stop-reason.ts";
import { systemSections } from "./system-sections.ts";
import { callTitle, oneLine, toolCalls } from "./tool-call.ts";

/** The full text of a message in parts, by its role. */
export function messageSections(message: Fields, session: Session, home: string): EntrySection[] {
	switch (textOf(message.role)) {
		case "assistant":
			return [...blockSections(message.content, home), stopSection(message)];
		case "toolResult":
			return toolResultSections(message, session, home);
		case "bashExecution":
			return bashSections(message);
		case "system":
			return systemSections(message, home);
		case "user":
			return blockSections(message.content, home);
		case "custom":
			return [...blockSections(message.content, home), ifAny("details", json(message.details), "muted")];
		default:
			return [...blockSections(message.content, home), section("", json(otherFields(message)), "muted")];
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

function toolResultSections(message: Fields, session: Session, home: string): EntrySection[] {
	const call = toolCalls(session).get(textOf(message.toolCallId));
	const output = blockSections(message.content, home, message.isError === true ? "error" : "text");
	const isEmpty = output.every(({ title, text }) => title === "" && text.trim() === "");
	return [
		call === undefined
			? section(rowText(message.toolName) || "tool", "")
			: section(callTitle(call, home), argumentsText(call), "muted"),
		...(isEmpty ? [section("", "(no output)", "muted")] : output),
		ifAny("diff", textOf(fieldsOf(message.details).diff), "muted"),
		nestedCalls(fieldsOf(message.nestedCalls)),
	];
}

/** The calls that a tool made to other tools, one on a row: how it ended, the tool, its arguments, how long it took. */
function nestedCalls({ calls, complete }: Fields): EntrySection {
	const all = listOf(calls);
	const rows = all.slice(0, MAX_PARTS).map((value) => {
		const call = fieldsOf(value);
		const ms = numberOf(call.durationMs);
		const bytes = numberOf(call.argumentsBytes);
		return joinWords(
			call.status === "ok" ? "✓" : `✗ ${rowText(call.status)}`,
			rowText(call.name),
			compactJson(call.arguments) || (bytes === undefined ? "" : `(${bytes} bytes of arguments were not stored)`),
			ms === undefined ? "" : `· ${formatDuration(ms)}`,
			call.error === undefined ? "" : `· ${rowText(call.error)}`,
		);
	});
	if (complete === false) rows.push("(not all was stored)");
	return ifAny(`${formatCounted(all.length, "call")} of other tools`, rows.join("\n"), "muted");
}

function bashSections(message: Fields): EntrySection[] {
	const command = textOf(message.command);
	const title = oneLine(command);
	const output = textOf(message.output);
	return [
		section(`$ ${title}`, title === command.trimEnd() ? "" : command, "muted"),
		output.trim() === "" ? section("", "(no output)", "muted") : section("", output),
		section("", bashFacts(message).join("\n"), bashFailed(message) ? "error" : "muted"),
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
	const others = fieldsBesides(SHOWN, message, MAX_PARTS);
	return Object.keys(others).length === 0 ? undefined : others;
}
