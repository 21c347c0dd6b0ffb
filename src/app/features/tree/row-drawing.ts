import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Place } from "../../../conversation/entries/place.ts";
import type { EntryColumns } from "../../../conversation/tree/entry-columns.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { RowDetails } from "../../world/state/tree-state.ts";

/** What a row is drawn with, besides itself. */
export interface RowDrawing {
	/** Cells that the row fills. */
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	readonly columns: EntryColumns;
	readonly place: Place;
	readonly labelTimes: boolean;
	readonly details: RowDetails;
	/** Turns are drawn in two rows: the last answer tells what they come to. */
	readonly isTurns: boolean;
	/** What the rows are filtered by, else what the list has searched: marked in them. */
	readonly query: Query;
	/** The rows are what the query was found in: where a row does not show it, it shows the text around it. */
	readonly isFiltered: boolean;
	/** Present time, Unix ms. */
	readonly now: number;
}
