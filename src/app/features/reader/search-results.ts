import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Term } from "../../../catalog/query/term.ts";
import type { SessionHits } from "../../../catalog/search/search.ts";
import { FindJob, type Matcher, termsMatcher, textMatcher } from "../../../conversation/document/find-job.ts";
import { entryKind } from "../../../conversation/entries/entry-kind.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import { filterOf } from "../../../conversation/tree/shown-entries.ts";
import { isOtherKey } from "../../../conversation/tree/tree-rows.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { selectedResult } from "../../world/list/select-list.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import { atEntry, queryIn, rowIdOf, selectedEntry, selectTree } from "../../world/opened/select-tree.ts";
import { chosenFilter, type HitsState, withoutPlace } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";
import { landIn } from "./find.ts";

/** When a search has a result in the open session, goes to its best hit. */
export function reconcileHits(state: State): State {
	const session = state.detail.session;
	const query = queryIn(state, session?.path);
	const { hits: lastHits } = state.tree;
	if (query.terms.length === 0) return lastHits === undefined ? state : withoutHits(state);
	const result = selectedResult(state);
	if (session === undefined || session.path !== result?.path || lastHits?.query === query) return state;
	const id = entryOfHit(result.best, query, session);
	const ids = id === undefined ? [] : [id];
	const hits = { path: session.path, query, shown: id, ids, complete: false };
	const filter = chosenFilter(state.tree);
	const hitState = { ...state, tree: { ...state.tree, hits, filter, isReturned: false } };
	return state.tree.isReturned
		? { ...hitState, tree: { ...hitState.tree, hits: { ...hits, shown: undefined, stays: true } } }
		: showFound(withHitInSight(hitState, id), id);
}

export const HITS = defineQuery<Pick<HitsState, "path" | "query">, SessionHits>({
	name: "hits",
	// An answer for a session that cannot be shown would be lost.
	wanted: ({ detail, tree: { hits } }) => (hits?.complete === false && detail.session !== undefined ? hits : undefined),
	isSame: (askedKey, wantedKey) => askedKey.path === wantedKey.path && askedKey.query === wantedKey.query,
	load: ({ path, query }, { store }) => store.catalog.hits(query, path),
	answered: (state, { value }) => (value === undefined ? state : applyHits(state, value)),
	forgets: true,
});

/** Forgets the hits of a query that was cleared. Unless a person has moved on from it, the cursor goes back to the leaf. */
function withoutHits(state: State): State {
	const { hits, selected } = state.tree;
	const filter = state.focus === "list" ? chosenFilter(state.tree) : state.tree.filter;
	const next = { ...state, tree: { ...state.tree, filter, hits: undefined } };
	if (state.focus !== "list" || selected === undefined || selected !== hits?.shown) return next;
	return {
		...next,
		tree: { ...next.tree, selected: undefined, pinned: undefined },
		reader: withoutPlace(state.reader),
	};
}

/** Stores all hits in the open session, and goes to the best one if that is not the one shown. */
export function applyHits(state: State, results: SessionHits): State {
	const session = state.detail.session;
	if (session === undefined || state.tree.hits?.path !== session.path) return state;
	const { shown, query, stays } = state.tree.hits;
	const ids = inOrder(
		// What the first line says has no entry.
		results.hits.flatMap((hit) => rowIdOf(hit, query, session) ?? session.entries.slice(0, 1).map(({ id }) => id)),
		session,
	);
	const best = results.best && entryOfHit(results.best, query, session);
	const hits = { ...state.tree.hits, shown: best ?? shown, ids, complete: true };
	const next = { ...state, tree: { ...state.tree, hits } };
	// Who has opened the session for the hit beside the list wants that one.
	const isOpened = state.focus !== "list" && shown !== undefined;
	// The result named the best hit of what had been searched at the time, or only the name of the session.
	return stays || isOpened || best === shown || state.tree.selected !== shown
		? next
		: showFound(withHitInSight(next, best), best);
}

/** Shows a hit that the search found, in the same place of the tree whether the session or the hit was read first. */
function showFound(state: State, id: string | undefined): State {
	const next = showHit(state, id);
	return { ...next, tree: { ...next.tree, top: 0 } };
}

