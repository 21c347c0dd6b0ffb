import { isSession, type SessionRow } from "../../catalog/model/row.ts";
import { asksForText, lastQuery, NO_QUERY, parseQuery } from "../../catalog/query/parse-query.ts";
import { editedText } from "../../ui/field/edit.ts";
import { scrollTo } from "../../ui/page/scroll-to.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { reconcileBranches } from "../features/branches/reconcile-branches.ts";
import { reconcileCheck } from "../features/glance/reconcile-check.ts";
import { reconcileGlance } from "../features/glance/reconcile-glance.ts";
import { headingKey, isHeading, isSelectable, keyOf, selectableAt } from "../features/list/headings.ts";
import { toggleFold } from "../features/list/list-actions.ts";
import type { SearchState } from "../features/list/list-state.ts";
import { listCapacity, rowHeight } from "../features/list/list-view.ts";
import { reconcileNearest } from "../features/list/nearest.ts";
import { reconcileSaved } from "../features/list/saved-actions.ts";
import { homeStart, type SessionList, selectedRow, selectList } from "../features/list/select-list.ts";
import { reconcileStage } from "../features/list/stage.ts";
import { selectVisiblePaths } from "../features/list/visible-paths.ts";
import { rememberChanges } from "../features/memory/remember.ts";
import { viewKey } from "../features/memory/session-view.ts";
import { reconcileGoing } from "../features/prompts/go-to-use.ts";
import { reconcileReader } from "../features/reader/reconcile-reader.ts";
import { reconcileHits } from "../features/reader/search-results.ts";
import { typedIn } from "../features/saved/select-saved.ts";
import { type Drawing, growDrawing, hasOnlyGrown, sameInput } from "../features/tree/draw-tree.ts";
import { selectedTreeIndex, selectTree, treeInput } from "../features/tree/select-tree.ts";
import type { TreeDrawing, TreeState } from "../features/tree/tree-state.ts";
import { isLarge } from "../world/large-session.ts";
import { layoutFor } from "../world/layout.ts";
import { withoutPlace } from "../world/reader-place.ts";
import { shownSession } from "../world/shown-session.ts";
import type { State } from "../world/state.ts";
import { say, type Transition, transition } from "../world/transition.ts";
import { NO_BRANCHES, NO_SEARCH } from "./initial-state.ts";
import { isListAnswered, isListCurrent } from "./is-answered.ts";
import { pagePreview, reconcilePages } from "./pages/pages.ts";
import { reconcilePlaces } from "./reconcile-places.ts";

/**
 * Makes a state consistent after any action: cursors are on rows that exist, viewports show them, and the session under
 * the cursor is the one that is read for the tree. `update` ends with it, so no other code has to ensure this. `at`: the
 * present time, Unix ms.
 */
export function reconcile(state: State, at: number): Transition {
	const [searching, search] = reconcileSearch(reconcileStage(reconcileSaved(state)));
	const [listed, propose] = reconcileNearest(reconcileList(searching, at));
	const [detail, read] = open(listed);
	const [found, hits] = reconcileHits(detail);
	const [drawing, draw] = reconcileDrawing(reconcileGoing(found));
	const [branches, gather] = reconcileBranches(drawing);
	const [reading, look] = reconcileReader(branches);
	const [checking, check] = reconcileCheck(reconcileTree(reading));
	const [glance, lookUp] = reconcileGlance(checking);
	const [placed, places] = reconcilePlaces(glance);
	const [watching, watch] = watchVisible(placed);
	const [paged, pages] = reconcilePages(watching);
	const [remembering, remember] = rememberChanges(paged);
	const effects = [
		...search,
		...propose,
		...read,
		...hits,
		...draw,
		...gather,
		...look,
		...check,
		...lookUp,
		...places,
		...watch,
		...pages,
		...remember,
	];
	return [remembering, effects];
}

/** Reports the sessions in sight when they have changed. */
function watchVisible(state: State): Transition {
	const paths = selectVisiblePaths(state);
	const known = state.visiblePaths;
	if (paths.length === known.length && paths.every((path, index) => path === known[index])) return transition(state);
	const watched = state.watched + 1;
	return transition({ ...state, visiblePaths: paths, watched }, { type: "watch-visible", paths, watched });
}

/** Starts a search when the typed query is not the one that was requested last. */
function reconcileSearch(state: State): Transition {
	const { search } = state.list;
	const text = typedIn(state).query;
	if (text === (search.mistake?.text ?? search.requested.text)) return transition(state);
	const withSearch = (next: SearchState): State => ({ ...state, list: { ...state.list, search: next } });
	if (text === search.requested.text) return transition(withSearch({ ...search, mistake: undefined }));
	const request = search.request + 1;
	const parsed = parseQuery(text);
	const mistake = "error" in parsed ? { text, message: parsed.error } : undefined;
	// What is typed may only be half of the next query.
	const query = "error" in parsed ? lastQuery(search.requested, text) : parsed.query;
	if (query === search.requested) return transition(withSearch({ ...search, mistake }));
	// Without words to search for, the rows alone give the answer.
	const next: SearchState = asksForText(query) ? search : { ...NO_SEARCH, query };
	return transition(withSearch({ ...next, requested: query, mistake, request }), { type: "search", request, query });
}

