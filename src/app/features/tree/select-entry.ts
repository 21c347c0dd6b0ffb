import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import type { TreeRows } from "../../../conversation/tree/tree-rows.ts";
import { type Distance, target } from "../../../ui/page/distance.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { placedAt } from "../../world/state/reader-state.ts";
import type { State } from "../../world/state/state.ts";

/**
 * Puts the tree's cursor on an entry and shows its text from the start. On the leaf it follows the conversation: it goes on to
 * what is appended.
 */
export function selectEntry(state: State, id: string | undefined): State {
	const tree = selectTree(state);
	if (id === undefined || tree === undefined || id === tree.rows.at(selectedTreeIndex(state, tree))?.key) return state;
	const selected = id === conversationLeaf(tree.session) ? undefined : id;
	return { ...state, reader: placedAt(state.reader, id), tree: { ...state.tree, selected } };
}

/** Moves the cursor among the rows of the tree; never past an end. */
export function moveInTree(state: State, distance: Distance): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const box = layoutFor(state).tree;
	const height = box === undefined ? 1 : box.height;
	const from = selectedTreeIndex(state, tree);
	const to = target(from, distance, height, tree.rows.length);
	return selectEntry(state, tree.rows.at(selectableRow(tree.rows, to, to < from ? -1 : 1))?.key);
}

/** The row at this number, or where the cursor skips that, the next one that it does not, first in this direction. */
function selectableRow(rows: TreeRows, row: number, by: 1 | -1): number {
	const from = (direction: 1 | -1): number => {
		let at = row;
		while (at >= 0 && at < rows.length && !rows.isSelectable(at)) at += direction;
		return at;
	};
	return rows.isSelectable(from(by)) ? from(by) : from(by === 1 ? -1 : 1);
}
