import { contentText } from "../../store/format/message-text.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { fieldsOf, textOf } from "../conversation/fields.ts";
import { BOOKKEEPING, conversationLeaf } from "../conversation/leaf.ts";
import type { TreeFilter } from "../model/state.ts";

/** Whether a filter shows an entry. "default" always shows the entry at which the conversation goes on. */
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

/** The results of its tools stand for an answer that only calls tools; one that failed or was aborted is shown itself. */
function saysSomething(message: Readonly<Record<string, unknown>>): boolean {
	if (contentText(message.content).trim() !== "") return true;
	const stop = textOf(message.stopReason);
	return stop !== "" && stop !== "stop" && stop !== "toolUse";
}
