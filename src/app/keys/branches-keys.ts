import {
	leaveBranches,
	markBranch,
	openBranches,
	readBranch,
	sortBranches,
	sortBranchesNext,
} from "../branches/branch-actions.ts";
import { BRANCH_SORTS, SORT_NAMES } from "../branches/branch-order.ts";
import { selectedBranch } from "../branches/select-branches.ts";
import type { State } from "../model/state.ts";
import { shownSession } from "../tree/select-tree.ts";
import { backOnePane } from "../update/panes.ts";
import { change, type Key } from "./handlers.ts";

const BRANCHES = ["branches"] as const;

// biome-ignore format: a table
export const BRANCHES_KEYS: readonly Key[] = [
	{ id: "branches", keys: ["alt+y", "f7"], contexts: ["tree", "reader"], short: "branches", acts: "entry",
		needs: needsEntries, help: "all branches of the session, one row an end", run: change(openBranches) },
	{ id: "read-branch", keys: ["right"], contexts: BRANCHES, short: "read it", acts: "entry", when: isListed,
		needs: needsBranch, help: "read the branch from where it begins", run: change(readBranch) },
	// A blank that is typed first says nothing to a filter.
	{ id: "mark-branch", keys: [" "], contexts: BRANCHES, short: "mark, two compare", acts: "entry",
		when: (state) => isListed(state) && !isFiltered(state), needs: needsBranch,
		help: "mark the branch; two are compared, side by side", run: change(markBranch) },
	{ id: "mark-branch", keys: ["alt+m", "insert"], contexts: BRANCHES, acts: "entry", when: isListed,
		needs: needsBranch, help: "the same, also while something is typed", run: change(markBranch) },
	{ id: "sort-branches", keys: ["ctrl+s"], contexts: BRANCHES, short: "order", when: isListed,
		help: "next order: by time, size, cost, or where they fork", run: change(sortBranchesNext) },
	...BRANCH_SORTS.map((sort) => ({ id: `branches-${sort}`, keys: [], contexts: BRANCHES,
		help: sort === "place" ? `branches by ${SORT_NAMES[sort]}` : `branches by ${SORT_NAMES[sort]}, the most first`,
		run: change((state: State) => sortBranches(state, sort)) })),
	{ id: "previous-pane", keys: ["left"], contexts: BRANCHES, help: "back to where you were",
		run: change(leave) },
	{ id: "back", keys: ["escape"], contexts: BRANCHES, short: "back", pi: "tui.select.cancel", when: (state) => !isFiltered(state),
		help: "back to where you were, once the filter is empty", run: change(leave) },
];

/** Ends the comparison, else gives the whole screen back, else goes back. */
function leave(state: State): State {
	return state.zoom && isListed(state) ? backOnePane(state) : leaveBranches(state);
}

/** Not while two are compared. */
function isListed({ branches }: State): boolean {
	return branches.compared === undefined;
}

/** What is typed is cleared first. */
function isFiltered({ branches }: State): boolean {
	return branches.compared === undefined && branches.query.text !== "";
}

function needsEntries(state: State): string | undefined {
	const session = shownSession(state.detail);
	return session === undefined || session.entries.length === 0 ? "There is nothing in this session yet" : undefined;
}

function needsBranch(state: State): string | undefined {
	return selectedBranch(state) === undefined ? "There is no branch here" : undefined;
}