function reconcileList(state: State, at: number): State {
	return followSession(seeRow(placeCursor(state), at));
}

/** Notes since when the row under the cursor has been in sight. */
function seeRow(state: State, at: number): State {
	const { seen, selected: path, search } = state.list;
	if (seen.path === path && seen.query === search.query) return state;
	return { ...state, list: { ...state.list, seen: { path, query: search.query, since: at } } };
}

/** When the answer is complete, the cursor stays on its session, whatever happens to others. */
function followSession(state: State): State {
	if (state.list.cursorSet || state.list.selected === undefined || !isListAnswered(state)) return state;
	return { ...state, list: { ...state.list, cursorSet: true } };
}

function placeCursor(state: State): State {
	const list = selectList(state);
	const { pendingSelection, opensPending, cursorSet } = state.list;
	const hiding = pendingSelection === undefined ? undefined : foldThatHides(state, list, pendingSelection);
	if (hiding !== undefined) return placeCursor(toggleFold(state, hiding));
	if (pendingSelection !== undefined && list.itemIndexes.has(pendingSelection)) {
		const placed = { ...state.list, pendingSelection: undefined, opensPending: false, cursorSet: true };
		const focus = opensPending ? "tree" : state.focus;
		return moveCursor({ ...state, focus, list: placed }, list, list.itemIndexes.get(pendingSelection) ?? 0);
	}
	if (opensPending && (pendingSelection === undefined || state.catalog.complete)) return giveUp(state);
	// It is there, and a filter hides it: the cursor must not jump there when that filter is gone.
	if (pendingSelection !== undefined && state.catalog.rows.has(pendingSelection) && isListAnswered(state))
		return placeCursor({ ...state, list: { ...state.list, pendingSelection: undefined } });
	const at = indexOfSelected(state, list);
	if (at === undefined)
		return moveCursor(
			state,
			list,
			cursorSet ? Math.min(state.list.index, list.items.length - 1) : firstIn(state, list),
		);
	// Until the results of what is typed are there, the list and its cursor stay as they are.
	return moveCursor(state, list, cursorSet || !isListCurrent(state) ? at : firstIn(state, list));
}

/** Where the cursor begins: on the first session, or, where there are sections, on that with which the person goes on. */
function firstIn(state: State, { items, itemIndexes }: SessionList): number {
	const begin = homeStart(state);
	const start = begin === undefined ? undefined : itemIndexes.get(begin);
	const first = items.findIndex((item) => (isHeading(item) ? isSelectable(item) : isSession(item.row)));
	return start ?? Math.max(0, first);
}

/** Where the cursor's session is, or the heading of its project where that is folded. */
function indexOfSelected(
	{ list: { selected, index }, catalog }: State,
	{ itemIndexes: indexes }: SessionList,
): number | undefined {
	if (selected === undefined) return undefined;
	const row = catalog.rows.get(selected);
	return indexes.get(selected, index) ?? (row && indexes.get(headingKey(row.cwd)));
}

/** The directory of the folded project in which a session is that the list would show. */
function foldThatHides(
	{ catalog }: State,
	{ rows, byProject, itemIndexes: indexes }: SessionList,
	path: string,
): string | undefined {
	const row = catalog.rows.get(path);
	if (row === undefined || !byProject || indexes.has(path)) return undefined;
	return rows.some((threaded) => threaded.row === row) ? row.cwd : undefined;
}

/** The session that was to be opened is not listed, or the person has gone elsewhere. */
function giveUp(state: State): State {
	const { pendingSelection } = state.list;
	const next = { ...state, list: { ...state.list, pendingSelection: undefined, opensPending: false } };
	if (pendingSelection === undefined) return next;
	const path = shortenHome(pendingSelection, state.environment.home);
	return say(next, `The session is not listed: ${path}`, "warning");
}

function moveCursor(state: State, list: SessionList, wanted: number): State {
	// Below a heading that is open there is a session of it.
	const index = selectableAt(list.items, Math.max(0, wanted), 1);
	const height = listCapacity(state);
	const item = list.items[index];
	const selected = item && keyOf(item);
	const { list: before } = state;
	const { keptRow } = before;
	const wantedTop = keptRow === undefined ? before.top : Math.max(0, index - Math.floor(keptRow / rowHeight(state)));
	const top = height === 0 ? before.top : scrollTo(wantedTop, index, height, list.items.length);
	if (before.selected === selected && before.index === index && before.top === top && keptRow === undefined)
		return state;
	return { ...state, list: { ...before, selected, index, top, keptRow: undefined } };
}

const NOTHING_DRAWN = { tree: undefined, reader: undefined, branches: undefined };

