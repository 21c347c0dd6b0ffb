import { contentText } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Fields, fieldsBesides, fieldsOf, numberOf, textOf } from "../conversation/fields.ts";
import { placeOf } from "../conversation/place.ts";
import { BASE, describeRow, type RowDescription } from "../conversation/row.ts";
import { rowText } from "../conversation/row-text.ts";
import { systemPlainText } from "../conversation/system-text.ts";
import { formatCost, formatCount, formatDuration } from "../text/format.ts";
import { blockSections } from "./block-sections.ts";
import { type EntrySection, hasText, ifAny, json, section } from "./entry-section.ts";
import { messageSections } from "./message-sections.ts";
import { systemSections } from "./system-sections.ts";

/**
 * The full text of any entry in parts: text, thinking, tool calls and their output; other entries as their fields. There
 * may be any number of parts: they are made one after the other, as they are taken.
 */
export function* entrySections(entry: SessionEntry, session: Session, home: string): Generator<EntrySection> {
	let isEmpty = true;
	for (const part of sectionsOf(entry, session, home)) {
		if (!hasText(part)) continue;
		isEmpty = false;
		yield part;
	}
	if (isEmpty) yield section("", "(empty)", "muted");
}

function* sectionsOf(entry: SessionEntry, session: Session, home: string): Generator<EntrySection> {
	const fields = fieldsOf(entry);
	switch (entry.type) {
		case "message":
			yield* messageSections(entry, session, home);
			return;
		case "compaction":
			yield section("", textOf(fields.summary));
			yield ifAny("details", json(fields.details), "muted");
			yield section("", kept(fields), "muted");
			yield* systemSections(fieldsOf(fields.systemMessage), home);
			return;
		case "branch_summary":
			yield section("", textOf(fields.summary));
			yield ifAny("details", json(fields.details), "muted");
			return;
		case "custom_message":
			yield* blockSections(fields.content, home);
			yield ifAny("details", json(fields.details), "muted");
			return;
		case "custom":
			yield section("", textOf(fields.customType), "muted");
			yield section("", json(fields.data));
			return;
		case "label":
			yield section("", textOf(fields.label) || "cleared");
			yield section("", `on entry ${rowText(fields.targetId)}`, "muted");
			return;
		case "session_info":
			yield section("", textOf(fields.name) || "cleared");
			return;
		case "model_change":
		case "thinking_level_change":
			yield section("", describeRow(entry, session, placeOf(session, home)).text);
			return;
		default:
			yield section("", json(fieldsBesides(BASE, fields)));
	}
}

function kept({ id, firstKeptEntryId }: Fields): string {
	return firstKeptEntryId === id ? "nothing before is kept" : `kept from entry ${rowText(firstKeptEntryId) || "?"}`;
}

/** The text that "copy" takes: the message without headings, the output of a tool. */
export function entryPlainText(entry: SessionEntry): string {
	const fields = fieldsOf(entry);
	if (entry.type === "message") {
		const message = fieldsOf(fields.message);
		if (message.role === "bashExecution") return textOf(message.command);
		if (message.role === "system") return systemPlainText(message);
		return contentText(message.content, "\n") || textOf(message.errorMessage);
	}
	if (entry.type === "custom_message") return contentText(fields.content, "\n");
	return textOf(fields.summary);
}

/** One row about an entry: its kind, model, time, how long it took, tokens, cost and id. */
export function entryHeading(entry: SessionEntry, session: Session, home: string): string {
	const fields = fieldsOf(entry);
	const message = fieldsOf(fields.message);
	const time = new Date(entry.timestamp);
	const duration = numberOf(message.durationMs);
	const thinking = rowText(message.thinkingLevel);
	return [
		whoOf(describeRow(entry, session, placeOf(session, home))),
		rowText(message.model),
		thinking === "" || thinking === "off" ? "" : `thinking ${thinking}`,
		Number.isNaN(time.getTime()) ? rowText(entry.timestamp) : time.toLocaleString("sv-SE").slice(0, 16),
		duration === undefined ? "" : formatDuration(duration),
		...usageParts(fieldsOf(message.usage ?? fields.usage)),
		rowText(entry.id),
	]
		.filter((part) => part !== "")
		.join(" · ");
}

/** Tokens of the answer, and the cost; "billed" where the provider said so, else it is an estimate (pi 1.5). */
function usageParts(usage: Fields): string[] {
	const cost = fieldsOf(usage.cost);
	const total = numberOf(cost.total) ?? 0;
	const output = numberOf(usage.output) ?? 0;
	return [
		output === 0 ? "" : `${formatCount(output)} tokens out`,
		total === 0 ? "" : `${formatCost(total)}${cost.totalFromProvider === true ? " billed" : ""}`,
	];
}

/** Who or what an entry is: "user", "assistant", else what its row begins with. */
export function whoOf({ kind, verb }: RowDescription): string {
	if (kind === "prompt") return "user";
	return kind === "answer" || kind === "calls" ? "assistant" : (verb?.text ?? kind);
}
