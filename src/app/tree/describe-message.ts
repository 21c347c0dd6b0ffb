import type { Session } from "../../store/read/read-session.ts";
import { type Fields, fieldsBesides, fieldsOf, textOf } from "../conversation/fields.ts";
import {
	compactJson,
	contentHead,
	head,
	imageMark,
	joinWords,
	MAX_FIELDS,
	rowBlocks,
	rowText,
} from "../conversation/row-text.ts";
import { bashFailed, stopMark } from "../conversation/stop-reason.ts";
import { systemText } from "../conversation/system-text.ts";
import { callSummary, toolCalls } from "../conversation/tool-call.ts";
import type { Tone } from "../model/view.ts";

/** An entry in one row of the tree, not yet sanitized. */
export interface EntryDescription {
	/** Who or what it is, as "user" or "compaction". */
	readonly who: string;
	readonly tone: Tone;
	/** What is wrong with it or special about it, before the text, which may be longer than the row: "aborted", "✗ exit 1". */
	readonly mark?: { readonly text: string; readonly tone: Tone };
	/** What it says, on one row. */
	readonly text: string;
	/** Tone of the text; default "text". */
	readonly textTone?: Tone;
}

const MESSAGE_BASE: ReadonlySet<string> = new Set(["role", "timestamp"]);
/** Tool calls of one answer that are named in its row. */
const MAX_CALLS = 5;

/** Describes a message with any role, even if fields are missing or odd. */
export function describeMessage(message: Fields, session: Session, home: string): EntryDescription {
	const role = textOf(message.role);
	switch (role) {
		case "user":
			return { who: "user", tone: "prompt", ...said(message) };
		case "assistant":
			return { who: "assistant", tone: "text", ...answer(message, home) };
		case "toolResult":
			return toolResult(message, session, home);
		case "bashExecution":
			return { who: "bash", tone: "verb", ...bashExecution(message), textTone: "muted" };
		case "system":
			return { who: "system", tone: "summary", text: systemText(message), textTone: "muted" };
		case "":
			return { who: "message", tone: "error", text: "has no role", textTone: "error" };
		case "custom":
			return { who: rowText(message.customType) || "custom", tone: "summary", ...said(message) };
		default:
			return { who: head(role), tone: "summary", text: unknownText(message), textTone: "muted" };
	}
}

/** A message with a role that we do not know: what it says, else its fields. */
function unknownText(message: Fields): string {
	return (
		joinWords(imageMark(message.content), contentHead(message.content)) ||
		compactJson(fieldsBesides(MESSAGE_BASE, message, MAX_FIELDS))
	);
}

/** What a message says in its text, with a trace of its images. */
export function said({ content }: Fields): Pick<EntryDescription, "text" | "textTone"> {
	const text = joinWords(imageMark(content), contentHead(content));
	return text.trim() === "" ? { text: "(empty)", textTone: "muted" } : { text };
}

function answer(message: Fields, home: string): Pick<EntryDescription, "mark" | "text" | "textTone"> {
	const stop = stopMark(message);
	const mark = stop === undefined ? {} : { mark: { text: stop.short, tone: stop.tone } };
	const text = joinWords(imageMark(message.content), contentHead(message.content));
	if (text.trim() !== "") return { ...mark, text };
	const error = rowText(message.errorMessage);
	if (error !== "" && stop?.short === "failed") return { ...mark, text: error, textTone: "error" };
	return { ...mark, text: thoughtOrCalls(message.content, home) || error || "(empty)", textTone: "muted" };
}

/** What an answer without text did: its thinking, else the tools that it called. */
function thoughtOrCalls(content: unknown, home: string): string {
	const blocks = rowBlocks(content).map(fieldsOf);
	const thought = blocks.find(({ type, thinking }) => type === "thinking" && textOf(thinking).trim() !== "");
	if (thought !== undefined) return `thinking: ${rowText(thought.thinking)}`;
	const calls = blocks.filter(({ type }) => type === "toolCall");
	const named = calls.slice(0, MAX_CALLS).map((call) => {
		return callSummary({ name: textOf(call.name), args: fieldsOf(call.arguments) }, home);
	});
	if (named.length > 0) return head(`→ ${named.join(", ")}${calls.length > MAX_CALLS ? ", …" : ""}`);
	return blocks.some(({ type }) => type === "thinking") ? "thinking (withheld by the provider)" : "";
}

function toolResult(message: Fields, session: Session, home: string): EntryDescription {
	const call = toolCalls(session).get(textOf(message.toolCallId));
	const requested = call === undefined ? textOf(message.toolName) || "tool" : callSummary(call, home);
	const failed = message.isError === true;
	const output = joinWords(imageMark(message.content), contentHead(message.content));
	return {
		who: failed ? "tool ✗" : "tool",
		tone: failed ? "error" : "verb",
		text: withOutput(requested, output),
		textTone: "muted",
	};
}

function bashExecution(message: Fields): Pick<EntryDescription, "mark" | "text"> {
	const ended = message.cancelled === true ? "✗ cancelled" : `✗ exit ${message.exitCode}`;
	const output = joinWords(rowText(message.output), message.truncated === true ? "[truncated]" : "");
	const prompt = message.excludeFromContext === true ? "!!" : "$";
	return {
		...(bashFailed(message) ? { mark: { text: ended, tone: "error" } } : {}),
		text: withOutput(`${prompt} ${rowText(message.command)}`, output),
	};
}

function withOutput(requested: string, output: string): string {
	return `${head(requested)} → ${output.trim() === "" ? "(no output)" : output}`;
}
