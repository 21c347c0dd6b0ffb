import { spendingIn } from "../../catalog/stats/usage.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { messageEnd, runsSearch, type StepEnd } from "../../store/format/step-end.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type EntryKind, entryKind } from "./entry-kind.ts";
import { callOf } from "./tool-call.ts";

/** The facts that are needed of every entry, whether it is drawn or not. */
interface EntryFacts {
	readonly kind: EntryKind;
	readonly end: StepEnd;
	/** In dollars. */
	readonly cost: number;
}

/** The facts of an entry, without parsing its message unless that is the result of a call and an error. */
export function entryFacts(entry: SessionEntry, session: Session): EntryFacts {
	return {
		kind: entryKind(entry),
		end: entryEnd(entry, session),
		cost: heldFacts(entry)?.cost ?? spendingIn(fieldsOf(entry))?.cost ?? 0,
	};
}

/** How the step or answer of an entry ended; "ok" for any other entry. */
export function entryEnd(entry: SessionEntry, session: Session): StepEnd {
	// Answers that did not end normally are not held.
	if (entry.type !== "message" || heldFacts(entry)?.isError === false) return "ok";
	return messageEnd(fieldsOf(entry.message), () => {
		const call = callOf(entry, session);
		return runsSearch(call?.name, call?.args);
	});
}
