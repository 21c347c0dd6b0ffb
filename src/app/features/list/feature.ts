import { isSession } from "../../../catalog/model/row.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { scrollTo } from "../../../ui/page/page-rows.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { familiesOf, headOf, pathsAbove } from "../../world/list/families.ts";
import { headingKey, indexOfKey, isHeading, isSelectable, keyOf, selectableAt } from "../../world/list/headings.ts";
import { toggleFold } from "../../world/list/list-actions.ts";
import { LIST_SEARCH, searchOf } from "../../world/list/list-search.ts";
import { listCapacity, rowHeight } from "../../world/list/list-view.ts";
import { isListAnswered, isListCurrent, type SessionList, selectList } from "../../world/list/select-list.ts";
import type { Feature } from "../../world/page/page.ts";
import { type State, say } from "../../world/state/state.ts";
import { BRANCHES_OF_DIRECTORIES, REPOSITORY } from "./git-facts.ts";
import { applySavedFile, reconcileSaved } from "./saved-queries.ts";

export const LIST: Feature = {
	on: {
		saved: (state, { read }) => applySavedFile(state, read),
	},
	steps: {
		search: [reconcileSaved, LIST_SEARCH],
		list: [reconcileList],
		facts: [REPOSITORY, BRANCHES_OF_DIRECTORIES],
	},
};

/** Puts the cursor on an existing row and scrolls to it. `at`: current time, Unix ms. */
function reconcileList(state: State, at: number): State {
	return followSession(recordSeen(placeCursor(state), at));
}

/** Records when the row under the cursor came into view. */
function recordSeen(state: State, at: number): State {
	const { seen, selected: path } = state.list;
	const { query } = searchOf(state);
	if (seen.path === path && seen.query === query) return state;
	return { ...state, list: { ...state.list, seen: { path, query, since: at } } };
}

/** Once results are complete, the cursor stays on its session wherever that moves. */
function followSession(state: State): State {
	if (state.list.cursorSet || state.list.selected === undefined || !isListAnswered(state)) return state;
	return { ...state, list: { ...state.list, cursorSet: true } };
}

function placeCursor(state: State): State {
	const list = selectList(state);
	const { pendingSelection, opensPending, cursorSet } = state.list;
	const hiding = pendingSelection === undefined ? undefined : foldHiding(state, list, pendingSelection);
	if (hiding !== undefined) return placeCursor(toggleFold(state, hiding));
	const folded = pendingSelection === undefined ? [] : foldedAbove(state, pendingSelection);
	if (folded.length > 0) {
		const unfolded = state.list.unfolded.union(new Set(folded));
		return placeCursor({ ...state, list: { ...state.list, unfolded } });
	}
	const pending = pendingSelection === undefined ? undefined : indexOfKey(list.items, pendingSelection);
	if (pending !== undefined) {
		const placed = { ...state.list, pendingSelection: undefined, opensPending: false, cursorSet: true };
		const focus = opensPending ? "tree" : state.focus;
		return moveCursor({ ...state, focus, list: placed }, list, pending);
	}
	if (opensPending && (pendingSelection === undefined || state.catalog.complete)) return giveUp(state);
	// It exists but a filter hides it: the cursor must not jump to it once the filter is cleared.
	if (pendingSelection !== undefined && state.catalog.rows.has(pendingSelection) && isListAnswered(state))
		return placeCursor({ ...state, list: { ...state.list, pendingSelection: undefined } });
	const at = indexOfSelected(state, list);
	if (at === undefined)
		return moveCursor(state, list, cursorSet ? Math.min(state.list.index, list.items.length - 1) : firstIn(list));
	// Until the results for the typed query arrive, list and cursor stay as they are.
	return moveCursor(state, list, cursorSet || !isListCurrent(state) ? at : firstIn(list));
}

/** Rows checked for the first session at every event: a directory may hold 50,000 files that are not sessions. */
const ROWS_CHECKED = 200;

/** Where the cursor starts: at the first session, or the first run if only that was found. */
function firstIn({ items, unmatched }: SessionList): number {
	const first = items
		.slice(0, ROWS_CHECKED)
		.findIndex((item) => (isHeading(item) ? isSelectable(item) : isSession(item.row) && !unmatched.has(item.row.path)));
	return Math.max(0, first);
}

/** Index of the session under the cursor, of the one that its run is folded to, or of the heading of its folded project. */
function indexOfSelected({ list: { selected, index }, catalog }: State, { items }: SessionList): number | undefined {
	if (selected === undefined) return undefined;
	const row = catalog.rows.get(selected);
	const at = indexOfKey(items, selected, index);
	if (at !== undefined || row === undefined) return at;
	const families = familiesOf(catalog.rows);
	for (let parent = families.parents.get(row); parent !== undefined; parent = families.parents.get(parent)) {
		const above = indexOfKey(items, parent.path);
		if (above !== undefined) return above;
	}
	return indexOfKey(items, headingKey(headOf(row, families).cwd));
}

/** The sessions whose runs must be shown, so that a run is listed. */
function foldedAbove({ catalog, list }: State, path: string): readonly string[] {
	const run = catalog.rows.get(path);
	if (run === undefined) return [];
	return pathsAbove(run, familiesOf(catalog.rows)).filter((parent) => !list.unfolded.has(parent));
}

/** Directory of the folded project that hides a session; undefined if folding is not what hides it. */
function foldHiding({ catalog }: State, { rows, byProject, items }: SessionList, path: string): string | undefined {
	const row = catalog.rows.get(path);
	if (row === undefined || !byProject || indexOfKey(items, path) !== undefined) return undefined;
	if (!rows.some((threaded) => threaded.row === row)) return undefined;
	return projectKey(headOf(row, familiesOf(catalog.rows)).cwd);
}

/** Stops waiting for the session to open: it is not listed, or the cursor was moved meanwhile. */
function giveUp(state: State): State {
	const { pendingSelection } = state.list;
	const next = { ...state, list: { ...state.list, pendingSelection: undefined, opensPending: false } };
	if (pendingSelection === undefined) return next;
	const path = shortenHome(pendingSelection, state.environment.home);
	return say(next, `The session is not listed: ${path}`, "warning");
}

function moveCursor(state: State, list: SessionList, wanted: number): State {
	// Below an unfolded heading there is always a session.
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
