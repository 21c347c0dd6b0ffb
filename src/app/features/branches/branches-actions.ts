import type { Branches } from "../../../conversation/branches/branch.ts";
import { BRANCH_SORTS, type BranchSort } from "../../../conversation/branches/branch-order.ts";
import { growBranches } from "../../../conversation/branches/gather-branches.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type Distance, scrollTo, target } from "../../../ui/page/page-rows.ts";
import {
	branchOfEntry,
	isGatheredOutside,
	selectBranches,
	selectBranchNear,
	selectedBranch,
	selectedBranchRow,
	selectShownBranches,
} from "../../world/opened/select-branches.ts";
import { type BranchesState, placedAt } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { branchesBox } from "./branches-layout.ts";
import { selectComparison } from "./compare.ts";

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
		return withBranches(state, { comparedTop: top });
	}
	const shown = selectShownBranches(state);
	if (shown === undefined) return state;
	const before = selectedBranchRow(state, shown);
	const index = target(before, distance, height, shown.rows.length);
	return selectBranchNear(state, shown, index, index > before ? 1 : -1);
}

/** While the branches have the focus: requests those of a large session, and keeps the cursor visible. */
export function reconcileBranches(state: State): Transition {
	if (state.focus !== "branches") return transition(state);
	const [gathering, effects] = gatherLarge(state);
	return [placeCursor(gathering), effects];
}

/** Applies gathered branches, unless another session has been requested since. */
export function applyBranches(state: State, session: Session, gathered: Branches): State {
	if (state.branches.gathering?.session !== session) return state;
	return withBranches(state, { gathering: { session, gathered, isRunning: false } });
}

function gatherLarge(state: State): Transition {
	const session = shownSession(state.detail);
	const { gathering } = state.branches;
	if (session === undefined || !isGatheredOutside(session))
		return transition(gathering === undefined ? state : withBranches(state, { gathering: undefined }));
	if (gathering?.session === session) return transition(state);
	const isSame = gathering?.session.entries === session.entries;
	// What is appended during a gathering is added after it.
	if (isSame && gathering.isRunning) return transition(state);
	const { home } = state.environment;
	const before = gathering?.gathered;
	const grown = before && growBranches(before, session, placeOf(session, home));
	if (grown) return transition(withBranches(state, { gathering: { session, gathered: grown, isRunning: false } }));
	const gathered = before?.session.path === session.path ? before : undefined;
	return transition(withBranches(state, { gathering: { session, gathered, isRunning: true } }), {
		type: "gather-branches",
		session,
		home,
	});
}

function placeCursor(state: State): State {
	const box = branchesBox(state);
	if (box === undefined) return state;
	const comparison = selectComparison(state);
	if (comparison !== undefined) {
		const { comparedTop } = state.branches;
		const rows = comparison.rowsTo(comparedTop + box.height).length;
		const top = Math.max(0, Math.min(comparedTop, rows - box.height));
		return top === comparedTop ? state : withBranches(state, { comparedTop: top });
	}
	const shown = selectShownBranches(state);
	if (shown === undefined) return state;
	const top = scrollTo(state.branches.top, selectedBranchRow(state, shown), box.height, shown.rows.length);
	return top === state.branches.top ? state : withBranches(state, { top });
}
