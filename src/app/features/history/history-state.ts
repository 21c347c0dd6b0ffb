import type { Change } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";

/** The page of all changes: the changes read from the journal, and the cursor. */
export interface HistoryState {
	/** The changes read so far, newest first. */
	readonly changes: readonly Change[];
	/** Whether these are all. */
	readonly complete: boolean;
	/** How many to read at least. */
	readonly wanted: number;
	/** Number of the last reading, and whether it is under way. */
	readonly request: number;
	readonly reading: boolean;
	/** Whether something may have been added since the last reading. */
	readonly stale: boolean;
	/** Why the journal cannot be read. */
	readonly error: string | undefined;
	/** Whether a change can be undone or redone, by its id, as far as that was checked. */
	readonly outlooks: ReadonlyMap<string, Outlook>;
	/** Ids of the changes whose outlook is up to date: nothing was changed since. */
	readonly checked: ReadonlySet<string>;
	/** Ids of the changes being checked. */
	readonly checking: readonly string[];
	/** The first row is the newest change. */
	readonly cursor: PageCursor;
	/** Ids of the groups whose changes are shown. */
	readonly opened: ReadonlySet<string>;
}

export const FIRST_HISTORY: HistoryState = {
	changes: [],
	complete: false,
	wanted: 0,
	request: 0,
	reading: false,
	stale: true,
	error: undefined,
	outlooks: new Map(),
	checked: new Set(),
	checking: [],
	cursor: FIRST_CURSOR,
	opened: new Set(),
};

export const HISTORY = defineSlice("history", FIRST_HISTORY);
