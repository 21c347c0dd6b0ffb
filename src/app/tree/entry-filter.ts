import { contentText } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { TreeFilter } from "../model/state.ts";
import { fieldsOf, textOf } from "./fields.ts";
import { BOOKKEEPING, conversationLeaf } from "./leaf.ts";

/** Whether a filter shows an entry. Where the conversation goes on is always shown by "default". */
export function passesFilter(entry: SessionEntry, session: Session, filter: TreeFilter): boolean {
	const message = entry.type === "message" ? fieldsOf(entry.message) : undefined;
	switch (filter) {
		case "all":
			return true;
		case "user-only":
			return message?.role === "user";
		case "labeled-only":
			return session.tree.labels.has(entry.id);
		case "no-tools":
			return message?.role !== "toolResult" && passesFilter(entry, session, "default");
		case "default":
			if (entry.id === conversationLeaf(session)) return true;
			if (BOOKKEEPING.has(entry.type)) return false;
			return message?.role !== "assistant" || saysSomething(message);
	}
}

/** An answer that only calls tools is seen by its tool results; one that failed or was stopped must be seen itself. */
function saysSomething(message: Readonly<Record<string, unknown>>): boolean {
	if (contentText(message.content).trim() !== "") return true;
	const stop = textOf(message.stopReason);
	return stop !== "" && stop !== "stop" && stop !== "toolUse";
}
