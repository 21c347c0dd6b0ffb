import { isSession } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { projectKey } from "../../../shared/paths.ts";
import { indexOfKey, nearestRow, type PageCursor } from "../../../ui/page/page-rows.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { familiesOf, pathsAbove } from "../../world/list/families.ts";
import { headingKey, isHeading, type ListItem } from "../../world/list/headings.ts";
import { showSession, toggleFold } from "../../world/list/list-actions.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { rowHeight, sessionsBox } from "../../world/list/list-view.ts";
import { isListAnswered, isListCurrent, type SessionList, selectList } from "../../world/list/select-list.ts";
import { defineRows } from "../../world/page/define-rows.ts";
import { type State, say } from "../../world/state/state.ts";
import { drawItem, positionOf, wholeItem, withTitle } from "./list-pane.ts";
import { whyListIsEmpty } from "./nothing-found.ts";

/** The list of sessions. Marks belong to sessions: they survive other queries, scopes and orders. */
export const SESSIONS = defineRows<ListItem>({
	slice: {
		of: ({ list: { selected, index, top } }) => ({ cursor: { selected, index, top } }),
		with: (state, { cursor }) => ({ ...state, list: { ...state.list, ...cursor } }),
	},
	title: "sessions",
	box: sessionsBox,
	rowHeight,
	rows: (state) => selectList(state).items,
	start,
	moved(next) {
		const { list } = next;
		// After moving the cursor to a row, the person means that row, however soon the next key comes.
		const seenRow = { path: list.selected, query: searchOf(next).query, since: 0 };
		return { ...next, list: { ...list, seen: seenRow, cursorSet: true, pendingSelection: undefined } };
	},
	draw: drawItem,
	whole: wholeItem,
	notes: () => [],
	position: positionOf,
	nothing: (state) => [whyListIsEmpty(state, selectList(state).total)],
	decorate: withTitle,
	marking: {
		of: ({ list }) => list,
		withMarks: (state, { marked }) => ({ ...state, list: { ...state.list, marked } }),
		marksOf,
		// Without sessions that are only listed for the runs below them: the query has not found them.
		all(state) {
			const { items, unmatched } = selectList(state);
			return items.flatMap((item) => (isHeading(item) || unmatched.has(item.key) ? [] : [item.key]));
		},
		what: ["session", "sessions"],
	},
});

/** Paths of a session, or of all in a folded project. */
function marksOf(state: State, key: string): readonly string[] {
	const { items, rows } = selectList(state);
	const item = items[indexOfKey(items, key, state.list.index)];
	if (!isHeading(item)) return [key];
	const families = familiesOf(state.catalog.rows);
	return rows.flatMap(({ row }) => (projectKey(headOf(row, families).cwd) === item.heading ? [row.path] : []));
}

/** Puts the cursor on an existing row and scrolls to it. `at`: current time, Unix ms. */
export function reconcileList(state: State, at: number): State {
	return followSession(recordSeen(withoutKeptRow(SESSIONS.place(showPending(state))), at));
}

function withoutKeptRow(state: State): State {
	return state.list.keptRow === undefined ? state : { ...state, list: { ...state.list, keptRow: undefined } };
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
	return { ...state, list: { ...state.list, cursorSet: true, startsAt: undefined } };
}

/** Takes the cursor to the session that waits for it, once that is listed, unfolding what hides it. */
function showPending(state: State): State {
	const { pendingSelection: path, opensPending, unfolded } = state.list;
	if (path === undefined) return opensPending ? giveUp(state) : state;
	const list = selectList(state);
	const hiding = foldHiding(state, list, path);
	if (hiding !== undefined) return showPending(toggleFold(state, hiding));
	const folded = foldedAbove(state, path);
	if (folded.length > 0)
		return showPending({ ...state, list: { ...state.list, unfolded: unfolded.union(new Set(folded)) } });
	const arrived = { pendingSelection: undefined, opensPending: false };
	// Until the first results for another query, the list is that of the one before.
	if (indexOfKey(list.items, path) !== -1 && isListCurrent(state)) {
		const focus = opensPending ? "tree" : state.focus;
		return { ...state, focus, list: { ...state.list, ...arrived, selected: path, cursorSet: true } };
	}
	if (opensPending && state.catalog.complete) return giveUp(state);
	if (!state.catalog.rows.has(path) || !isListAnswered(state)) return state;
	const { focus, arrival } = state;
	// A new session made from another one, which its tree takes the place of.
	if (arrival?.path === path && focus !== "list") return showPending({ ...showSession(state, path), focus });
	// The session exists but a filter hides it: the cursor must not jump there once the filter is cleared.
	return { ...state, list: { ...state.list, ...arrived } };
}

/** Where the cursor is before it is scrolled to: on its session, or on the first one until a key has moved it. */
function start(state: State, items: readonly ListItem[]): PageCursor {
	const { cursorSet, index, top, keptRow } = state.list;
	const list = selectList(state);
	const at = indexOfSelected(state, list);
	// Until the results for the typed query arrive, list and cursor stay as they are.
	const isKept = cursorSet || (at !== -1 && !isListCurrent(state));
	const near = !isKept ? firstIn(list, state) : at === -1 ? Math.min(index, items.length - 1) : at;
	// Below an unfolded heading there is always a session.
	const row = Math.max(0, nearestRow(items, Math.max(0, near), 1));
	const keptTop = keptRow === undefined ? top : Math.max(0, row - Math.floor(keptRow / rowHeight(state)));
	return { selected: items[row]?.key, index: row, top: keptTop };
}

/** Rows checked for the first session at every event: a directory may hold 50,000 files that are not sessions. */
const ROWS_CHECKED = 200;

/** Where the cursor starts: at the session opened last, the first session, or the first run if only that was found. */
function firstIn({ items, unmatched }: SessionList, { list: { startsAt, query } }: State): number {
	const last = startsAt === undefined || query.text !== "" ? -1 : indexOfKey(items, startsAt);
	if (last !== -1) return last;
	const first = items
		.slice(0, ROWS_CHECKED)
		.findIndex((item) => (isHeading(item) ? item.isFolded : isSession(item.row) && !unmatched.has(item.key)));
	return Math.max(0, first);
}

/** Index of the session under the cursor, of the one that its run is folded to, or of the heading of its folded project; or -1. */
function indexOfSelected({ list: { selected, index }, catalog }: State, { items }: SessionList): number {
	if (selected === undefined) return -1;
	const row = catalog.rows.get(selected);
	const at = indexOfKey(items, selected, index);
	if (at !== -1 || row === undefined) return at;
	const families = familiesOf(catalog.rows);
	for (const above of pathsAbove(row, families)) {
		const aboveAt = indexOfKey(items, above);
		if (aboveAt !== -1) return aboveAt;
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
	if (row === undefined || !byProject || indexOfKey(items, path) !== -1) return undefined;
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
