import { forkedFrom, type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { textHash } from "../branches/entry-ids.ts";

/** When a session was forked from another one, Unix ms; 0 for any other session. */
export function forkedAtMs(header: RawEntry): number {
	return (forkedFrom(header) !== undefined && timeOf(header.timestamp)) || 0;
}

/** What a session has of another one: when it was forked from that, and what that has. */
interface Origin {
	/** Unix ms; 0 for a session that was not forked. */
	readonly forkedMs: number;
	/** The hashes of the entries of the session that it was forked from; undefined where they are not known. */
	readonly inherited: { has(hash: number): boolean } | undefined;
}

/**
 * Whether an entry of a session was copied from its parent: what it says of runs is about those of the parent, and what it cost
 * counts there. Copying keeps the entry's time, which is then not later than the header; a program that replays a conversation may
 * keep the header's time, too, so the parent's own entries are compared as well. `hash`: of an entry that is paid or reports runs.
 */
export function isCopied({ timestamp }: RawEntry, hash: number | undefined, { forkedMs, inherited }: Origin): boolean {
	if (forkedMs === 0) return false;
	return timeOf(timestamp) <= forkedMs || (hash !== undefined && inherited?.has(hash) === true);
}

/** The hash of an entry that reports runs and has no usage: the same for every copy of it. */
export function reportHash({ id, timestamp }: RawEntry): number {
	return textHash(`${typeof id === "string" ? id : ""}|${typeof timestamp === "string" ? timestamp : ""}`);
}
