import { type Fields, fieldsOf, textOf } from "../../store/format/fields.ts";
import { answerFailed } from "../../store/format/message.ts";
import { saysSomething } from "../../store/format/message-facts.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import type { Tone } from "../../ui/text/line.ts";

export type EntryKind =
	/** A message of the person. */
	| "prompt"
	/** An answer of the model with text, or one that did not end as it should. */
	| "answer"
	/** An answer of only thinking and tool calls. */
	| "calls"
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

/** The kind of any entry, whatever its fields hold. */
export function entryKind(entry: SessionEntry): EntryKind {
	if (entry.type !== "message") return KINDS.get(entry.type) ?? "unknown";
	const role = roleOf(entry);
	if (role !== "assistant") return ROLES.get(role) ?? "unknown";
	return (heldFacts(entry)?.says ?? hasContent(fieldsOf(entry.message))) ? "answer" : "calls";
}

/** The role of a message entry, without parsing it; "" for other entries. */
export function roleOf(entry: SessionEntry | undefined): string {
	if (entry?.type !== "message") return "";
	return heldFacts(entry)?.role ?? textOf(fieldsOf(entry.message).role);
}

/** Whether an answer is more than thinking and calls: it has text or an image, or it did not end as it should. */
function hasContent(message: Fields): boolean {
	return stopMark(message) !== undefined || saysSomething(message.content);
}

interface StopMark {
	/** For a row: "aborted". */
	readonly short: string;
	/** For a line above the entry's text. */
	readonly long: string;
	readonly tone: Tone;
}

const FAILED: StopMark = { short: "failed", long: "failed", tone: "error" };

const MARKS: ReadonlyMap<string, StopMark> = new Map<string, StopMark>([
	["aborted", { short: "aborted", long: "aborted", tone: "warning" }],
	["length", { short: "cut off", long: "cut off: length limit", tone: "warning" }],
	["pending", { short: "unfinished", long: "unfinished: still being written when it was saved", tone: "warning" }],
	["deferred", { short: "deferred", long: "deferred: the provider answers later", tone: "warning" }],
]);

/** Why an answer is incomplete; undefined if it is complete. */
export function stopMark(message: Fields): StopMark | undefined {
	return answerFailed(message) ? FAILED : MARKS.get(textOf(message.stopReason));
}
