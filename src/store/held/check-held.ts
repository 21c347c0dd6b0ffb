import type { Steps } from "../../shared/steps.ts";
import { factsOf, type MessageFacts } from "../format/message-facts.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { Session } from "../read/read-session.ts";
import { HeldMessage } from "./held-message.ts";
import { noteChecked } from "./held-sessions.ts";

/** Lines parsed between two checks of the clock. */
const LINES_PER_STEP = 16;
/** Number of fields of a message entry. */
const FIELDS = 5;

/**
 * Parses every held message of a session once, and returns whether all match what was assumed of them. If not, the session
 * must be read again by `readSession`, which reports what is odd.
 */
export function* checkHeldSteps(session: Session): Steps<boolean> {
	// Entries appended meanwhile are not held.
	const { length } = session.entries;
	for (let index = 0; index < length; index++) {
		if (index % LINES_PER_STEP === 0) yield;
		const entry: unknown = session.entries[index];
		if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	}
	noteChecked(session);
	return true;
}

/** Like `checkHeldSteps`, for some of the entries. */
export function areAsTaken(entries: Iterable<unknown>): boolean {
	for (const entry of entries) if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	return true;
}

/** Whether the parsed line matches what was assumed of a held message. */
export function isAsTaken(held: HeldMessage, value: RawEntry | undefined): boolean {
	if (value === undefined || Object.keys(value).length !== FIELDS || value.type !== "message") return false;
	if (value.id !== held.id || value.parentId !== held.parentId || value.timestamp !== held.timestamp) return false;
	const { problems } = repairEntry(value);
	return problems.length === 0 && isSame(factsOf(value.message), held.facts);
}

function isSame(parsed: MessageFacts | undefined, taken: MessageFacts): boolean {
	return (
		parsed?.role === taken.role &&
		parsed.says === taken.says &&
		parsed.isError === taken.isError &&
		parsed.cost === taken.cost
	);
}
