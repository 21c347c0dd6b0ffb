import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";

/** When a session was forked from another one, Unix ms; 0 for any other session. */
export function forkedAtMs({ parentSession, timestamp }: RawEntry): number {
	const isFork = typeof parentSession === "string" && parentSession !== "";
	return (isFork && timeOf(timestamp)) || 0;
}

/** Whether an entry of a session was copied from its parent: what it says of runs is about those of the parent. */
export function isCopied({ timestamp }: RawEntry, forkedMs: number): boolean {
	return forkedMs > 0 && timeOf(timestamp) <= forkedMs;
}
