import type { Box } from "../../../ui/view.ts";
import { type Layout, layoutFor } from "../../world/screen/layout.ts";
import type { State } from "../../world/state/state.ts";

/** The layout of the screen; a comparison of branches takes all of it. */
export function branchesLayout(state: State): Layout {
	const isCompared = state.focus === "branches" && state.branches.compared !== undefined;
	return layoutFor(isCompared ? { ...state, zoom: true } : state);
}

/** Rows of the pane from which the columns of numbers have heads. */
const HEAD_ROWS = 8;

/** Rows above the branches. */
export function headRows({ height }: Box): number {
	return height >= HEAD_ROWS ? 1 : 0;
}

/** The box of the scrolling rows, of the branches or of the comparison. */
export function branchesBox(state: State): Box | undefined {
	const box = branchesLayout(state).branches;
	if (box === undefined || state.branches.compared !== undefined) return box;
	const head = headRows(box);
	return { ...box, y: box.y + head, height: box.height - head };
}
