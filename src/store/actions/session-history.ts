import { readdirSync, type Stats, statSync } from "node:fs";
import { join, resolvePath } from "../../shared/paths.ts";
import { cannot, errorCode, storeError } from "../files/store-error.ts";
import { storedName } from "../format/new-entry.ts";
import { isSessionEntry, RESUME_POINT_TYPE } from "../format/raw-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import { emptySession, type LoadedFile, loadOutline } from "../read/load-file.ts";
import { readHeader } from "../read/read-header.ts";
import { nameIn } from "../tree/labels.ts";

/**
 * What undo needs from session files: the present state, what came since a change, and whether a change was made at all.
 * Every function reads the whole file and blocks its thread; texts are not kept. All throw a `StoreError` on failure.
 */

interface SessionNow {
	/** "" for none. */
	readonly name: string;
	/** Label of the requested entry; "" for none. */
	readonly label: string;
	readonly since: Since;
}

/** What was appended after a byte of the file, without the caller's own entries. */
export interface Since {
	/** Messages of any role. */
	readonly messages: number;
	/** Other parts of the conversation: summaries, compactions, messages of extensions, unknown entries. */
	readonly others: number;
	/** Names and labels. */
	readonly marks: number;
	/** Where the session continues if the last entry is a resume point; null: before all entries. */
	readonly resumePoint?: string | null;
}

/** What pi and its extensions append without being asked when a session is opened, and entries without content (pi 1.5.2). */
const SILENT: ReadonlySet<string> = new Set([
	"model_change",
	"thinking_level_change",
	"usage",
	"custom",
	"context_edit",
	"session",
]);
const MARKS: ReadonlySet<string> = new Set(["session_info", "label"]);

/** A change is made within this time, in ms, after it was begun; a similar entry that is later is not ours. */
export const LONGEST_CHANGE_MS = 10 * 60_000;

/** Reads a session: its name, the label of `labelOf`, and what came after the first `fromByte` bytes, without `own`. */
export function sessionNow(
	path: string,
	{ labelOf, fromByte, own }: { labelOf?: string; fromByte?: number; own: ReadonlySet<string> },
): SessionNow {
	const { file, entries } = load(path);
	if (fromByte !== undefined && file.size < fromByte)
		throw cannot("read what was added", path, "changed", "another program has rewritten the file since");
	const added = entries.filter(
		(entry) => fromByte !== undefined && (file.spans.get(entry)?.offset ?? -1) >= fromByte && !own.has(entry.id),
	);
	const count = (fits: (type: string) => boolean): number => added.filter(({ type }) => fits(type)).length;
	return {
		name: nameBefore(entries, entries.length),
		label: labelOf === undefined ? "" : labelBefore(entries, entries.length, labelOf),
		since: {
			messages: count((type) => type === "message"),
			others: count((type) => type !== "message" && !SILENT.has(type) && !MARKS.has(type)),
			marks: count((type) => MARKS.has(type)),
			...placeOf(entries.at(-1)),
		},
	};
}

interface FoundChange {
	readonly entryId: string;
	/** The previous name or label, "" for none. */
	readonly before: string;
	/** The leaf before; null: there was no entry. */
	readonly leafId: string | null;
	/** Bytes up to the end of its line. */
	readonly size: number;
}

export type WantedChange =
	| { readonly type: "rename"; readonly set: string }
	| { readonly type: "label"; readonly entryId: string; readonly set: string }
	| { readonly type: "leaf"; readonly entryId: string };

/**
 * The entry appended by a change that was begun at this time (ISO 8601); undefined: it was not made. `ownIds`: those of entries
 * appended by other changes.
 */
export function findChange(
	path: string,
	change: WantedChange,
	at: string,
	ownIds: ReadonlySet<string>,
): FoundChange | undefined {
	const { file, entries } = load(path);
	const index = entries.findIndex(
		(entry) => isSoonAfter(entry.timestamp, at) && !ownIds.has(entry.id) && isWanted(entry, change),
	);
	const entry = entries[index];
	if (entry === undefined) return undefined;
	const span = file.spans.get(entry);
	const previous = change.type === "label" ? labelBefore(entries, index, change.entryId) : nameBefore(entries, index);
	const size = span === undefined ? file.size : span.offset + span.length + 1;
	return { entryId: entry.id, before: previous, leafId: entries[index - 1]?.id ?? null, size };
}

