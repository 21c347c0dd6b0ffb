import { BRANCH_SORTS, SORT_NAMES } from "../../../conversation/branches/branch-order.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { selectedBranch } from "../../world/opened/select-branches.ts";
import { backOnePane } from "../../world/screen/layout.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import {
	chooseCompared,
	endComparison,
	leaveBranches,
	markBranch,
	moveInBranches,
	openBranches,
	readBranch,
	sortBranches,
	sortBranchesNext,
} from "./branches-actions.ts";

const BRANCHES = ["branches"] as const;
/** Nothing is typed here, so letters move, as in less. */
const COMPARISON = ["comparison"] as const;

// biome-ignore format: a table
export const BRANCHES_KEYS: readonly Key[] = [
	{ id: "read-branch", keys: ["right"], contexts: BRANCHES, short: "read it", acts: "entry", needs: needsBranch,
		help: "read the branch from where it begins", run: change(readBranch) },
	// A filter cannot begin with a blank, so on an empty one the blank marks.
	{ id: "mark-branch", keys: [" "], contexts: BRANCHES, short: "mark, two compare", acts: "entry",
		when: ({ branches }) => branches.query.text === "", needs: needsBranch,
		help: "mark the branch; two are compared, side by side", run: change(markBranch) },
	{ id: "mark-branch", keys: ["ctrl+space", "insert", "shift+down"], contexts: BRANCHES, acts: "entry", needs: needsBranch,
		help: "the same, also while something is typed", run: change(markBranch) },
	{ id: "order-branches", name: "Order of the branches", synonyms: "sort", keys: ["ctrl+s"], contexts: BRANCHES, short: "order",
		help: "next order: by time, size, cost, or where they fork", run: change(sortBranchesNext) },
	...BRANCH_SORTS.map((sort) => ({ id: `branches-${sort}`, keys: [], contexts: BRANCHES,
		help: `branches by ${sort === "place" ? SORT_NAMES.place : `${SORT_NAMES[sort]}, the most first`}`,
		run: change((state: State) => sortBranches(state, sort)) })),
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: BRANCHES, help: "back to where you were", run: change(leave) },
	{ id: "back", keys: ["escape"], contexts: BRANCHES, short: "back", pi: "tui.select.cancel",
		when: ({ branches }) => branches.query.text === "", help: "back to where you were, once the filter is empty",
		run: change(leave) },
	{ id: "back", keys: ["escape", "left", "q", "ctrl+c"], contexts: COMPARISON, short: "back", pi: "tui.select.cancel",
		help: "back to the branches", run: change(endComparison) },
	{ id: "choose-first", keys: ["1"], contexts: COMPARISON, short: "or 2: to this one",
		help: "to the first branch, to go on from there with Enter", run: change((state) => chooseCompared(state, 0)) },
	{ id: "choose-second", keys: ["2"], contexts: COMPARISON,
		help: "to the second branch, to go on from there with Enter", run: change((state) => chooseCompared(state, 1)) },
	{ id: "page-up", keys: ["b"], contexts: COMPARISON, help: "one page up",
		run: change((state) => moveInBranches(state, { pages: -1 })) },
	{ id: "page-down", keys: [" "], contexts: COMPARISON, short: "page", help: "one page down",
		run: change((state) => moveInBranches(state, { pages: 1 })) },
	{ id: "up", keys: ["k"], contexts: COMPARISON, help: "one row up", run: change((state) => moveInBranches(state, { rows: -1 })) },
	{ id: "down", keys: ["j"], contexts: COMPARISON, help: "one row down",
		run: change((state) => moveInBranches(state, { rows: 1 })) },
	{ id: "first", keys: ["g"], contexts: COMPARISON, help: "to the first row",
		run: change((state) => moveInBranches(state, { end: "first" })) },
];

/** Keys of other panes that open the branches. */
// biome-ignore format: a table
export const OPEN_BRANCHES_KEYS: readonly Key[] = [
	{ id: "branches", name: "Branches", synonyms: "ends, forks, overview", keys: ["tab"], contexts: ["tree", "reader"], short: "branches", acts: "entry",
		needs: needsEntries, help: "all branches of the session, one row per end", run: change(openBranches) },
];

/** Ends the zoom, else goes back to the pane from which the branches were opened. */
function leave(state: State): State {
	return state.zoom ? backOnePane(state) : leaveBranches(state);
}

function needsEntries(state: State): string | undefined {
	const session = shownSession(state.detail);
	return session === undefined || session.entries.length === 0 ? "There is nothing in this session yet" : undefined;
}

function needsBranch(state: State): string | undefined {
	return selectedBranch(state) === undefined ? "There is no branch here" : undefined;
}
