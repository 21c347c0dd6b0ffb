import type { Change } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-cursor.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** The page of all changes: what of the journal has been read, and where the person is in it. */
export interface HistoryState {
	/** Newest first, as far as they have been read. */
	readonly changes: readonly Change[];
	/** Whether these are all. */
	readonly complete: boolean;
	/** How many are to be read at least. */
	readonly wanted: number;
	/** Number of the last reading, and whether it is under way. */
	readonly request: number;
	readonly reading: boolean;
	/** Whether something may have been added since the last reading. */
	readonly stale: boolean;
	/** Why the journal cannot be read. */
	readonly error: string | undefined;
	/** What stands in the way of an undo of each, or of doing it again, as far as that was looked at; by id. */
	readonly outlooks: ReadonlyMap<string, Outlook>;
	/** Ids of those of which that still holds: nothing has been changed since. */
	readonly checked: ReadonlySet<string>;
	/** Ids of those that are being looked at. */
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
