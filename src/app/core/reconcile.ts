import { scrollTo } from "../../ui/page/distance.ts";
import { reconcileBranches } from "../features/branches/reconcile-branches.ts";
import { reconcileCheck, reconcileGlance } from "../features/glance/reconcile-glance.ts";
import { reconcileNearest } from "../features/list/nearest.ts";
import { reconcileList } from "../features/list/reconcile-list.ts";
import { reconcileSaved } from "../features/list/saved-actions.ts";
import { reconcileSearch } from "../features/list/searching.ts";
import { rememberChanges } from "../features/memory/remember.ts";
import { reconcileGoing } from "../features/prompts/go-to-use.ts";
import { reconcileReader } from "../features/reader/reconcile-reader.ts";
import { reconcileHits } from "../features/reader/search-results.ts";
import { reconcileDrawing } from "../features/tree/reconcile-drawing.ts";
import { layoutFor } from "../world/layout.ts";
import { reconcileStage } from "../world/list/stage.ts";
import { selectVisiblePaths } from "../world/list/visible-paths.ts";
import { selectedTreeIndex, selectTree } from "../world/opened/select-tree.ts";
import type { State, Transition } from "../world/state/state.ts";
import { transition } from "../world/state/transition.ts";
import { pagePreview, reconcilePages } from "./features/pages.ts";
import { openSession } from "./open-session.ts";
import { reconcilePlaces } from "./reconcile-places.ts";

/**
 * What makes a state whole, in this order: each stage may rely on those before it. The list comes first, since its cursor says
 * which session is open; then what is shown of that session; then the pages and what is remembered, which look at all of it.
 */
const STAGES: readonly ((state: State, at: number) => Transition)[] = [
	(state) => reconcileSearch(reconcileStage(reconcileSaved(state))),
	(state, at) => reconcileNearest(reconcileList(state, at)),
	openSession,
	reconcileHits,
	(state) => reconcileDrawing(reconcileGoing(state)),
	reconcileBranches,
	reconcileReader,
	(state) => reconcileCheck(reconcileTree(state)),
	reconcileGlance,
	reconcilePlaces,
	watchVisible,
	reconcilePages,
	rememberChanges,
];

/**
 * Makes a state consistent after any action: cursors are on rows that exist, viewports show them, and the session under
 * the cursor is the one that is read for the tree. `update` ends with it, so no other code has to ensure this. `at`: the
 * present time, Unix ms.
 */
export function reconcile(state: State, at: number): Transition {
	return STAGES.reduce<Transition>(([before, effects], stage) => {
		const [next, more] = stage(before, at);
		return [next, more.length === 0 ? effects : [...effects, ...more]];
	}, transition(state));
}

/** Puts the rows of the tree that are in sight around its cursor. */
function reconcileTree(state: State): State {
	const tree = selectTree(state);
	const preview = pagePreview(state);
	const box = preview ? preview.row && preview.box : layoutFor(state).tree;
	if (tree === undefined || box === undefined) return state;
	const top = scrollTo(state.tree.top, selectedTreeIndex(state, tree), box.height, tree.rows.length);
	return top === state.tree.top ? state : { ...state, tree: { ...state.tree, top } };
}

/** Reports the sessions in sight when they have changed. */
function watchVisible(state: State): Transition {
	const paths = selectVisiblePaths(state);
	const known = state.visiblePaths;
	if (paths.length === known.length && paths.every((path, index) => path === known[index])) return transition(state);
	const watched = state.watched + 1;
	return transition({ ...state, visiblePaths: paths, watched }, { type: "watch-visible", paths, watched });
}
