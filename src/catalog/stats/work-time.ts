/** Roles of the messages that the model and its tools write. */
const WORK: ReadonlySet<string> = new Set(["assistant", "toolResult"]);
/**
 * Roles and types of what is written during the conversation besides; a label or a name may be set days later. Before a summary or a
 * compaction the session may have waited for the person for days.
 */
const TIMED: ReadonlySet<string> = new Set([
	...["user", "bashExecution", "hookMessage", "custom_message"],
	...["branchSummary", "compactionSummary", "compaction", "branch_summary"],
]);

/**
 * Whether the time since the entry before it was work of the model and its tools ("work"), or only its own time counts ("said"); undefined
 * for an entry that is not part of the conversation. `role`: of a message, "" for any other entry.
 */
export function timing(type: unknown, role: unknown): "work" | "said" | undefined {
	// The role "custom" is a message of an extension; the type "custom" is its state.
	const name = type === "message" ? role : type;
	if (typeof name !== "string") return undefined;
	if (WORK.has(name)) return "work";
	return TIMED.has(name) || (type === "message" && name === "custom") ? "said" : undefined;
}
