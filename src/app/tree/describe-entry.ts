import { contentText } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Tone } from "../model/view.ts";
import { fieldsOf, numberOf, textOf } from "./fields.ts";
import { callSummary, toolCalls } from "./tool-call.ts";

/** An entry in one row of the tree, not yet sanitized. */
export interface EntryDescription {
	/** Who or what it is, as "user" or "compaction". */
	readonly who: string;
	readonly tone: Tone;
	/** What it says, on one row. */
	readonly text: string;
	/** Tone of the text; default "text". */
	readonly textTone?: Tone;
}

/** Characters of a row's text at most: enough for the widest terminal, and cheap to sanitize. */
const MAX_ROW_TEXT = 600;

/** Describes any entry, even if fields are missing or odd. */
export function describeEntry(entry: SessionEntry, session: Session, home: string): EntryDescription {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			return describeMessage(entry, session, home);
		case "model_change":
			return note("model", [fields.provider, fields.modelId].map(textOf).filter(Boolean).join("/"));
		case "thinking_level_change":
			return note("thinking", textOf(fields.thinkingLevel));
		case "compaction":
			return summary("≡ compaction", `${tokens(fields.tokensBefore)}${head(textOf(fields.summary))}`);
		case "branch_summary":
			return summary("≡ branch summary", head(textOf(fields.summary)));
		case "custom":
			return note("custom", [textOf(fields.customType), compactJson(fields.data)].filter(Boolean).join(" "));
		case "custom_message":
			return { who: textOf(fields.customType) || "custom", tone: "summary", text: head(contentText(fields.content)) };
		case "label":
			return note("label", textOf(fields.label) === "" ? "cleared" : `[${textOf(fields.label)}]`);
		case "session_info":
			return note("name", textOf(fields.name) === "" ? "cleared" : textOf(fields.name));
		case "usage":
			return note("usage", [fields.kind, fields.model, fields.note].map(textOf).filter(Boolean).join(" "));
		case "context_edit":
			return note("context edit", fields.replacement === null ? "leaves an entry out" : "replaces an entry's content");
		default:
			return note(textOf(fields.type) || "unknown", compactJson(fields));
	}
}

function describeMessage(entry: SessionEntry, session: Session, home: string): EntryDescription {
	const message = fieldsOf(fieldsOf(entry).message);
	const role = textOf(message.role);
	switch (role) {
		case "user":
			return { who: "user", tone: "user", text: head(contentText(message.content)) };
		case "assistant":
			return { who: "assistant", tone: "assistant", ...assistantText(message) };
		case "toolResult": {
			const call = toolCalls(session).get(textOf(message.toolCallId));
			const requested = call === undefined ? textOf(message.toolName) || "tool" : callSummary(call, home);
			const failed = message.isError === true;
			const answer = head(contentText(message.content));
			return {
				who: failed ? "tool ✗" : "tool",
				tone: failed ? "error" : "tool",
				text: answer === "" ? requested : `${head(requested)} → ${answer}`,
				textTone: "muted",
			};
		}
		case "bashExecution":
			return { who: "bash", tone: "tool", text: `$ ${head(textOf(message.command))}`, textTone: "muted" };
		case "":
			return { who: "message", tone: "error", text: "has no role", textTone: "error" };
		default:
			return { who: role, tone: "summary", text: head(contentText(message.content)), textTone: "muted" };
	}
}

function assistantText(message: Readonly<Record<string, unknown>>): Pick<EntryDescription, "text" | "textTone"> {
	const text = head(contentText(message.content));
	if (text.trim() !== "") return { text };
	if (message.stopReason === "aborted") return { text: "aborted", textTone: "warning" };
	const error = textOf(message.errorMessage);
	return error === "" ? { text: "no text", textTone: "muted" } : { text: head(error), textTone: "error" };
}

function note(who: string, text: string): EntryDescription {
	return { who, tone: "muted", text, textTone: "muted" };
}

function summary(who: string, text: string): EntryDescription {
	return { who, tone: "summary", text, textTone: "summary" };
}

function tokens(value: unknown): string {
	const count = numberOf(value);
	return count === undefined ? "" : `${Math.round(count / 1000)}k tokens: `;
}

function head(text: string): string {
	return text.slice(0, MAX_ROW_TEXT);
}

function compactJson(value: unknown): string {
	return value === undefined ? "" : head(JSON.stringify(value) ?? "");
}
