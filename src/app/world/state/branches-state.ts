import type { Branches } from "../../../conversation/branches/branch.ts";
import type { BranchSort } from "../../../conversation/branches/branch-order.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";

/** The overview of a session's branches. */
export interface BranchesState {
	/** The pane that was left for it. */
	readonly from: "list" | "tree" | "reader";
	/** Whether it had the whole screen. */
	readonly fromZoom: boolean;
	readonly query: EditedText;
	readonly sort: BranchSort;
	/** Id of the last entry of the branch under the cursor; undefined: the active one. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of the last entry of the branch that is marked, to be compared with another. */
	readonly marked: string | undefined;
	/** The last entries of the two that are compared, while they are. */
	readonly compared: readonly [string, string] | undefined;
	/** First visible row of the comparison, from 0. */
	readonly comparedTop: number;
	/** The branches of a large session, which are gathered outside of `update`. */
	readonly gathering: Gathering | undefined;
}

interface Gathering {
	/** The session as it was when its branches were asked for last. */
	readonly session: Session;
	/** Whether they are being gathered. */
	readonly isRunning: boolean;
	/** What was gathered last, of this file. */
	readonly gathered: Branches | undefined;
}

/** The branches, newest first, none of them chosen. */
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
