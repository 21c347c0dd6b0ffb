import type { FileEntry, SessionEntry } from "./schema.ts";

/** A JSON object of a session file, not checked yet. */
export interface RawEntry {
	[field: string]: unknown;
}

/** No session is older: an earlier time is a mistake, or in seconds. In Unix milliseconds. */
export const EARLIEST_MS = Date.UTC(2015, 0);
/** No `Date` is later, in Unix milliseconds. */
export const LATEST_MS = 8.64e15;
/** Smaller numbers are seconds, as some programs write them: in milliseconds they would be times before 1974. */
const MAX_SECONDS = 1e11;

/** A time in a file, ISO text or Unix milliseconds, or seconds, as Unix milliseconds; NaN for anything else. */
export function timeOf(value: unknown): number {
	if (typeof value !== "string" && typeof value !== "number") return Number.NaN;
	const isSeconds = typeof value === "number" && value < MAX_SECONDS;
	// Not every number is a valid Date.
	const time = new Date(isSeconds ? value * 1000 : value).getTime();
	return time >= EARLIEST_MS ? time : Number.NaN;
}

/** The path of the session from which one was forked, as its header has it; undefined for none. */
export function forkedFrom({ parentSession, branchedFrom }: RawEntry): string | undefined {
	// `branchedFrom` is the name in pi 0.12 to 0.29.
	return [parentSession, branchedFrom].find((path) => typeof path === "string" && path !== "") as string | undefined;
}

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

/** The version that we write: entries form a tree (2), extension messages have the role `custom` (3). */
export const CURRENT_SESSION_VERSION = 3;

export function isSessionEntry(entry: FileEntry): entry is SessionEntry {
	return entry.type !== "session";
}
