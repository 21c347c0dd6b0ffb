import type { State } from "../model/state.ts";
import type { ShownTree } from "../tree/draw-tree.ts";
import { selectedEntry, selectTree } from "../tree/select-tree.ts";
import { isFoldable, mainChild } from "../tree/tree-rows.ts";
import { selectEntry } from "./move.ts";

/** Folds the entry under the cursor; where that is not possible, goes to the start of its branch (pi's foldOrUp). */
export function foldOrUp(state: State): State {
	const tree = selectTree(state);
	const id = selectedEntry(state)?.id;
	if (tree === undefined || id === undefined) return state;
	if (isFoldable(tree.visible, id) && !state.tree.folded.has(id)) {
		return { ...state, tree: { ...state.tree, folded: new Set([...state.tree.folded, id]) } };
	}
	return selectEntry(state, branchStart(tree, id));
}

/** Unfolds the entry under the cursor; where it is not folded, goes to the next branch point or the end of the branch. */
export function unfoldOrDown(state: State): State {
	const tree = selectTree(state);
	const id = selectedEntry(state)?.id;
	if (tree === undefined || id === undefined) return state;
	if (state.tree.folded.has(id)) {
		return { ...state, tree: { ...state.tree, folded: state.tree.folded.difference(new Set([id])) } };
	}
	return selectEntry(state, branchEnd(tree, id, state.tree.folded));
}

/** The nearest entry above that is a root or one of several siblings. */
function branchStart({ visible }: ShownTree, id: string): string {
	let at = id;
	for (let parent = visible.parents.get(at); parent !== undefined; parent = visible.parents.get(at)) {
		at = parent;
		if (isFoldable(visible, at)) break;
	}
	return at;
}

/**
 * The next entry below that is one of several siblings, along the line that the drawing continues with, else the last entry
 * of that line. What is folded away is not entered.
 */
function branchEnd({ visible }: ShownTree, id: string, folded: ReadonlySet<string>): string {
	let at = id;
	for (let children = visible.children.get(at); children !== undefined; children = visible.children.get(at)) {
		const next = folded.has(at) && isFoldable(visible, at) ? undefined : mainChild(visible, children);
		if (next === undefined) break;
		at = next.id;
		if (children.length > 1) break;
	}
	return at;
}
