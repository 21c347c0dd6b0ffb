import type { SessionRow } from "../../catalog/model/row.ts";
import { NO_QUERY } from "../../catalog/query/parse-query.ts";
import { editedText } from "../../ui/field/edit.ts";
import { scrollTo } from "../../ui/page/page-rows.ts";
import { MEMORY, viewKey } from "../features/memory/memory-state.ts";
import { reconcileRows } from "../world/list/catalog-rows.ts";
import { selectVisiblePaths } from "../world/list/list-view.ts";
import { reconcileStage } from "../world/list/marked.ts";
import { selectedRow } from "../world/list/select-list.ts";
import { selectedTreeIndex, selectTree } from "../world/opened/select-tree.ts";
import { type ReconcileStep, STAGES, type Stage } from "../world/page/page.ts";
import { forgetFound } from "../world/page/page-find.ts";
import { arrive, reconcileDirect, reconcileWaysBack } from "../world/page/way-back.ts";
import { layoutFor } from "../world/screen/layout.ts";
import { isOpenInHost } from "../world/state/catalog-state.ts";
import { NO_BRANCHES, type TreeState, withoutPlace } from "../world/state/opened-state.ts";
import { asTransition, chain, type State, type Transition, transition } from "../world/state/state.ts";
import { pagePreview, reconcilePages, stepsIn } from "./features/features.ts";
import { reconcileFilter } from "./input/keyboard.ts";

/** The steps that belong to no feature; in each stage they come first. */
const WORLD: Readonly<Partial<Record<Stage, readonly ReconcileStep[]>>> = {
	search: [reconcileFilter, reconcileWaysBack, forgetFound, reconcileStage],
	list: [reconcileRows],
	session: [openSession],
	panes: [arrive, reconcileDirect],
	facts: [reconcileTree, watchVisible],
	pages: [reconcilePages],
};

const ALL_STEPS: readonly ReconcileStep[] = STAGES.flatMap((stage) => [...(WORLD[stage] ?? []), ...stepsIn(stage)]);

/**
 * Makes a state consistent after any action: cursors are on rows that exist, viewports show them, and the tree shows the
 * session under the cursor. `update` ends with it, so no other code has to ensure this. `at`: the present time, Unix ms.
 */
export function reconcile(state: State, at: number): Transition {
	return ALL_STEPS.reduce((before, step) => chain(before, (now) => asTransition(step(now, at))), transition(state));
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

function watchVisible(state: State): Transition {
	const paths = selectVisiblePaths(state);
	const lastPaths = state.visiblePaths;
	if (paths.length === lastPaths.length && paths.every((path, index) => path === lastPaths[index]))
		return transition(state);
	const watched = state.watched + 1;
	return transition({ ...state, visiblePaths: paths, watched }, { type: "watch-visible", paths, watched });
}

const NOTHING_DRAWN = { tree: undefined, reader: undefined, branches: undefined };

/** Requests the session under the cursor if the tree is drawn and shows another one, or an older state of this one. */
function openSession(state: State): Transition {
	const { detail } = state;
	const preview = pagePreview(state);
	const row = preview ? preview.row : selectedRow(state);
	if (row === undefined)
		return transition(detail.status === "none" || isListed(state) ? state : switchTo(state, { status: "none" }));
	const same = detail.status !== "none" && detail.row.path === row.path;
	const { tree, reader, branches } = preview ? { ...NOTHING_DRAWN, tree: preview.box } : layoutFor(state);
	if (tree === undefined && reader === undefined && branches === undefined) {
		// Nothing is read for a tree that is not drawn, and keys must not act on an entry of another session.
		return transition(same || detail.status === "none" ? state : switchTo(state, { status: "none" }));
	}
	// One request at a time: if a file is written faster than it can be read, each request would abort the previous one.
	if (same && (detail.status === "loading" || isCurrent(detail.row, row))) return transition(state);
	const request = state.request + 1;
	const lastSession = same ? detail.session : undefined;
	const loading: State["detail"] = { status: "loading", row, session: lastSession };
	const next = same ? { ...state, detail: loading } : switchTo(state, loading);
	return transition({ ...next, request }, { type: "read-session", request, path: row.path, before: lastSession });
}

/** Whether the open session is the one under the list's cursor: it stays open behind a page that shows none. */
function isListed(state: State): boolean {
	return state.detail.status !== "none" && state.detail.row.path === selectedRow(state)?.path;
}

function isCurrent(read: SessionRow, row: SessionRow): boolean {
	return read.size === row.size && read.modified.getTime() === row.modified.getTime();
}

/** Switches to another session, remembering the entry under the cursor of the previous one. */
function switchTo(state: State, detail: State["detail"]): State {
	const savedCursors = new Map(state.tree.savedCursors);
	const { selected: before, hits } = state.tree;
	// A hit that the search went to is not where the person left the session.
	if (state.detail.status !== "none" && (before === undefined || before !== hits?.shown || state.focus !== "list"))
		savedCursors.set(state.detail.row.path, before);
	const remembered = detail.status === "none" ? undefined : MEMORY.of(state).views.get(viewKey(detail.row));
	const isSaved = detail.status !== "none" && savedCursors.has(detail.row.path);
	// pi may have gone on from there since.
	const isOpenInPi = detail.status !== "none" && isOpenInHost(state, detail.row.path);
	const selected = isSaved ? savedCursors.get(detail.row.path) : isOpenInPi ? undefined : remembered?.selected;
	const { returning } = state.tree;
	const view = detail.status !== "none" && returning?.path === detail.row.path ? returning.view : undefined;
	// A filter typed for one session would silently hide entries of the next.
	const query = editedText("");
	const fresh: Partial<TreeState> = {
		query,
		parsed: NO_QUERY,
		mistake: undefined,
		selected,
		top: 0,
		pinned: undefined,
		hits: undefined,
		opened: remembered?.opened ?? new Set<string>(),
		folded: new Set<string>(),
		filter: remembered?.filter ?? MEMORY.of(state).filter,
		savedCursors,
		...view?.tree,
		returning: undefined,
		isReturned: view !== undefined && state.list.query.text !== "",
	};
	const reader = { ...withoutPlace(state.reader), ...view?.reader };
	const branches = {
		...NO_BRANCHES,
		sort: state.branches.sort,
		from: state.branches.from,
		fromZoom: state.branches.fromZoom,
	};
	return { ...state, detail, reader, tree: { ...state.tree, ...fresh }, branches };
}
