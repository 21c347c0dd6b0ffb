import { isSession } from "../../../catalog/model/row.ts";
import { asksForText, lastQuery, parseQuery, type Query } from "../../../catalog/query/parse-query.ts";
import type { SearchEvent, SearchResult } from "../../../catalog/search/search.ts";
import { withEntries } from "../../../shared/maps.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { scrollTo } from "../../../ui/page/page-rows.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Runners } from "../../world/effects/runners.ts";
import { familiesOf, headOf, pathsAbove } from "../../world/list/families.ts";
import { headingKey, indexOfKey, isHeading, isSelectable, keyOf, selectableAt } from "../../world/list/headings.ts";
import { toggleFold } from "../../world/list/list-actions.ts";
import { listCapacity, rowHeight } from "../../world/list/list-view.ts";
import { isListAnswered, isListCurrent, type SessionList, selectList } from "../../world/list/select-list.ts";
import { wantedQuery } from "../../world/list/select-saved.ts";
import type { Feature } from "../../world/page/page.ts";
import { NO_SEARCH, NOTHING_FOUND, type SearchState } from "../../world/state/list-state.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { BRANCHES_OF_DIRECTORIES, REPOSITORY } from "./git-facts.ts";
import { applySavedFile, reconcileSaved } from "./saved-queries.ts";

export const LIST: Feature<ListAction> = {
	on: {
		search: (state, { request, event }) => applySearchEvent(state, request, event),
		saved: (state, { read }) => applySavedFile(state, read),
	},
	queries: [REPOSITORY, BRANCHES_OF_DIRECTORIES],
	steps: {
		search: [reconcileSaved, reconcileSearch],
		list: [reconcileList],
		facts: [REPOSITORY.ask, BRANCHES_OF_DIRECTORIES.ask],
	},
};

type ListAction =
	/** An event of the search with this request number. */
	{ readonly type: "search"; readonly request: number; readonly event: SearchEvent };

type ListEffect =
	/** Search all sessions, cancelling the running search; a query without terms only cancels it. */
	{ readonly type: "search"; readonly request: number; readonly query: Query };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly list: ListAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly list: ListEffect;
	}
}

export const LIST_EFFECTS: Runners<ListEffect["type"]> = {
	search({ request, query }, { store, report }) {
		store.search(query, (event) => report({ type: "search", request, event }));
		return undefined;
	},
};

/** Puts the cursor on an existing row and scrolls to it. `at`: current time, Unix ms. */
function reconcileList(state: State, at: number): State {
	return followSession(recordSeen(placeCursor(state), at));
}

/** Records when the row under the cursor came into view. */
function recordSeen(state: State, at: number): State {
	const { seen, selected: path, search } = state.list;
	if (seen.path === path && seen.query === search.query) return state;
	return { ...state, list: { ...state.list, seen: { path, query: search.query, since: at } } };
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

/** Applies an event of a search. The first event of a new one switches the list to its results. */
function applySearchEvent(state: State, request: number, event: SearchEvent): State {
	const { search } = state.list;
	if (request !== search.request) return state;
	const current: SearchState =
		search.query === search.requested
			? search
			: { ...search, ...NOTHING_FOUND, query: search.requested, began: state.now, error: undefined };
	const isFinal = current.inForms && (event.type === "results" || event.type === "lost");
	const open = isFinal || event.type === "unread" ? current : { ...current, settled: undefined, inForms: false };
	return { ...state, list: { ...state.list, search: applyEvent(open, event) } };
}

/** The sessions with other forms, after some results; the same set if none has changed. */
function othersAfter(others: ReadonlySet<string>, results: readonly SearchResult[]): ReadonlySet<string> {
	const changed = results.filter(({ path, other }) => others.has(path) !== (other !== undefined));
	if (changed.length === 0) return others;
	const next = new Set(others);
	for (const { path, other } of changed)
		if (other === undefined) next.delete(path);
		else next.add(path);
	return next;
}

function applyEvent(search: SearchState, event: SearchEvent): SearchState {
	switch (event.type) {
		case "results": {
			const found = event.results.map((result) => [result.path, result] as const);
			const others = othersAfter(search.others, event.results);
			return { ...search, results: withEntries(search.results, found), others };
		}
		case "lost": {
			const lost = new Set(event.paths);
			const others = search.others.isDisjointFrom(lost) ? search.others : search.others.difference(lost);
			return { ...search, results: withEntries(search.results, [], event.paths), others };
		}
		case "progress":
			return { ...search, searched: event.searched, total: event.total };
		case "unread":
			return { ...search, unread: new Map([...search.unread, ...event.reasons]) };
		case "settled":
			return { ...search, settled: event.watched, inForms: event.inForms };
		case "error":
			return { ...search, error: event.message };
	}
}

/** Starts a search when the typed query is not the one that was requested last. */
function reconcileSearch(state: State): Transition {
	const { search } = state.list;
	const text = wantedQuery(state);
	if (text === (search.mistake?.text ?? search.requested.text)) return transition(state);
	const withSearch = (next: SearchState): State => ({ ...state, list: { ...state.list, search: next } });
	if (text === search.requested.text) return transition(withSearch({ ...search, mistake: undefined }));
	const request = search.request + 1;
	const parsed = parseQuery(text);
	const mistake = "error" in parsed ? { text, message: parsed.error } : undefined;
	// An unfinished query may not parse: the last one that did stays in use.
	const query = "error" in parsed ? lastQuery(search.requested, text) : parsed.query;
	if (query === search.requested) return transition(withSearch({ ...search, mistake }));
	// Without words to search for, the rows alone answer the query.
	const next: SearchState = asksForText(query) ? search : { ...NO_SEARCH, query, began: state.now };
	return transition(withSearch({ ...next, requested: query, mistake, request }), { type: "search", request, query });
}
