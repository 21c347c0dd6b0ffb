import { FIRST_CURSOR, type PageCursor } from "../../ui/page/page-cursor.ts";
import { NO_MARKED, type PageMarks } from "../../ui/page/page-marks.ts";

/** A group of the view. */
export type GroupId = "gone" | "duplicate" | "empty" | "old" | "trash";

/** The view of what needs the person's hand: its rows come from what is known of tidying and the trash. */
export interface MaintenanceState {
	readonly cursor: PageCursor;
	/** Keys of the rows that are marked, also of those that are folded away. */
	readonly marks: PageMarks;
	/** Keys of the rows that are unfolded. */
	readonly opened: ReadonlySet<string>;
	/** The group that the view was opened for, until its first row is there and has the cursor, or the person has moved it. */
	readonly arriving: GroupId | undefined;
}

export const FIRST_MAINTENANCE: MaintenanceState = {
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	opened: new Set(),
	arriving: undefined,
};
