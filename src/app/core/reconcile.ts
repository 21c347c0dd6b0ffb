import { memoLast } from "../../shared/memo.ts";
import { scrollTo } from "../../ui/page/distance.ts";
import { reconcileBranches } from "../features/branches/branches-actions.ts";
import { reconcileCheck, reconcileGlance } from "../features/glance/feature.ts";
import { reconcileNearest } from "../features/list/nearest.ts";
import { reconcileList, reconcileSearch } from "../features/list/reconcile-list.ts";
import { reconcileSaved } from "../features/list/saved-actions.ts";
import { sessionGroups } from "../features/maintenance/gone-groups.ts";
import { rememberChanges } from "../features/memory/memory-state.ts";
import { reconcileGoing } from "../features/prompts/uses-keys.ts";
import { reconcileReader } from "../features/reader/reconcile-reader.ts";
import { reconcileHits } from "../features/reader/search-results.ts";
import { reconcileTour } from "../features/tour/tour.ts";
import { reconcileDrawing } from "../features/tree/feature.ts";
import { listColumns, selectVisiblePaths } from "../world/list/list-view.ts";
import { orderInUse } from "../world/list/select-list.ts";
import { reconcileStage } from "../world/list/stage.ts";
import { selectedTreeIndex, selectTree } from "../world/opened/select-tree.ts";
import { reconcileWaysBack } from "../world/page/way-back.ts";
import { layoutFor } from "../world/screen/layout.ts";
import type { State, Transition } from "../world/state/state.ts";
import { transition } from "../world/state/transition.ts";
import { pagePreview, reconcilePages } from "./features/pages.ts";
import { openSession } from "./open-session.ts";

/**
 * The stages of reconciliation; each may rely on those before it. The list comes first, since its cursor determines which
 * session is open; then what is shown of that session; then the pages and the memory, which depend on all of it.
 */
const STAGES: readonly ((state: State, at: number) => Transition)[] = [
	(state) => reconcileSearch(reconcileStage(reconcileSaved(reconcileWaysBack(state)))),
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
	(state) => reconcilePages(reconcileTour(state)),
	rememberChanges,
];

/**
 * Makes a state consistent after any action: cursors are on rows that exist, viewports show them, and the tree shows the
 * session under the cursor. `update` ends with it, so no other code has to ensure this. `at`: the present time, Unix ms.
 */
export function reconcile(state: State, at: number): Transition {
	return STAGES.reduce<Transition>(([before, effects], stage) => {
		const [next, more] = stage(before, at);
		return [next, more.length === 0 ? effects : [...effects, ...more]];
	}, transition(state));
}

/** Scrolls the tree to its cursor. */
function reconcileTree(state: State): State {
	const tree = selectTree(state);
	const preview = pagePreview(state);
	const box = preview ? preview.row && preview.box : layoutFor(state).tree;
	if (tree === undefined || box === undefined) return state;
	const top = scrollTo(state.tree.top, selectedTreeIndex(state, tree), box.height, tree.rows.length);
	return top === state.tree.top ? state : { ...state, tree: { ...state.tree, top } };
}

/** Reports the visible sessions to the catalog when they have changed. */
function watchVisible(state: State): Transition {
	const paths = selectVisiblePaths(state);
	const known = state.visiblePaths;
	if (paths.length === known.length && paths.every((path, index) => path === known[index])) return transition(state);
	const watched = state.watched + 1;
	return transition({ ...state, visiblePaths: paths, watched }, { type: "watch-visible", paths, watched });
}

/** Directories whose facts from Git are stored: those used last. */
const MAX_NOTED = 500;

/** Requests the repository of the present directory once, and the branches of all projects when the list shows them. */
function reconcilePlaces(state: State): Transition {
	const { places, environment, catalog } = state;
	// Not before the first rows are shown.
	if (catalog.rows.size === 0) return transition(state);
	const directories = wantsBranches(state) ? unknownDirectories(catalog.rows, places.requested) : [];
	const isFirst = places.requested === undefined;
	if (!isFirst && directories.length === 0) return noteGit(state);
	const requested = new Set([...(places.requested ?? []), ...directories]);
	return transition(
		{ ...state, places: { ...places, requested } },
		{ type: "read-git", directory: isFirst ? environment.cwd : undefined, directories },
	);
}

/** Once everything is listed, stores Git's facts about the directories, to find them again when they are moved. */
function noteGit(state: State): Transition {
	const { places, catalog } = state;
	if (places.noted || !catalog.complete) return transition(state);
	const directories = sessionGroups(catalog.rows)
		.slice(0, MAX_NOTED)
		.map(({ key }) => key);
	return transition({ ...state, places: { ...places, noted: true } }, { type: "note-git", directories });
}

function wantsBranches(state: State): boolean {
	const box = layoutFor(state).list;
	if (box === undefined) return false;
	return orderInUse(state).sort === "git" || listColumns(state, box.width).some(({ column }) => column === "git");
}

const unknownDirectories = memoLast(
	(rows: State["catalog"]["rows"], requested: State["places"]["requested"]): readonly string[] => {
		const unknown = new Set<string>();
		for (const { cwd } of rows.values()) if (cwd !== "" && requested?.has(cwd) !== true) unknown.add(cwd);
		return [...unknown];
	},
);
