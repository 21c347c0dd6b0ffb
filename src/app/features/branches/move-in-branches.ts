import { type Distance, target } from "../../../ui/page/distance.ts";
import { selectBranchNear, selectedBranchRow, selectShownBranches } from "../../world/opened/select-branches.ts";
import type { State } from "../../world/state/state.ts";
import { branchesBox } from "./branches-layout.ts";

/** Moves to a branch: the rows of forks are skipped. While two are compared, scrolls them. */
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
