/** Entries about the session itself, which say nothing in the conversation (hidden by pi's default filter, pi 1.5.2). */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
	"label",
	"context_edit",
	"custom",
	"model_change",
	"thinking_level_change",
	"session_info",
	"usage",
]);

/**
 * Whether an entry is one that pi-grove itself has written to say where the conversation goes on. It belongs to no
 * conversation: only the tree with the filter "all", and `show --json`, have it.
 */
export function isOwnMark(entry: unknown): boolean {
	if (typeof entry !== "object" || entry === null || !("type" in entry) || entry.type !== "custom") return false;
	return "customType" in entry && typeof entry.customType === "string" && entry.customType.startsWith("pi-grove:");
}
