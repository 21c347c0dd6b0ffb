import { conversationLeaf } from "../../conversation/entries/leaf.ts";
import { type Distance, target } from "../../ui/page/distance.ts";
import { branchesBox } from "../branches/branches-layout.ts";
import { selectBranchNear, selectedBranchRow, selectShownBranches } from "../branches/select-branches.ts";
import { keyOf, selectableAt } from "../list/headings.ts";
import { listCapacity } from "../list/list-view.ts";
import { selectList } from "../list/select-list.ts";
import { layoutFor } from "../model/layout.ts";
import type { Focus, State } from "../model/state.ts";
import { placedAt } from "../reader/reader-place.ts";
import { scrollReader } from "../reader/scroll.ts";
import { selectedTreeIndex, selectTree } from "../tree/select-tree.ts";
import type { TreeRows } from "../tree/tree-rows.ts";

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

function moveInList(state: State, distance: Distance): State {
	const { items } = selectList(state);
	const from = state.list.index;
	const to = target(from, distance, Math.max(1, listCapacity(state)), items.length);
	const item = items[selectableAt(items, to, to < from ? -1 : 1)];
	const selected = item && keyOf(item);
	// Who moves the cursor to a row means that row, however soon the next key comes.
	const seen = { path: selected, query: state.list.search.query, since: 0 };
	return { ...state, list: { ...state.list, selected, seen, cursorSet: true, pendingSelection: undefined } };
}

/** Moves to a branch: the rows of forks are skipped. While two are compared, scrolls them. */
function moveInBranches(state: State, distance: Distance): State {
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

function moveInTree(state: State, distance: Distance): State {
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
