import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Place } from "../../../conversation/entries/place.ts";
import type { EntryColumns } from "../../../conversation/tree/entry-columns.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { RowDetails } from "../../world/state/opened-state.ts";

/** What a row is drawn with. */
export interface RowDrawing {
	/** Cells that the row fills. */
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	readonly columns: EntryColumns;
	readonly place: Place;
	readonly labelTimes: boolean;
	readonly details: RowDetails;
	/** Whether turns are drawn in two rows, with their totals in that of the last answer. */
	readonly isTurns: boolean;
	/** Query whose matches are marked: the filter of the tree, else the search of the list. */
	readonly query: Query;
	/** Whether the rows are filtered by the query: a row that does not show its match shows a snippet with it. */
	readonly isFiltered: boolean;
	/** Current time, Unix ms. */
	readonly now: number;
}
