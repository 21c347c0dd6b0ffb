import type { Query } from "../../catalog/query/parse-query.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Place } from "../conversation/place.ts";
import type { RowDetails } from "../model/state.ts";
import type { EntryColumns } from "./entry-columns.ts";

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
	/** What the rows are filtered by, to mark it in them. */
	readonly query: Query;
	/** Present time, Unix ms. */
	readonly now: number;
}
