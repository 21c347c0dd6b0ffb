import { asksForText } from "../../catalog/query/parse-query.ts";
import { hasOnlyGrown, sameInput } from "../../conversation/tree/draw-tree.ts";
import { isUsesAnswered } from "../features/prompts/reconcile-uses.ts";
import type { Binding } from "../world/binding.ts";
import { layoutFor } from "../world/layout.ts";
import { isSearched, selectedResult, selectedRow } from "../world/list/select-list.ts";
import { typedIn } from "../world/list/select-saved.ts";
import { isLarge } from "../world/opened/large-session.ts";
import { selectBranches } from "../world/opened/select-branches.ts";
import { treeInput } from "../world/opened/select-tree.ts";
import { shownSession } from "../world/opened/shown-session.ts";
import { pageOf } from "../world/page/open-page.ts";
import type { State } from "../world/state.ts";

/** A person who presses a key has seen what was on the screen this long before, in milliseconds. */
const SEEN_MS = 150;

/**
 * Whether the screen shows what a key pressed at the time `at` is about: the answer to all that was typed before. Else the
 * key would act on a row or an entry that nobody has chosen.
 */
export function isAnswered(state: State, acts: NonNullable<Binding["acts"]>, at: number): boolean {
	if (pageOf(state) === "uses") return isUsesAnswered(state);
	if (state.changing > 0) return false;
	if (acts === "list") return isListAnswered(state);
	const inList = state.focus === "list";
	if (inList && !isRowAnswered(state, at)) return false;
	return acts === "session" || (acts === "cursor" && inList) || isTreeAnswered(state);
}

/** Whether everything is listed and searched for what is typed, so that nothing else can become the first row. */
export function isListAnswered(state: State): boolean {
	if (!isListCurrent(state)) return false;
	if (state.list.search.error !== undefined || state.catalog.rows.size === 0) return state.catalog.complete;
	const { query, settled } = state.list.search;
	// Results that are only there may still get a better rank, and another best hit.
	return isSearched(state) && (!asksForText(query) || settled === state.watched);
}

/** Whether the list shows the results of what is typed, all of them or not. */
export function isListCurrent(state: State): boolean {
	const { search } = state.list;
	return typedIn(state).query === search.requested.text && search.query === search.requested;
}

function isRowAnswered(state: State, at: number): boolean {
	const { list } = state;
	if (!isListCurrent(state)) return false;
	if (list.selected !== undefined && at - list.seen.since >= SEEN_MS) return true;
	return isListAnswered(state);
}

/** Whether the tree is the one of the session under the cursor, as its filter and the search want it. */
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
