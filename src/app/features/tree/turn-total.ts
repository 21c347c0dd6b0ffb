import { placeOf } from "../../../conversation/entries/place.ts";
import { type Sum, sumOf } from "../../../conversation/entries/turn-sum.ts";
import type { EntryColumns } from "../../../conversation/tree/entry-columns.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";

/** Entries of a turn that is summed up while drawing; of longer ones only the steps are known. */
const MAX_ENTRIES = 2000;

/** Cached by the last entry of a turn. `first` is compared because the start of a turn depends on the active path. */
const cache = new WeakMap<SessionEntry, { readonly first: number; readonly sum: Sum }>();

/** Totals of a turn from its prompt to the entry at this index; undefined if it has too many entries. */
export function turnTotal(columns: EntryColumns, session: Session, index: number, home: string): Sum | undefined {
	const { entries } = session;
	const last = entries[index];
	const first = columns.turn[index] ?? index;
	const cached = last && cache.get(last);
	if (cached?.first === first) return cached.sum;
	const path: SessionEntry[] = [];
	for (let at = index; at !== -1; at = at === first ? -1 : (columns.outline.parent[at] ?? -1)) {
		const entry = entries[at];
		if (entry !== undefined && path.push(entry) > MAX_ENTRIES) return undefined;
	}
	const sum = sumOf(path.reverse(), session, placeOf(session, home));
	if (last !== undefined) cache.set(last, { first, sum });
	return sum;
}
