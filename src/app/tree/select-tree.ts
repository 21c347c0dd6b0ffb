import { runToEnd } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Detail, State } from "../model/state.ts";
import { type Drawing, drawTree, growDrawing, type ShownTree, sameInput, type TreeInput } from "./draw-tree.ts";
import { conversationLeaf } from "./leaf.ts";
import { nearestVisible } from "./visible-tree.ts";

/** The session that the tree pane can show now: the one that was read, or its reading before while a new one is made. */
export function shownSession(detail: Detail): Session | undefined {
	return detail.status === "ready" || detail.status === "loading" ? detail.session : undefined;
}

/** Makes the tree from the state; the same state parts give the same object. */
export function selectTree(state: State): ShownTree | undefined {
	const session = shownSession(state.detail);
	if (session === undefined) return undefined;
	if (!isLarge(session)) return drawSmall(treeInput(state, session));
	const drawn = state.tree.drawing?.drawn;
	return drawn?.input.session.path === session.path ? drawn.tree : undefined;
}

/** What the tree of a session is drawn from in this state. */
export function treeInput({ tree, environment }: State, session: Session): TreeInput {
	const { filter, parsed, folded, query } = tree;
	const pinned = query.text === "" ? tree.pinned : undefined;
	return { session, filter, text: query.text, parsed, pinned, home: environment.home, folded };
}

/** More than this is not compared with a filter between two frames, … */
const LARGE_BYTES = 4 * 1024 * 1024;
/** … nor are more entries drawn. */
const LARGE_ENTRIES = 4000;

/** Whether drawing or filtering a session would keep the screen waiting, so that it is done outside of `update`. */
export function isLarge({ size, entries }: Session): boolean {
	return size > LARGE_BYTES || entries.length > LARGE_ENTRIES;
}

/** The small tree that was drawn last. */
let last: Drawing | undefined;

function drawSmall(input: TreeInput): ShownTree {
	if (last === undefined || !sameInput(last.input, input))
		last = growDrawing(last, input) ?? runToEnd(drawTree(input, last));
	return last.tree;
}

/** Place of the cursor in the rows: the selected entry or its nearest visible ancestor, else the leaf's, else the last. */
export function selectedTreeIndex(state: State, tree: ShownTree): number {
	const { session, visible, indexes, rows } = tree;
	const wanted = state.tree.selected ?? conversationLeaf(session);
	for (let id = wanted; id !== undefined; id = session.tree.parentOf.get(id)) {
		const near = nearestVisible(session, visible, id);
		const index = near === undefined ? undefined : indexes.get(near);
		if (index !== undefined) return index;
		if (near === undefined) break;
		id = near;
	}
	return rows.length - 1;
}

/** The entry under the cursor of the tree. */
export function selectedEntry(state: State): SessionEntry | undefined {
	const tree = selectTree(state);
	return tree?.rows[selectedTreeIndex(state, tree)]?.entry;
}
