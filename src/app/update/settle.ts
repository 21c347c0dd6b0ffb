import type { SessionRow } from "../../catalog/model/row.ts";
import { NO_QUERY, parseQuery, type Query } from "../../catalog/query/parse-query.ts";
import { listCapacity } from "../list/list-view.ts";
import { type SessionList, selectedRow, selectList } from "../list/select-list.ts";
import { NO_SEARCH } from "../model/initial-state.ts";
import { inner, layoutFor } from "../model/layout.ts";
import type { SearchState, State } from "../model/state.ts";
import { editedText } from "../text/edit.ts";
import { entryRows } from "../tree/entry-rows.ts";
import { isLarge, selectedEntry, selectedTreeIndex, selectTree, shownSession } from "../tree/select-tree.ts";
import { settleFound } from "./found.ts";
import { type Step, step } from "./step.ts";

/** Rows kept in sight above and below a cursor, where there is room. */
const MARGIN = 2;

/**
 * Makes a state whole after any action: the cursors stand on rows that exist, the viewports hold them, and the session
 * under the cursor is the one that is read for the tree. `update` ends with it, so no other place has to care.
 */
export function settle(state: State): Step {
	const [searching, search] = settleSearch(state);
	const [opened, read] = open(settleList(searching));
	const [found, hits] = settleFound(opened);
	const [filtering, filter] = settleFilter(found);
	return [settleEntry(settleTree(filtering)), [...search, ...read, ...hits, ...filter]];
}

/** Has the query searched for when it is not the one that was asked for last. */
function settleSearch(state: State): Step {
	const { search } = state.list;
	const text = state.list.query.text.trim();
	if (text === search.asked.text) return step(state);
	const request = search.request + 1;
	const asking = (next: SearchState, query: Query): Step =>
		step({ ...state, list: { ...state.list, search: { ...next, request } } }, { type: "search", request, query });
	const parsed = parseQuery(text);
	if ("error" in parsed) {
		const unread = { ...NO_QUERY, text };
		return asking({ ...NO_SEARCH, asked: unread, query: unread, mistake: parsed.error }, NO_QUERY);
	}
	const { query } = parsed;
	// Without words the rows tell all, and at once.
	if (query.terms.length === 0) return asking({ ...NO_SEARCH, asked: query, query }, query);
	return asking({ ...search, asked: query, mistake: undefined }, query);
}

function settleList(state: State): State {
	const list = selectList(state);
	const { awaited, touched } = state.list;
	if (awaited !== undefined && list.indexes.has(awaited)) {
		return place(
			{ ...state, list: { ...state.list, awaited: undefined, touched: true } },
			list,
			list.indexes.get(awaited) ?? 0,
		);
	}
	const at = state.list.selected === undefined ? undefined : list.indexes.get(state.list.selected);
	if (at === undefined) return place(state, list, touched ? Math.min(state.list.index, list.rows.length - 1) : 0);
	return place(state, list, touched ? at : 0);
}

function place(state: State, list: SessionList, wanted: number): State {
	const index = Math.max(0, wanted);
	const height = listCapacity(state);
	const selected = list.rows[index]?.row.path;
	const top = height === 0 ? state.list.top : scrollTo(state.list.top, index, height, list.rows.length);
	const { list: before } = state;
	if (before.selected === selected && before.index === index && before.top === top) return state;
	return { ...state, list: { ...before, selected, index, top } };
}

/** Has the session under the cursor read, if the tree can be seen and shows another one or an older reading of it. */
function open(state: State): Step {
	const { opened } = state;
	const row = selectedRow(state);
	if (row === undefined) return step(opened.status === "none" ? state : turnTo(state, { status: "none" }));
	const same = opened.status !== "none" && opened.row.path === row.path;
	if (layoutFor(state.size, state.focus).tree === undefined) {
		// Nothing is read for a tree that is not drawn, and no command may take an entry of another session for this one's.
		return step(same || opened.status === "none" ? state : turnTo(state, { status: "none" }));
	}
	if (same && isCurrent(opened.row, row)) return step(state);
	const request = state.request + 1;
	const loading: State["opened"] = { status: "loading", row, session: same ? shownSession(opened) : undefined };
	const next = same ? { ...state, opened: loading } : turnTo(state, loading);
	return step({ ...next, request }, { type: "read-session", request, path: row.path });
}

function isCurrent(read: SessionRow, row: SessionRow): boolean {
	return read.size === row.size && read.modified.getTime() === row.modified.getTime();
}

/** Changes the opened session, keeping where the cursor was in the one before. */
function turnTo(state: State, opened: State["opened"]): State {
	const left = new Map(state.tree.left);
	if (state.opened.status !== "none") left.set(state.opened.row.path, state.tree.selected);
	const selected = opened.status === "none" ? undefined : left.get(opened.row.path);
	// A filter typed for one session would silently hide entries of the next.
	const query = editedText("");
	const parsed = { query: NO_QUERY };
	const fresh = {
		query,
		parsed,
		selected,
		top: 0,
		pinned: undefined,
		hits: undefined,
		folded: new Set<string>(),
		left,
	};
	return { ...state, opened, entryTop: 0, tree: { ...state.tree, ...fresh } };
}

/** Has a large session filtered outside, when it is not the one, or not the filter, that this was asked for last. */
function settleFilter(state: State): Step {
	const session = shownSession(state.opened);
	const { parsed, matches } = state.tree;
	if (session === undefined || "error" in parsed || parsed.query.terms.length === 0 || !isLarge(session))
		return step(state);
	const { query } = parsed;
	if (matches?.session === session && matches.query === query) return step(state);
	const ids = matches?.session.path === session.path ? matches.ids : undefined;
	const asked = { ...state, tree: { ...state.tree, matches: { session, query, ids, isComplete: false } } };
	return step(asked, { type: "filter-tree", session, query });
}

function settleTree(state: State): State {
	const tree = selectTree(state);
	const box = layoutFor(state.size, state.focus).tree;
	if (tree === undefined || box === undefined) return state;
	const top = scrollTo(state.tree.top, selectedTreeIndex(state, tree), inner(box).height, tree.rows.length);
	return top === state.tree.top ? state : { ...state, tree: { ...state.tree, top } };
}

function settleEntry(state: State): State {
	if (state.entryTop === 0) return state;
	const box = layoutFor(state.size, state.focus).entry;
	const session = shownSession(state.opened);
	const entry = selectedEntry(state);
	if (box === undefined || session === undefined || entry === undefined) return state;
	const { width, height } = inner(box);
	const count = entryRows(entry, session, state.surroundings.home, width).length;
	const entryTop = Math.max(0, Math.min(state.entryTop, count - height));
	return entryTop === state.entryTop ? state : { ...state, entryTop };
}

/** First visible row such that `index` is in sight with a margin, moving as little as possible. */
export function scrollTo(top: number, index: number, height: number, count: number): number {
	const margin = Math.min(MARGIN, Math.floor((height - 1) / 2));
	const lowest = index - height + 1 + margin;
	const highest = index - margin;
	return Math.max(0, Math.min(Math.max(lowest, Math.min(top, highest)), count - height));
}
