import type { Query } from "../../catalog/query/parse-query.ts";
import { runToEnd } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { conversationLeaf } from "../conversation/leaf.ts";
import type { Detail, State } from "../model/state.ts";
import { type Drawing, drawTree, growDrawing, type ShownTree, sameInput, type TreeInput } from "./draw-tree.ts";
import { nearestVisible } from "./visible-tree.ts";

/** The session that the tree pane can show now: as it was read last, also while it is being read again. */
export function shownSession(detail: Detail): Session | undefined {
	return detail.status === "ready" || detail.status === "loading" ? detail.session : undefined;
}

/** The tree for a state; the same object as long as the parts of the state that it shows stay the same. */
export function selectTree(state: State): ShownTree | undefined {
	const session = shownSession(state.detail);
	if (session === undefined) return undefined;
	if (!isLarge(session, state.tree.parsed)) return drawSmall(treeInput(state, session));
	// A session may be large for one filter and not for another.
	const drawn = state.tree.drawing?.drawn ?? last;
	return drawn?.input.session.path === session.path ? drawn.tree : undefined;
}

/** What the tree of a session is drawn from in this state. */
export function treeInput({ tree, environment }: State, session: Session): TreeInput {
	const { filter, parsed: query, folded } = tree;
	const pinned = query.text === "" ? tree.pinned : undefined;
	return { session, filter, query, pinned, home: environment.home, folded };
}

/** The most that can be filtered between two frames. */
const LARGE_BYTES = 1024 * 1024;
/** The same for a pattern: the worst ones take a microsecond for each character, most a hundredth of that. */
const LARGE_BYTES_FOR_PATTERN = 128 * 1024;
/** The most that can be drawn between two frames. */
const LARGE_ENTRIES = 4000;

/** Whether drawing or filtering a session would keep the screen waiting, so that it is done outside of `update`. */
export function isLarge({ size, entries }: Session, filter: Query): boolean {
	const hasPattern = filter.terms.some(({ regex }) => regex !== undefined);
	return size > (hasPattern ? LARGE_BYTES_FOR_PATTERN : LARGE_BYTES) || entries.length > LARGE_ENTRIES;
}

/** The small tree that was drawn last. */
let last: Drawing | undefined;

function drawSmall(input: TreeInput): ShownTree {
	if (last === undefined || !sameInput(last.input, input))
		last = growDrawing(last, input) ?? runToEnd(drawTree(input, last));
	return last.tree;
}

/** Index of the row under the cursor: the selected entry or its nearest visible ancestor, else the leaf's, else the last. */
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
