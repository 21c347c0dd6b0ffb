import type { SessionEntry } from "../format/schema.ts";
import type { Session } from "../read/read-session.ts";
import type { HeldLines } from "./held-lines.ts";

/** By the session's array of entries, which stays the same when the session grows. */
const heldLines = new WeakMap<readonly SessionEntry[], HeldLines>();
const unchecked = new WeakSet<readonly SessionEntry[]>();

/** Registers that messages of a session are held; `isChecked`: all are known to match what was assumed of them. */
export function noteHeld({ entries }: Session, held: HeldLines, isChecked: boolean): void {
	heldLines.set(entries, held);
	if (!isChecked) unchecked.add(entries);
}

/**
 * The held messages of a session that contain a tool call, by index, with the id of the call; found by how pi writes calls,
 * without parsing.
 */
export function* heldCalls({ entries }: Session): Generator<readonly [index: number, id: string], void> {
	yield* heldLines.get(entries)?.following('{"type":"toolCall","id":"') ?? [];
}

/** Whether a session may still turn out to differ: `checkHeldSteps` has not gone through it. */
export function isUnchecked({ entries }: Session): boolean {
	return unchecked.has(entries);
}

/** Registers that all held messages of a session match what was assumed of them. */
export function noteChecked({ entries }: Session): void {
	unchecked.delete(entries);
}
