import { isObject } from "../../shared/json.ts";
import { headFields, lineHead } from "../format/line-head.ts";
import { withPresentRole } from "../format/migrate.ts";
import type { RawLine } from "../format/parse.ts";
import { isOwnMark, type RawEntry } from "../format/raw-entry.ts";

/*
 * The outline of an entry is what an action needs to know about it: its type, its place in the tree, and its references to
 * other entries, without its texts. A session of any size can be changed with only outlines in memory.
 */

/** Entries of these types are short: their outline is the whole entry. */
const WHOLE: ReadonlySet<unknown> = new Set(["session", "label", "session_info"]);
/** Further fields in the outline, by type. */
const MORE: ReadonlyMap<unknown, readonly string[]> = new Map([
	["compaction", ["firstKeptEntryId", "firstKeptEntryIndex"]],
	["branch_summary", ["fromId"]],
	["context_edit", ["targetId"]],
	["custom", ["customType"]],
]);
const NONE: readonly string[] = [];

/** One shared object per role: there may be a million messages. */
const MESSAGES: ReadonlyMap<unknown, RawEntry> = new Map(
	["user", "assistant", "toolResult"].map((role) => [role, Object.freeze({ role })]),
);

export function outlineEntry(value: RawEntry): RawEntry {
	const { type, id, parentId, timestamp, message } = value;
	if (WHOLE.has(type)) return value;
	// Made in one go: an object that grows field by field takes twice the memory.
	if (type === "message" && isObject(message)) {
		const { role } = message;
		return { type, id, parentId, timestamp, message: MESSAGES.get(role) ?? { role } };
	}
	const outline: RawEntry = { type, id, parentId, timestamp };
	for (const field of MORE.get(type) ?? NONE) if (field in value) outline[field] = value[field];
	// Undo needs the data of our own entries.
	if (isOwnMark(value)) outline.data = value.data;
	return outline;
}

/** The full entry: `value` from the file, with the changes that were made to its outline. */
export function completed(outline: RawEntry, value: RawEntry, isOutdated: boolean): RawEntry {
	const { message, ...fields } = outline;
	const whole: RawEntry = { ...(isOutdated ? withPresentRole(value) : value), ...fields };
	if (!("firstKeptEntryIndex" in outline)) delete whole.firstKeptEntryIndex;
	return whole;
}

const BRACE = 0x7d;

/**
 * The outline of the message in `bytes[start, end)`, which hold the beginning and the end of its line; undefined if pi did not
 * write it in this form. The bytes in between are not checked: the line may be damaged.
 */
export function sniffOutline(bytes: Buffer, start: number, end: number): RawEntry | undefined {
	if (bytes[end - 1] !== BRACE || bytes[end - 2] !== BRACE) return undefined;
	const head = lineHead(bytes, start);
	const message = MESSAGES.get(head?.role);
	if (head === undefined || head.idEnd === 0 || message === undefined) return undefined;
	return { type: "message", ...headFields(bytes, head), message };
}

/**
 * A stand-in for a message that is too long to be read, with the ids from the first bytes of its line, so that what follows it
 * does not lose its parent; undefined if the bytes are not in pi's form. Its unknown type says how long it is; its content is
 * not judged.
 */
export function sniffLine({ bytes, ends, length, number, isRepeated }: RawLine): RawEntry | undefined {
	if (isRepeated || bytes !== undefined || ends === undefined) return undefined;
	const head = lineHead(ends, 0);
	if (head?.type !== "message" || head.idEnd === 0) return undefined;
	const type = `a message of ${Math.round(length / 1024 / 1024)} MiB, too long to be shown (line ${number})`;
	return { type, ...headFields(ends, head) };
}