/**
 * The copy of `source` made in `dir` by a change that was begun at this time (ISO 8601); undefined: it was not made.
 * `size`: its size when it was made. `knownPaths`: sessions made by other changes.
 */
export function findCreated(
	source: string,
	dir: string,
	at: string,
	knownPaths: ReadonlySet<string>,
): { readonly path: string; readonly size: number } | undefined {
	// The file's name begins with the time of its header.
	const first = at.replace(/[:.]/g, "-");
	for (const name of namesIn(dir)) {
		const path = join(dir, name);
		if (!name.endsWith(".jsonl") || name < first || knownPaths.has(path)) continue;
		const header = readHeader(path);
		if (header?.parentSession !== resolvePath(source) || !isSoonAfter(header.timestamp, at)) continue;
		return { path, size: sizeAsMade(path, Date.parse(String(header.timestamp))) };
	}
	return undefined;
}

/**
 * Whether a change that was begun at this time (ISO 8601) has made the session `id` in the file `path`: its size when it was made, or
 * undefined.
 */
export function findBrought(path: string, id: string, at: string): number | undefined {
	return readHeader(path)?.id === id ? sizeAsMade(path, Date.parse(at)) : undefined;
}

function isSoonAfter(time: unknown, at: string): boolean {
	const passedMs = typeof time === "string" ? Date.parse(time) - Date.parse(at) : Number.NaN;
	return passedMs >= 0 && passedMs <= LONGEST_CHANGE_MS;
}

/** Bytes up to the first entry that is younger than the file: what was copied is older, labels included. */
function sizeAsMade(path: string, madeMs: number): number {
	const { file, entries } = load(path);
	const next = entries.find(({ timestamp }) => Date.parse(timestamp) > madeMs);
	return (next && file.spans.get(next)?.offset) ?? file.size;
}

function load(path: string): { readonly file: LoadedFile; readonly entries: readonly SessionEntry[] } {
	const resolved = resolvePath(path);
	// A missing file is an error here; the `SessionManager` would begin a new one.
	statOf(resolved);
	const file = loadOutline(resolved, { sniff: true });
	if (file === undefined) throw emptySession(resolved);
	return { file, entries: file.entries.filter(isSessionEntry) };
}

/** Throws a `StoreError` if there is no such file. */
export function statOf(path: string): Stats {
	try {
		return statSync(path);
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}

function isWanted(entry: SessionEntry, change: WantedChange): boolean {
	switch (change.type) {
		case "rename":
			return entry.type === "session_info" && entry.name === storedName(change.set);
		case "label":
			return entry.type === "label" && entry.targetId === change.entryId && (entry.label ?? "") === change.set;
		case "leaf":
			return chosenIn(entry) === change.entryId;
	}
}

/** Where a session goes on after a resume point: from the entry that was chosen, or, if that is said again, from the one before it. */
function placeOf(entry: SessionEntry | undefined): Pick<Since, "resumePoint"> {
	return entry === undefined || chosenIn(entry) === undefined ? {} : { resumePoint: entry.parentId };
}

/** The entry that was chosen to go on from, null: before all; undefined if this is no resume point. */
function chosenIn(entry: SessionEntry): string | null | undefined {
	if (entry.type !== "custom" || entry.customType !== RESUME_POINT_TYPE) return undefined;
	const { data } = entry;
	const id: unknown = typeof data === "object" && data !== null && "entryId" in data ? data.entryId : undefined;
	return typeof id === "string" || id === null ? id : undefined;
}

function nameBefore(entries: readonly SessionEntry[], end: number): string {
	const info = entries.slice(0, end).findLast((entry) => entry.type === "session_info");
	return (info && nameIn(info)) ?? "";
}

function labelBefore(entries: readonly SessionEntry[], end: number, id: string): string {
	const label = entries.slice(0, end).findLast((entry) => entry.type === "label" && entry.targetId === id);
	return label?.type === "label" ? (label.label ?? "") : "";
}

function namesIn(dir: string): string[] {
	try {
		return readdirSync(dir).sort();
	} catch (error) {
		if (errorCode(error) === "ENOENT") return [];
		throw storeError(dir, "look for the new session", error);
	}
}
