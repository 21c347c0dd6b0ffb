import { saysSomething } from "../../store/format/message-facts.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import { type Fields, fieldsOf, textOf } from "./fields.ts";
import { stopMark } from "./stop-reason.ts";

/** What an entry is in the conversation. */
export type EntryKind =
	/** What the person said. */
	| "prompt"
	/** What the model answered: text, or why there is none. */
	| "answer"
	/** The model only thought, or called tools. */
	| "calls"
	/** What a tool said. */
	| "result"
	/** A command that the person ran with "!". */
	| "command"
	| "system"
	| "compaction"
	| "branch-summary"
	/** A message of an extension. */
	| "message"
	| "model"
	| "thinking-level"
	| "label"
	| "name"
	/** State of an extension. */
	| "custom"
	| "usage"
	| "context-edit"
	| "unknown";

const KINDS: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
	["model_change", "model"],
	["thinking_level_change", "thinking-level"],
	["compaction", "compaction"],
	["branch_summary", "branch-summary"],
	["custom", "custom"],
	["custom_message", "message"],
	["label", "label"],
	["session_info", "name"],
	["usage", "usage"],
	["context_edit", "context-edit"],
]);

const ROLES: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
	["user", "prompt"],
	["toolResult", "result"],
	["bashExecution", "command"],
	["system", "system"],
	["custom", "message"],
	["branchSummary", "branch-summary"],
	["compactionSummary", "compaction"],
]);

/** What an entry is, whatever its fields hold. */
export function entryKind(entry: SessionEntry): EntryKind {
	if (entry.type !== "message") return KINDS.get(entry.type) ?? "unknown";
	const role = roleOf(entry);
	if (role !== "assistant") return ROLES.get(role) ?? "unknown";
	return (heldFacts(entry)?.says ?? tellsSomething(fieldsOf(entry.message))) ? "answer" : "calls";
}

/** Who speaks in a message entry, without parsing it; "" for every other entry. */
export function roleOf(entry: SessionEntry | undefined): string {
	if (entry?.type !== "message") return "";
	return heldFacts(entry)?.role ?? textOf(fieldsOf(entry.message).role);
}

/** Whether an answer is more than its thinking and its calls: it has text or an image, or it did not end as it should. */
function tellsSomething(message: Fields): boolean {
	return stopMark(message) !== undefined || saysSomething(message.content);
}
