import type { Distance } from "../../ui/page/distance.ts";
import { moveInBranches } from "../features/branches/branch-actions.ts";
import { scrollReader } from "../features/reader/scroll.ts";
import { moveInTree } from "../features/tree/tree-cursor.ts";
import { moveInList } from "../world/list/move-in-list.ts";
import type { Focus, State } from "../world/state/state.ts";

/** Moves the cursor of the focused pane, or scrolls the text of the entry; never past an end. */
export function move(state: State, distance: Distance): State {
	return moveIn(state, state.focus, distance);
}

/** The same in any pane. */
export function moveIn(state: State, pane: Focus, distance: Distance): State {
	switch (pane) {
		case "list":
			return moveInList(state, distance);
		case "tree":
			return moveInTree(state, distance);
		case "reader":
			return scrollReader(state, distance);
		case "branches":
			return moveInBranches(state, distance);
	}
}
