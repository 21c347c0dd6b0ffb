import type { Branches } from "../../../conversation/branches/branch.ts";
import { growBranches } from "../../../conversation/branches/grow-branches.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { scrollTo } from "../../../ui/page/page-rows.ts";
import { isGatheredOutside, selectedBranchRow, selectShownBranches } from "../../world/opened/select-branches.ts";
import type { BranchesState } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { branchesBox } from "./branches-layout.ts";
import { selectComparison } from "./compare.ts";

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

function withBranches(state: State, fields: Partial<BranchesState>): State {
	return { ...state, branches: { ...state.branches, ...fields } };
}
