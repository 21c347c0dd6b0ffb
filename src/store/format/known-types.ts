import type { AgentMessage, SessionEntry, SessionEntryBase, UnknownEntry } from "./schema.ts";

// Apart from the schemas, so that reading a session does not need zod, which takes a while to load.

/** The version that is written: entries form a tree (2), extension messages have the role `custom` (3). */
export const CURRENT_SESSION_VERSION = 3;

/** The `type` of every entry that pi is known to write; the compiler sees to it that none is missing. */
const ENTRY_TYPES: Readonly<Record<SessionEntry["type"], true>> = {
	message: true,
	model_change: true,
	thinking_level_change: true,
	compaction: true,
	branch_summary: true,
	custom: true,
	custom_message: true,
	label: true,
	session_info: true,
	usage: true,
	context_edit: true,
};

const MESSAGE_ROLES: Readonly<Record<AgentMessage["role"], true>> = {
	user: true,
	assistant: true,
	toolResult: true,
	bashExecution: true,
	custom: true,
	branchSummary: true,
	compactionSummary: true,
	system: true,
};

/** The entry itself when its type is unknown to us, else undefined. */
export function asUnknownEntry(entry: SessionEntryBase): UnknownEntry | undefined {
	return Object.hasOwn(ENTRY_TYPES, entry.type) ? undefined : { ...entry };
}

/** Whether the message has one of the roles of `AgentMessage`; newer pi versions may write others. */
export function hasKnownRole(message: AgentMessage): boolean {
	return Object.hasOwn(MESSAGE_ROLES, message.role);
}
