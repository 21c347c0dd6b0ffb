import { tools as toolsRule } from "./field-rules.ts";
import { contentText } from "./message-text.ts";
import type { AgentMessage, ContextEditEntry, SessionEntry, SystemMessage } from "./schema.ts";

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

type Tool = NonNullable<SystemMessage["toolsAdded"]>[number];

/**
 * The system prompt and tools in force at the end of the messages, as one message: texts one after the other, sections
 * by name, tools added and removed (pi 0.87). Undefined if there are none.
 */
export function currentSystemMessage(messages: readonly AgentMessage[]): SystemMessage | undefined {
	const texts: string[] = [];
	const sections = new Map<string, string>();
	const tools = new Map<string, Tool>();
	let timestamp: number | undefined;
	for (const message of messages) {
		if (message.role !== "system") continue;
		timestamp ??= message.timestamp;
		const text = contentText(message.content, "\n");
		if (text !== "") texts.push(text);
		for (const [name, section] of Object.entries(message.sections ?? {})) {
			if (section === null) sections.delete(name);
			else sections.set(name, section);
		}
		for (const tool of toolsIn(message.toolsRemoved)) tools.delete(tool.name);
		for (const tool of toolsIn(message.toolsAdded)) tools.set(tool.name, tool);
	}
	if (timestamp === undefined && tools.size === 0) return undefined;
	return {
		role: "system",
		content: texts.join("\n\n"),
		...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
		...(tools.size > 0 ? { toolsAdded: [...tools.values()] } : {}),
		timestamp: timestamp ?? 0,
	};
}

/** In a damaged file, the tools may be anything. */
function toolsIn(value: readonly Tool[] | undefined): readonly Tool[] {
	return toolsRule.is(value) && value !== undefined ? value : [];
}
