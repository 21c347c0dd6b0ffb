import { hasOnlyGrown, sameInput } from "../../conversation/tree/draw-tree.ts";
import { isListAnswered, isListCurrent } from "../world/list/is-list-answered.ts";
import { selectedResult, selectedRow } from "../world/list/select-list.ts";
import { isLarge } from "../world/opened/large-session.ts";
import { selectBranches } from "../world/opened/select-branches.ts";
import { treeInput } from "../world/opened/select-tree.ts";
import { shownSession } from "../world/opened/shown-session.ts";
import { layoutFor } from "../world/screen/layout.ts";
import type { Binding } from "../world/state/binding.ts";
import type { State } from "../world/state/state.ts";
import { openedPage } from "./features/pages.ts";

/** A person who presses a key has seen what was on the screen this long before. */
const SEEN_MS = 150;

/**
 * Whether the screen shows what a key pressed at the time `at` acts on: the answer to everything typed before. Otherwise
 * the key would act on a row or an entry that nobody has chosen.
 */
export function isAnswered(state: State, acts: NonNullable<Binding["acts"]>, at: number): boolean {
	const field = openedPage(state)?.field;
	if (field !== undefined) return field.isAnswered(state);
	if (state.changing > 0) return false;
	if (acts === "list") return isListAnswered(state);
	const inList = state.focus === "list";
	if (inList && !isRowAnswered(state, at)) return false;
	return acts === "session" || (acts === "cursor" && inList) || isTreeAnswered(state);
}

function isRowAnswered(state: State, at: number): boolean {
	const { list } = state;
	if (!isListCurrent(state)) return false;
	if (list.selected !== undefined && at - list.seen.since >= SEEN_MS) return true;
	return isListAnswered(state);
}

/** Whether the tree is that of the session under the cursor, with its filter and hits applied. */
function isTreeAnswered(state: State): boolean {
	const { detail, tree, list } = state;
	const row = selectedRow(state);
	const drawn = layoutFor(state);
	if (row === undefined || (drawn.tree ?? drawn.reader ?? drawn.branches) === undefined) return true;
	if (detail.status === "none" || detail.row.path !== row.path) return false;
	if (detail.status === "loading" && state.request === state.readAfterChange) return false;
	const session = shownSession(detail);
	if (session === undefined) return detail.status === "failed";
	if (state.focus === "branches") return selectBranches(state) !== undefined;
	const { query } = list.search;
	const isFound = query.terms.length > 0 && selectedResult(state) !== undefined;
	if (isFound && !(tree.hits?.path === row.path && tree.hits.query === query && tree.hits.complete)) return false;
	if (!isLarge(session, tree.parsed)) return true;
	const drawing = tree.drawing?.drawn;
	if (drawing?.isComplete !== true) return false;
	const { input } = drawing;
	const wanted = { ...treeInput(state, session), pinned: input.pinned };
	return sameInput(input, wanted) || hasOnlyGrown(input, wanted);
}
