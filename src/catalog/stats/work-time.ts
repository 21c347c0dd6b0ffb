/** Roles of the messages that the model and its tools write. */
const WORK: ReadonlySet<string> = new Set(["assistant", "toolResult"]);
/**
 * Roles and types of what else is written during the conversation; not labels and names, which may be set days later. The time before a
 * summary or a compaction is not work: the session may have waited for the person for days.
 */
const TIMED: ReadonlySet<string> = new Set([
	...["user", "bashExecution", "hookMessage", "custom_message"],
	...["branchSummary", "compactionSummary", "compaction", "branch_summary"],
]);

/**
 * "work" for an entry of the model and its tools: the time since the entry before it was spent on it. "said" for another one from whose time
 * on work may count; undefined for one that is not part of the conversation. `role`: of a message, "" for any other entry.
 */
export function timing(type: unknown, role: unknown): "work" | "said" | undefined {
	// The role "custom" is a message of an extension; the type "custom" is its state.
	const name = type === "message" ? role : type;
	if (typeof name !== "string") return undefined;
	if (WORK.has(name)) return "work";
	return TIMED.has(name) || (type === "message" && name === "custom") ? "said" : undefined;
}