/** Has the session under the cursor read if the tree is drawn and shows another one, or this one as it was before. */
function open(state: State): Transition {
	const { detail } = state;
	const preview = pagePreview(state);
	const row = preview ? preview.row : selectedRow(state);
	if (row === undefined)
		return transition(detail.status === "none" || isListed(state) ? state : turnTo(state, { status: "none" }));
	const same = detail.status !== "none" && detail.row.path === row.path;
	const { tree, reader, branches } = preview ? { ...NOTHING_DRAWN, tree: preview.box } : layoutFor(state);
	if (tree === undefined && reader === undefined && branches === undefined) {
		// Nothing is read for a tree that is not drawn, and no key may take an entry of another session for one of this.
		return transition(same || detail.status === "none" ? state : turnTo(state, { status: "none" }));
	}
	// One reading at a time: of a file that is written faster than it can be read each one would end that before it.
	if (same && (detail.status === "loading" || isCurrent(detail.row, row))) return transition(state);
	const request = state.request + 1;
	const before = same ? shownSession(detail) : undefined;
	const loading: State["detail"] = { status: "loading", row, session: before };
	const next = same ? { ...state, detail: loading } : turnTo(state, loading);
	return transition({ ...next, request }, { type: "read-session", request, path: row.path, before });
}

/** Whether the opened session is the one to which the list comes back: it is not read anew for a page that shows none. */
function isListed(state: State): boolean {
	return state.detail.status !== "none" && state.detail.row.path === selectedRow(state)?.path;
}

function isCurrent(read: SessionRow, row: SessionRow): boolean {
	return read.size === row.size && read.modified.getTime() === row.modified.getTime();
}

/** Changes the opened session; the cursor's entry in the one before is stored. */
function turnTo(state: State, detail: State["detail"]): State {
	const savedCursors = new Map(state.tree.savedCursors);
	if (state.detail.status !== "none") savedCursors.set(state.detail.row.path, state.tree.selected);
	const remembered = detail.status === "none" ? undefined : state.memory.views.get(viewKey(detail.row));
	const isSaved = detail.status !== "none" && savedCursors.has(detail.row.path);
	const selected = isSaved ? savedCursors.get(detail.row.path) : remembered?.selected;
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
		filter: remembered?.filter ?? state.memory.filter,
		savedCursors,
	};
	const reader = withoutPlace(state.reader);
	const branches = {
		...NO_BRANCHES,
		sort: state.branches.sort,
		from: state.branches.from,
		fromZoom: state.branches.fromZoom,
	};
	return { ...state, detail, reader, tree: { ...state.tree, ...fresh }, branches };
}

/** Has the tree of a large session drawn outside of `update`, unless it is drawn, or being drawn, as it should be. */
function reconcileDrawing(state: State): Transition {
	const session = shownSession(state.detail);
	const { drawing } = state.tree;
	const withDrawing = (next: TreeDrawing | undefined): State => ({ ...state, tree: { ...state.tree, drawing: next } });
	if (session === undefined || !isLarge(session, state.tree.parsed))
		return transition(drawing === undefined ? state : withDrawing(undefined));
	const wanted = treeInput(state, session);
	const drawn = drawing?.drawn?.input.session.path === session.path ? drawing.drawn : undefined;
	// An entry that is shown anyway need not be drawn anew to be pinned.
	const isPinned = wanted.pinned === undefined || (drawn !== undefined && hasRow(drawn, wanted.pinned));
	const input = drawn && isPinned ? { ...wanted, pinned: drawn.input.pinned } : wanted;
	if (drawing && sameInput(drawing.input, input)) return transition(state);
	const isBeingDrawn = drawing !== undefined && (drawing.drawn?.input !== drawing.input || !drawing.drawn.isComplete);
	// What is appended meanwhile is added when the rest is drawn: else that would never end.
	if (isBeingDrawn && hasOnlyGrown(drawing.input, input)) return transition(state);
	const grown = growDrawing(drawn, input);
	if (grown) return transition(withDrawing({ input, drawn: grown }));
	const near = state.tree.selected ?? session.tree.leafId ?? undefined;
	return transition(withDrawing({ input, drawn }), { type: "draw-tree", input, before: drawn, near });
}

/** Whether an entry has a row of its own: that of a folded branch stands for all that is in it. */
function hasRow({ tree: { rows } }: Drawing, id: string): boolean {
	const kind = rows.kindAt(rows.indexOf(id));
	return kind === "entry" || kind === "opened";
}

function reconcileTree(state: State): State {
	const tree = selectTree(state);
	const preview = pagePreview(state);
	const box = preview ? preview.row && preview.box : layoutFor(state).tree;
	if (tree === undefined || box === undefined) return state;
	const top = scrollTo(state.tree.top, selectedTreeIndex(state, tree), box.height, tree.rows.length);
	return top === state.tree.top ? state : { ...state, tree: { ...state.tree, top } };
}
