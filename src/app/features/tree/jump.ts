import { sizeAt } from "../../../conversation/entries/outline-columns.ts";
import type { ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { CODES, FAILED, subtreeSums } from "../../../conversation/tree/entry-columns.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import type { State } from "../../world/state/state.ts";
import { say } from "../../world/state/transition.ts";
import { firstLabeled } from "./label-places.ts";
import { selectEntry } from "./select-entry.ts";

/** What a key goes to, from row to row. */
export type JumpTarget = "prompt" | "error" | "label" | "fork";

/** Goes to the next or the previous row of this kind; a folded branch counts for what is in it. */
export function jump(state: State, target: JumpTarget, by: 1 | -1): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const isTarget = testOf(tree, target);
	const { rows } = tree;
	for (let row = selectedTreeIndex(state, tree) + by; row >= 0 && row < rows.length; row += by) {
		const kind = rows.kindAt(row);
		if (!rows.isSelectable(row) || kind === "damage") continue;
		if (isTarget(rows.subjectAt(row), kind === "folded", row)) return selectEntry(state, rows.at(row)?.key);
	}
	return say(state, `There is no ${target} further ${by === 1 ? "down" : "up"}`, "muted");
}

function testOf(tree: ShownTree, target: JumpTarget): (index: number, isFolded: boolean, row: number) => boolean {
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
