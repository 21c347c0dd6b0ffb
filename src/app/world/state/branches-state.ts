import type { Branches } from "../../../conversation/branches/branch.ts";
import type { BranchSort } from "../../../conversation/branches/branch-order.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";

/** The overview of a session's branches. */
export interface BranchesState {
	/** The pane from which it was opened. */
	readonly from: "list" | "tree" | "reader";
	/** Whether that pane was zoomed. */
	readonly fromZoom: boolean;
	readonly query: EditedText;
	readonly sort: BranchSort;
	/** Id of the last entry of the branch under the cursor; undefined: the active one. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of the last entry of the branch that is marked for comparison. */
	readonly marked: string | undefined;
	/** Ids of the last entries of the two branches that are being compared. */
	readonly compared: readonly [string, string] | undefined;
	/** First visible row of the comparison, from 0. */
	readonly comparedTop: number;
	/** Set for a large session, whose branches are gathered outside of `update`. */
	readonly gathering: Gathering | undefined;
}

interface Gathering {
	/** The session as it was when its branches were last requested. */
	readonly session: Session;
	/** Whether gathering is under way. */
	readonly isRunning: boolean;
	/** The last result for this file. */
	readonly gathered: Branches | undefined;
}

/** Newest first, none selected. */
export const NO_BRANCHES: BranchesState = {
	from: "tree",
	fromZoom: false,
	query: editedText(""),
	sort: "time",
	selected: undefined,
	top: 0,
	marked: undefined,
	compared: undefined,
	comparedTop: 0,
	gathering: undefined,
};
