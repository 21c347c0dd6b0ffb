import type { Query } from "../../catalog/query/parse-query.ts";
import { Breather } from "../../shared/steps.ts";
import type { Session } from "../../store/read/read-session.ts";
import { matchesEntry } from "../tree/match-entry.ts";

/** Filters one session at a time, a few milliseconds between two turns of the event loop. */
export interface TreeFilter {
	/** Resolves to the ids of the entries that hold all terms, or to undefined when a later call came in between. */
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
			const breather = new Breather();
			const ids = new Set<string>();
			for (const entry of session.entries) {
				if (matchesEntry(entry, session, query, home)) ids.add(entry.id);
				if (breather.due()) await breather.breathe();
				if (mine.signal.aborted) return undefined;
			}
			return ids;
		},
		close() {
			current?.abort();
		},
	};
}
