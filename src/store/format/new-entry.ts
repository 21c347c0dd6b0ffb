import type { ContextEditEntry, SessionEntry } from "./schema.ts";
import type { AgentMessage } from "./schema-message.ts";

/** The fields of every new entry. */
export interface EntryBase {
	readonly id: string;
	readonly parentId: string | null;
	/** ISO 8601. */
	readonly timestamp: string;
}

/** A session name as it is stored: one line, trimmed. The rule is pi's. */
export function storedName(name: string): string {
	return name.replace(/[\r\n]+/g, " ").trim();
}

/**
 * Checks and completes the replacement of a `context_edit` for its target: null, or content; a string for an assistant
 * message or a tool result becomes a text block. Throws when the target has nothing to replace.
 */
export function fittingReplacement(
	target: SessionEntry,
	replacement: ContextEditEntry["replacement"],
): ContextEditEntry["replacement"] {
	const role = roleOf(target);
	if (role === undefined) throw new Error(`Entry ${target.id} does not contribute editable model content`);
	if (replacement === null) return null;
	// Callers in plain JavaScript, and extensions, may pass anything.
	const content: unknown = typeof replacement === "object" ? replacement.content : undefined;
	if (typeof content !== "string" && !Array.isArray(content)) {
		throw new Error("Context edit replacement must be null or contain string/array content");
	}
	const needsBlocks = role === "assistant" || role === "toolResult";
	return needsBlocks && typeof content === "string" ? { content: [{ type: "text", text: content }] } : replacement;
}

function roleOf(target: SessionEntry): AgentMessage["role"] | undefined {
	if (target.type === "custom_message") return "custom";
	const role = target.type === "message" ? target.message.role : undefined;
	return role === "user" || role === "assistant" || role === "toolResult" ? role : undefined;
}
