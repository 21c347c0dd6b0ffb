import { placeOf } from "../../../conversation/entries/place.ts";
import { type Sum, sumOf } from "../../../conversation/entries/turn-sum.ts";
import type { EntryColumns } from "../../../conversation/tree/entry-columns.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";

/** A turn of more entries is not summed up while it is drawn: only its steps are known. */
const MOST_ENTRIES = 2000;

/** By the last entry of a turn. Where its turn begins may change with the active path. */
const known = new WeakMap<SessionEntry, { readonly first: number; readonly sum: Sum }>();

/** What a turn comes to from its prompt to the entry at this index; undefined for an endless one. */
export function turnTotal(columns: EntryColumns, session: Session, index: number, home: string): Sum | undefined {
	const { entries } = session;
	const last = entries[index];
	const first = columns.turn[index] ?? index;
	const before = last && known.get(last);
	if (before?.first === first) return before.sum;
	const path: SessionEntry[] = [];
	for (let at = index; at !== -1; at = at === first ? -1 : (columns.outline.parent[at] ?? -1)) {
		const entry = entries[at];
		if (entry !== undefined && path.push(entry) > MOST_ENTRIES) return undefined;
	}
	const sum = sumOf(path.reverse(), session, placeOf(session, home));
	if (last !== undefined) known.set(last, { first, sum });
	return sum;
}