/** Shows the active path if the filter in which the session was left hides a hit. */
function withHitInSight(state: State, id: string | undefined): State {
	const { tree } = state;
	const { filter, hits } = tree;
	const entry = state.detail.session?.tree.byId.get(id ?? "");
	if (entry === undefined || hits === undefined || filter === "default" || filter === "all") return state;
	// A large session may not be drawn yet.
	const drawn = selectTree(state);
	const isShown =
		drawn === undefined
			? filter === "user-only" && entryKind(entry) === "prompt"
			: filterOf(
					drawn.rows.columns,
					drawn.session,
					filter,
					drawn.rows.runs,
				)(indexAt(drawn.rows.columns.outline, entry.id));
	return isShown ? state : { ...state, tree: { ...tree, filter: "default", hits: { ...hits, hiddenBy: filter } } };
}

/** The rows of the hits, in the order of the conversation: branches apart, as the tree draws them. */
function inOrder(ids: readonly string[], session: Session): readonly string[] {
	const { columns } = outlineOf(session);
	const placeOf = (id: string): number => columns.place[indexAt(columns, id)] ?? Number.POSITIVE_INFINITY;
	return ids
		.map((id) => ({ id, place: placeOf(id) }))
		.sort((a, b) => a.place - b.place)
		.map(({ id }) => id);
}

/** The row of a hit to open a session at; none for its name: then it opens where pi continues. */
function entryOfHit(hit: SessionHits["hits"][number], query: Query, session: Session): string | undefined {
	return hit.kind === "name" ? undefined : rowIdOf(hit, query, session);
}

/** Goes to the next or previous hit in the order of the conversation, wrapping around. */
export function goToHit(state: State, by: 1 | -1): State {
	const { hits, selected } = state.tree;
	if (hits === undefined || hits.ids.length === 0) return state;
	// The row of a run belongs to the step above it.
	const hasId = selected !== undefined && !isOtherKey(selected);
	const current = (hasId ? selected : selectedEntry(state)?.id) ?? "";
	// Past all hits of the same row.
	const at = by === 1 ? hits.ids.lastIndexOf(current) : hits.ids.indexOf(current);
	const next = at === -1 && by === -1 ? -1 : at + by;
	return showHit(state, hits.ids.at(next % hits.ids.length));
}

/** Puts the tree's cursor on an entry with a hit, even if the filter hides it, and scrolls the reader to the hit. */
function showHit(state: State, id: string | undefined): State {
	const isKnown = id !== undefined && state.detail.session?.tree.byId.has(id) === true;
	return isKnown ? seekMatch(atEntry(state, id)) : state;
}

/** Searches the entry that is read for the first match of the filter or the search, and goes there. */
function seekMatch(state: State): State {
	const reader = selectReader(state);
	const terms = searchTerms(state);
	const entryId = state.reader.anchor?.entryId;
	if (reader === undefined || entryId === undefined || terms.length === 0) return state;
	const { document } = reader;
	const from = document.indexOf(entryId);
	if (from === undefined) return state;
	const source = { from, to: from + 1, blocks: (entry: number) => document.wholeBlocks(entry) };
	const job = new FindJob(termsMatcher(terms), source, from);
	return continueSeek({ ...state, reader: { ...state.reader, seek: { entryId, job } } });
}

/** Goes to the match once it is found; gives up if the reader has been scrolled meanwhile. */
export function continueSeek(state: State): State {
	const { seek, anchor } = state.reader;
	const reader = selectReader(state);
	if (seek === undefined || reader === undefined) return state;
	const ended = { ...state, reader: { ...state.reader, seek: undefined } };
	const entry = reader.document.indexOf(seek.entryId);
	const [first] = entry === undefined ? [] : seek.job.in(entry);
	const isMoved = anchor?.entryId !== seek.entryId || anchor.block !== 0 || anchor.row !== 0;
	if (entry === undefined || isMoved) return ended;
	if (first === undefined) return seek.job.isComplete ? ended : state;
	return landIn(ended, first, seek.job)?.state ?? ended;
}

/** The terms to mark in entries: of the tree's filter, else of the search of the list. */
function searchTerms(state: State): readonly Term[] {
	const { parsed } = state.tree;
	return parsed.text === "" ? queryIn(state, state.detail.session?.path).terms : parsed.terms;
}

/** What to mark in the conversation: matches of the search in it, else of the filter or the search of the list. */
export function marksOf(state: State): Matcher | undefined {
	const { find } = state.reader;
	if (find !== undefined) return find.job?.matcher ?? (find.text.text === "" ? undefined : textMatcher(find.text.text));
	const terms = searchTerms(state);
	return terms.length === 0 ? undefined : termsMatcher(terms);
}
