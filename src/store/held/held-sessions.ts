import type { SessionEntry } from "../format/schema.ts";
import type { Session } from "../read/read-session.ts";
import type { HeldLines } from "./held-lines.ts";

/** By the list of a session's entries, which stays the same list when the session grows. */
const heldLines = new WeakMap<readonly SessionEntry[], HeldLines>();
const unchecked = new WeakSet<readonly SessionEntry[]>();

/** Notes that messages of a session are held; `isChecked`: all are known to be what they were taken for. */
export function noteHeld({ entries }: Session, held: HeldLines, isChecked: boolean): void {
	heldLines.set(entries, held);
	if (!isChecked) unchecked.add(entries);
}

/**
 * The held messages of a session in which a tool is called, by their index, with the id of the call: as pi writes calls.
 * Nothing is parsed for it.
 */
export function* heldCalls({ entries }: Session): Generator<readonly [index: number, id: string], void> {
	yield* heldLines.get(entries)?.following('{"type":"toolCall","id":"') ?? [];
}

/** Whether a session may still turn out to be another one than it looks: `checkHeldSteps` has not gone through it. */
export function isUnchecked({ entries }: Session): boolean {
	return unchecked.has(entries);
}

/** Notes that all held messages of a session are what they were taken for. */
export function noteChecked({ entries }: Session): void {
	unchecked.delete(entries);
}
