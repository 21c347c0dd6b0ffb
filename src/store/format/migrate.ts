import { isObject } from "../../shared/json.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import { isFileId } from "./file-ids.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "./raw-entry.ts";
import type { FileEntry } from "./schema.ts";

/**
 * The version in a file's header; 1 if it has none. As in pi, "3" is 3, and a file with a meaningless version is not
 * migrated.
 */
export function versionOf(header: RawEntry | undefined): number {
	const version = header?.version ?? 1;
	const number = typeof version === "object" ? Number.NaN : Number(version);
	return Number.isFinite(number) ? number : CURRENT_SESSION_VERSION;
}

export interface Migration {
	/** The version in the header before. */
	readonly from: number;
	/** Whether the file has an older version, so that it is rewritten before an append; a newer file never is. */
	readonly isOutdated: boolean;
	/** Entries of a file of version 2 or newer that had no usable id and were given one. */
	readonly withoutId: readonly RawEntry[];
}

/**
 * Migrates the lines of a file to version 3, in place. Entries of version 1 get an id and, as parent, the entry before
 * them; a `firstKeptEntryIndex` (which counts lines, header included) becomes a `firstKeptEntryId`. In versions 1 and 2
 * the role `hookMessage` becomes `custom`. An entry without an id in a newer file is treated like one of version 1:
 * pi's `--fork` of a version 1 session makes such files. So is the entry after it, if it names no parent: pi appends
 * such an entry, because it has no id to refer to. Ids that are not strings stay as they are: see `nameIdsSteps`.
 *
 * Unlike pi's, the new ids depend only on the file, so that two readings of a file agree on them.
 */
export function* migrateSteps(entries: RawEntry[]): Steps<Migration> {
	const header = entries.find((entry) => entry.type === "session");
	const from = versionOf(header);
	const withoutId: RawEntry[] = [];
	const nextId = idMaker(entries, header?.id);
	let previousId: unknown = null;
	let previousHadId = true;
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (entry.type === "session") {
			if (from < CURRENT_SESSION_VERSION) entry.version = CURRENT_SESSION_VERSION;
			continue;
		}
		const hasId = isFileId(entry.id);
		if (!hasId) {
			entry.id = nextId(index);
			if (from > 1) withoutId.push(entry);
		}
		if (entry.parentId === undefined && (!hasId || !previousHadId || from < 2)) entry.parentId = previousId;
		previousId = entry.id;
		previousHadId = hasId;
		if (from < 2 && entry.type === "compaction") migrateFirstKept(entry, entries);
		if (from < 3 && isHookMessage(entry)) entry.message = withPresentRole(entry).message;
	}
	return { from, isOutdated: from < CURRENT_SESSION_VERSION, withoutId };
}

/** Whether the entry is a message of the role that version 3 calls `custom`. */
export function isHookMessage({ message }: RawEntry): boolean {
	return isObject(message) && message.role === "hookMessage";
}

/** An entry of an older version with its present role; the entry itself if the role is the same. */
export function withPresentRole(entry: RawEntry): RawEntry {
	return isHookMessage(entry) && isObject(entry.message)
		? { ...entry, message: { ...entry.message, role: "custom" } }
		: entry;
}

/** Migrates parsed lines to version 3, in place, as pi's function of this name does; leaves newer ones alone. */
export function migrateSessionEntries(entries: FileEntry[]): void {
	// The lines of an old file are not FileEntry objects yet; the name and the parameter's type are pi's.
	const raw = entries as unknown as RawEntry[];
	if (versionOf(raw.find((entry) => entry.type === "session")) < CURRENT_SESSION_VERSION) runToEnd(migrateSteps(raw));
}

function migrateFirstKept(compaction: RawEntry, entries: readonly RawEntry[]): void {
	if (typeof compaction.firstKeptEntryIndex !== "number") return;
	const target = entries[compaction.firstKeptEntryIndex];
	// A later entry has no id yet; then nothing before the compaction is kept.
	if (target && target.type !== "session") compaction.firstKeptEntryId = target.id;
	delete compaction.firstKeptEntryIndex;
}

/** Derives ids of eight hex digits from the session's id and the entry's index; each is new and not in use. */
function idMaker(entries: readonly RawEntry[], sessionId: unknown): (index: number) => string {
	let used: Set<unknown> | undefined;
	const seed = hash(typeof sessionId === "string" ? sessionId : "");
	return (index) => {
		used ??= new Set(entries.map((entry) => entry.id));
		let number = seed + index;
		let id = hex(scramble(number));
		while (used.has(id)) {
			number += entries.length;
			id = hex(scramble(number));
		}
		used.add(id);
		return id;
	};
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
	return value >>> 0;
}

/** Mixes 32 bits one-to-one: neighbors get unlike values, and different numbers stay different. */
function scramble(number: number): number {
	let value = number >>> 0;
	value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
	value = Math.imul(value ^ (value >>> 15), 0x846ca68b);
	return (value ^ (value >>> 16)) >>> 0;
}

function hex(number: number): string {
	return number.toString(16).padStart(8, "0");
}
