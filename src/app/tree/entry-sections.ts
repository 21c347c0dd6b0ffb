import { contentBlocks, contentText } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Tone } from "../model/view.ts";
import { describeEntry } from "./describe-entry.ts";
import { type Fields, fieldsOf, numberOf, textOf } from "./fields.ts";
import { callSummary, toolCalls } from "./tool-call.ts";

/** A part of the full text of an entry, not yet sanitized. */
export interface EntrySection {
	/** One row above the text; "" for none. */
	readonly title: string;
	readonly text: string;
	readonly tone: Tone;
}

/** The full text of any entry in parts: text, thinking, tool calls and their output; other entries as their fields. */
export function entrySections(entry: SessionEntry, session: Session, home: string): EntrySection[] {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			return messageSections(fieldsOf(fields.message), session, home);
		case "compaction":
			return [
				section("", textOf(fields.summary)),
				ifAny("details", json(fields.details), "muted"),
				section("", `kept from entry ${textOf(fields.firstKeptEntryId) || "?"}`, "muted"),
			].filter(hasText);
		case "branch_summary":
			return [section("", textOf(fields.summary)), ifAny("details", json(fields.details), "muted")].filter(hasText);
		case "custom_message":
			return [...blockSections(fields.content, home), ifAny("details", json(fields.details), "muted")].filter(hasText);
		case "label":
		case "session_info":
		case "model_change":
		case "thinking_level_change":
			return [section("", describeEntry(entry, session, home).text)].filter(hasText);
		default:
			return [section("", json(withoutBase(fields)))].filter(hasText);
	}
}

/** The text that "copy" takes: the message without headings, the output of a tool. */
export function entryPlainText(entry: SessionEntry): string {
	const fields = fieldsOf(entry);
	if (entry.type === "message") {
		const message = fieldsOf(fields.message);
		if (message.role === "bashExecution") return textOf(message.command);
		return contentText(message.content, "\n") || textOf(message.errorMessage);
	}
	if (entry.type === "custom_message") return contentText(fields.content, "\n");
	return textOf(fields.summary);
}

/** One row about an entry: its kind, model, time, tokens, cost and id. */
export function entryHeading(entry: SessionEntry, session: Session, home: string): string {
	const message = fieldsOf(fieldsOf(entry).message);
	const usage = fieldsOf(message.usage);
	const cost = numberOf(fieldsOf(usage.cost).total);
	const output = numberOf(usage.output);
	const time = new Date(entry.timestamp);
	return [
		describeEntry(entry, session, home).who,
		textOf(message.model),
		Number.isNaN(time.getTime()) ? textOf(entry.timestamp) : time.toLocaleString("sv-SE").slice(0, 16),
		output === undefined || output === 0 ? "" : `${output} tokens out`,
		cost === undefined || cost === 0 ? "" : `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`,
		entry.id,
	]
		.filter((part) => part !== "")
		.join(" · ");
}

function messageSections(message: Fields, session: Session, home: string): EntrySection[] {
	switch (textOf(message.role)) {
		case "toolResult": {
			const call = toolCalls(session).get(textOf(message.toolCallId));
			return [
				section(
					call === undefined ? textOf(message.toolName) : callSummary(call, home),
					argumentsText(call?.args),
					"muted",
				),
				...blockSections(message.content, home, message.isError === true ? "error" : "text"),
				ifAny("diff", textOf(fieldsOf(message.details).diff), "muted"),
			].filter(hasText);
		}
		case "bashExecution":
			return [
				section(`$ ${textOf(message.command)}`, textOf(message.output)),
				section("", numberOf(message.exitCode) === undefined ? "" : `exit code ${message.exitCode}`, "muted"),
			].filter(hasText);
		default:
			return [...blockSections(message.content, home), ifAny("error", textOf(message.errorMessage), "error")].filter(
				hasText,
			);
	}
}

function blockSections(content: unknown, home: string, tone: Tone = "text"): EntrySection[] {
	return contentBlocks(content).map((block) => {
		const fields = fieldsOf(block);
		switch (textOf(fields.type)) {
			case "text":
				return section("", textOf(fields.text), tone);
			case "thinking":
				return section("thinking", textOf(fields.thinking) || "(withheld by the provider)", "muted");
			case "toolCall": {
				const args = fieldsOf(fields.arguments);
				return section(`→ ${callSummary({ name: textOf(fields.name), args }, home)}`, argumentsText(args), "muted");
			}
			case "image":
				return section(
					`image ${textOf(fields.mimeType)}, ${Math.round(textOf(fields.data).length * 0.75)} bytes`,
					"",
					"muted",
				);
			default:
				return section(textOf(fields.type), json(block), "muted");
		}
	});
}

/** Arguments that the one-row summary leaves out: text as it is, the rest as JSON. */
function argumentsText(args: Fields | undefined): string {
	if (args === undefined) return "";
	const shown = new Set(["path", "file_path", "command", "pattern", "offset", "limit"]);
	return Object.entries(args)
		.filter(([name, value]) => !shown.has(name) || (typeof value === "string" && value.includes("\n")))
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : json(value)}`)
		.join("\n");
}

function section(title: string, text: string, tone: Tone = "text"): EntrySection {
	return { title, text, tone };
}

/** A part that is left out with its title when it has no text. */
function ifAny(title: string, text: string, tone: Tone = "text"): EntrySection {
	return section(text === "" ? "" : title, text, tone);
}

function hasText({ title, text }: EntrySection): boolean {
	return title !== "" || text !== "";
}

function withoutBase(fields: Fields): Fields {
	const { id: _id, parentId: _parentId, timestamp: _timestamp, ...own } = fields;
	return own;
}

function json(value: unknown): string {
	return value === undefined ? "" : JSON.stringify(value, undefined, 2);
}
