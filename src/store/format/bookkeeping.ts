/** Entries about the session itself, not part of the conversation (hidden by pi's default filter, pi 1.5.2). */
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
 * Whether pi-grove itself wrote the entry, to mark where the conversation continues. Such an entry is not part of the
 * conversation: only the tree with the filter "all", and `show --json`, include it.
 */
export function isOwnMark(entry: unknown): boolean {
	if (typeof entry !== "object" || entry === null || !("type" in entry) || entry.type !== "custom") return false;
	return "customType" in entry && typeof entry.customType === "string" && entry.customType.startsWith("pi-grove:");
}

/** The `customType` of entries that only mark where the session continues. */
export const RESUME_POINT_TYPE = "pi-grove:resume-point";
