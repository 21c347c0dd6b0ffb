import type { Steps } from "../../shared/steps.ts";
import { factsOf, type MessageFacts } from "../format/message-facts.ts";
import type { RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { Session } from "../read/read-session.ts";
import { HeldMessage } from "./held-message.ts";
import { noteChecked } from "./held-sessions.ts";

/** Lines that are parsed between two looks at the clock. */
const LINES_PER_STEP = 16;
/** Fields of a message entry. */
const FIELDS = 5;

/**
 * Parses every held message of a session and forgets it again: whether all are what they were taken for. Where one is not,
 * the session must be read anew, by `readSession`, which says what is odd.
 */
export function* checkHeldSteps(session: Session): Steps<boolean> {
	// What is appended meanwhile is not held.
	const { length } = session.entries;
	for (let index = 0; index < length; index++) {
		if (index % LINES_PER_STEP === 0) yield;
		const entry: unknown = session.entries[index];
		if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	}
	noteChecked(session);
	return true;
}

/** Whether those of these entries that are held are what they were taken for: the same for a part of a session. */
export function areAsTaken(entries: Iterable<unknown>): boolean {
	for (const entry of entries) if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	return true;
}

/** Whether the object of its line is what a held message was taken for. */
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
