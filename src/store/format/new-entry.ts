import { randomBytes, randomUUID } from "node:crypto";
import { tools as toolsRule } from "./field-rules.ts";
import { contentText } from "./message.ts";
import type { AgentMessage, ContextEditEntry, SessionEntry, SystemMessage } from "./schema.ts";

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

const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Throws if the text cannot be a session id, which becomes part of a file name. The rule is pi's. */
export function assertValidSessionId(id: string): void {
	if (SESSION_ID.test(id)) return;
	throw new Error(
		`Not a session id: ${JSON.stringify(id)}. Use letters, digits, "-", "_" and "."; begin and end with a letter or digit.`,
	);
}

/** A new entry id: eight hex digits that are not in use. */
export function newEntryId(isUsed: (id: string) => boolean): string {
	for (let attempt = 0; attempt < 100; attempt += 1) {
		const id = randomBytes(4).toString("hex");
		if (!isUsed(id)) return id;
	}
	// Only a session with billions of entries gets here; a long id is still valid.
	return randomUUID();
}

let lastTime = 0;
let sequence = 0;

/** A new session id: a UUID version 7 (RFC 9562), greater than all that this process made before. */
export function newSessionId(): string {
	const now = Date.now();
	const random = randomBytes(10);
	if (now > lastTime) {
		lastTime = now;
		sequence = random.readUInt16BE(0) & 0x7ff;
	} else {
		sequence += 1;
		if (sequence > 0xfff) {
			sequence = 0;
			lastTime += 1;
		}
	}
	const time = lastTime.toString(16).padStart(12, "0");
	const version = (0x7000 | sequence).toString(16);
	const variant = (0x8000 | (random.readUInt16BE(2) & 0x3fff)).toString(16);
	return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${random.subarray(4).toString("hex")}`;
}

/** The file name of a new session: `<timestamp, with "-" for ":" and ".">_<id>.jsonl`. */
export function sessionFileName(timestamp: string, id: string): string {
	return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}
