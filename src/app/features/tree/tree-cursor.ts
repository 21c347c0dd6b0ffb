import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { sizeAt } from "../../../conversation/entries/outline-columns.ts";
import type { ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { CODES, FAILED, subtreeSums } from "../../../conversation/tree/entry-columns.ts";
import type { TreeRows } from "../../../conversation/tree/tree-rows.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import { type State, say } from "../../world/state/state.ts";
import { firstLabeled } from "./label-places.ts";

/**
 * Puts the tree's cursor on an entry and shows its text from the start. On the leaf, the cursor follows the conversation as it
 * grows.
 */
export function selectEntry(state: State, id: string | undefined): State {
	const tree = selectTree(state);
	if (id === undefined || tree === undefined || id === tree.rows.at(selectedTreeIndex(state, tree))?.key) return state;
	const selected = id === conversationLeaf(tree.session) ? undefined : id;
	return { ...state, reader: placedAt(state.reader, id), tree: { ...state.tree, selected } };
}

/** Moves the cursor, not past the first or last row. */
export function moveInTree(state: State, distance: Distance): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const box = layoutFor(state).tree;
	const height = box === undefined ? 1 : box.height;
	const from = selectedTreeIndex(state, tree);
	const to = target(from, distance, height, tree.rows.length);
	return selectEntry(state, tree.rows.at(selectableRow(tree.rows, to, to < from ? -1 : 1))?.key);
}

/** The nearest selectable row from this one on in direction `by`, else in the other direction. */
function selectableRow(rows: TreeRows, row: number, by: 1 | -1): number {
	const from = (direction: 1 | -1): number => {
		let at = row;
		while (at >= 0 && at < rows.length && !rows.isSelectable(at)) at += direction;
		return at;
	};
	return rows.isSelectable(from(by)) ? from(by) : from(by === 1 ? -1 : 1);
}

/** What a key can jump to. */
export type JumpTarget = "prompt" | "error" | "label" | "fork";

/** Goes to the next or previous row of a kind. A folded branch counts if it contains one. */
export function jump(state: State, target: JumpTarget, by: 1 | -1): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const isTarget = targetTest(tree, target);
	const { rows } = tree;
	for (let row = selectedTreeIndex(state, tree) + by; row >= 0 && row < rows.length; row += by) {
		const kind = rows.kindAt(row);
		if (!rows.isSelectable(row) || kind === "damage" || kind === "run" || kind === "runs") continue;
		if (isTarget(rows.subjectAt(row), kind === "folded", row)) return selectEntry(state, rows.at(row)?.key);
	}
	return say(state, `There is no ${target} further ${by === 1 ? "down" : "up"}`, "muted");
}

function targetTest(tree: ShownTree, target: JumpTarget): (index: number, isFolded: boolean, row: number) => boolean {
	const { columns } = tree.rows;
	switch (target) {
		case "prompt":
			return (index, isFolded) => !isFolded && columns.kind[index] === CODES.prompt;
		case "error":
			return (index, isFolded) =>
				isFolded ? subtreeSums(columns, index).errors > 0 : ((columns.flags[index] ?? 0) & FAILED) !== 0;
		case "label":
			return (index, isFolded) => {
				const from = columns.outline.place[index] ?? 0;
				const to = isFolded ? from + sizeAt(columns.outline, index) : from + 1;
				return firstLabeled(tree.session, columns, from, to) !== undefined;
			};
		case "fork":
			return (_index, isFolded, row) => isFolded || tree.rows.kindAt(row) === "opened";
	}
}
