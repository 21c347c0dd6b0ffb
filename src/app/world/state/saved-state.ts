import { NO_SAVED, type SavedQueries } from "../../../changes/noted/saved-queries.ts";

/** The saved queries, and where the person is among them. */
export interface SavedState extends SavedQueries {
	/** What of their file could not be read, in sentences. */
	readonly problems: readonly string[];
	/** The one under the cursor, of those that are in sight; -1 where none is; undefined: the cursor is in the list. */
	readonly index: number | undefined;
	/** The query that was typed last before nothing was: what `:save name` saves alone. */
	readonly lastQuery: string;
}

export const NOTHING_SAVED: SavedState = { ...NO_SAVED, problems: [], index: undefined, lastQuery: "" };
