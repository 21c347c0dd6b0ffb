import { ENTRY_FIELDS, MESSAGE_FIELDS } from "./entry-fields.ts";
import type { FileEntry, SessionEntry, SessionEntryBase, UnknownEntry } from "./schema.ts";
import type { AgentMessage } from "./schema-message.ts";

/** The version that we write: entries form a tree (2), extension messages have the role `custom` (3). */
export const CURRENT_SESSION_VERSION = 3;

/** The entry itself when its type is unknown to us, else undefined. */
export function asUnknownEntry(entry: SessionEntryBase): UnknownEntry | undefined {
	return Object.hasOwn(ENTRY_FIELDS, entry.type) ? undefined : { ...entry };
}

/** Whether a line of a session is one of its entries, and not the header. */
export function isSessionEntry(entry: FileEntry): entry is SessionEntry {
	return entry.type !== "session";
}

/** Whether the message has one of the roles of `AgentMessage`; newer pi versions may write others. */
export function hasKnownRole(message: AgentMessage): boolean {
	return Object.hasOwn(MESSAGE_FIELDS, message.role);
}
