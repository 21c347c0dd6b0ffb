import type { Query } from "../../catalog/query/parse-query.ts";
import { TimeSlice } from "../../shared/time-slice.ts";
import type { Session } from "../../store/read/read-session.ts";
import { matchesEntry } from "../tree/match-entry.ts";

/** Filters one session at a time, in time slices. */
export interface TreeFilter {
	/** Resolves to the ids of the entries that hold all terms, or to undefined when a later call replaces this one. */
	filter(session: Session, query: Query, home: string): Promise<ReadonlySet<string> | undefined>;
	close(): void;
}

export function createTreeFilter(): TreeFilter {
	let current: AbortController | undefined;
	return {
		async filter(session, query, home) {
			current?.abort();
			const mine = new AbortController();
			current = mine;
			const timeSlice = new TimeSlice();
			const ids = new Set<string>();
			for (const entry of session.entries) {
				if (matchesEntry(entry, session, query, home)) ids.add(entry.id);
				if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
				if (mine.signal.aborted) return undefined;
			}
			return ids;
		},
		close() {
			current?.abort();
		},
	};
}
