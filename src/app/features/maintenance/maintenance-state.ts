import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-cursor.ts";
import { NO_MARKED, type PageMarks } from "../../../ui/page/page-marks.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** A group of the view. */
export type GroupId = "damaged" | "gone" | "duplicate" | "empty" | "old" | "trash" | "problems";

/** The view of what needs the person's hand; its rows are made of what is known of each matter. */
export interface MaintenanceState {
	readonly cursor: PageCursor;
	/** Keys of the rows that are marked, also of those that are folded away. */
	readonly marks: PageMarks;
	/** Keys of the rows that are unfolded. */
	readonly opened: ReadonlySet<string>;
	/** Key of the row that the view was opened for, until that is there and has the cursor, or the person has moved it. */
	readonly arriving: string | undefined;
}

const FIRST_MAINTENANCE: MaintenanceState = {
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	opened: new Set(),
	arriving: undefined,
};

export const MAINTENANCE = defineSlice("maintenance", FIRST_MAINTENANCE);
