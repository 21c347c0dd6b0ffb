import { BRANCH_SORTS, type BranchSort } from "../../../conversation/branches/branch-order.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import {
	branchOfEntry,
	selectBranches,
	selectBranchNear,
	selectedBranch,
	selectedBranchRow,
	selectShownBranches,
} from "../../world/opened/select-branches.ts";
import { type BranchesState, placedAt } from "../../world/state/opened-state.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import { branchesBox } from "./branches-layout.ts";

/** Opens the branches, with the cursor on the branch of the entry under the tree's cursor. */
export function openBranches(state: State): State {
	const session = shownSession(state.detail);
	if (session === undefined || state.focus === "branches") return state;
	const { selected: entry } = state.tree;
	const end = entry === undefined ? undefined : outlineOf(session).pathThrough(entry).at(-1)?.id;
	const selected = end === session.tree.leafId ? undefined : end;
	const { focus: from, zoom: fromZoom } = state;
	return withBranches({ ...state, focus: "branches", zoom: false }, { from, fromZoom, selected, compared: undefined });
}

/** Goes back to the pane from which the branches were opened. */
export function leaveBranches(state: State): State {
	const { from, fromZoom } = state.branches;
	return { ...state, focus: from, zoom: fromZoom };
}

/** Goes back from the comparison to the list of branches. */
export function endComparison(state: State): State {
	return withBranches(state, { compared: undefined });
}

/** Ends the comparison with the cursor on one of its branches. */
export function chooseCompared(state: State, which: 0 | 1): State {
	const selected = state.branches.compared?.[which];
	return withBranches(state, { compared: undefined, ...(selected === undefined ? {} : { selected }) });
}

/** Opens the reader at the start of the branch under the cursor. */
export function readBranch(state: State): State {
	const id = selectedBranch(state)?.path[0]?.id;
	if (id === undefined) return state;
	const reader = placedAt(state.reader, id);
	return { ...state, focus: "reader", zoom: false, reader, tree: { ...state.tree, selected: id, pinned: id } };
}

/** Marks or unmarks the branch under the cursor; if another one is marked, compares the two. */
export function markBranch(state: State): State {
	const branches = selectBranches(state);
	const branch = selectedBranch(state);
	if (branches === undefined || branch === undefined) return state;
	const { marked } = state.branches;
	const other = marked === undefined ? undefined : branchOfEntry(branches, marked);
	if (other === undefined) return withBranches(state, { marked: branch.id });
	if (branches.list[other] === branch) return withBranches(state, { marked: undefined });
	return withBranches(state, { compared: [branches.list[other]?.id ?? "", branch.id], comparedTop: 0 });
}

export function sortBranches(state: State, sort: BranchSort): State {
	return withBranches(state, { sort });
}

/** Switches to the next order; the cursor stays on its branch. */
export function sortBranchesNext(state: State): State {
	const next = BRANCH_SORTS[(BRANCH_SORTS.indexOf(state.branches.sort) + 1) % BRANCH_SORTS.length];
	return sortBranches(state, next ?? "time");
}

function withBranches(state: State, fields: Partial<BranchesState>): State {
	return { ...state, branches: { ...state.branches, ...fields } };
}

/** Moves the cursor, skipping the rows of forks. In a comparison, scrolls. */
export function moveInBranches(state: State, distance: Distance): State {
	const { compared, comparedTop } = state.branches;
	const { height } = branchesBox(state) ?? { height: 1 };
	if (compared !== undefined) {
		const top = target(comparedTop, distance, height, Number.MAX_SAFE_INTEGER);
		return { ...state, branches: { ...state.branches, comparedTop: top } };
	}
	const shown = selectShownBranches(state);
	if (shown === undefined) return state;
	const before = selectedBranchRow(state, shown);
	const index = target(before, distance, height, shown.rows.length);
	return selectBranchNear(state, shown, index, index > before ? 1 : -1);
}
