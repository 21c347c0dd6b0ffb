import { asksForText, lastQuery, parseQuery } from "../../../catalog/query/parse-query.ts";
import type { SearchEvent } from "../../../catalog/search/search.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import { wantedQuery } from "../../world/list/select-saved.ts";
import { NO_SEARCH, type SearchState } from "../../world/state/list-state.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";

/** Applies an event of a search. The first event of a new one switches the list to its results. */
export function applySearchEvent(state: State, request: number, event: SearchEvent): State {
	const { search } = state.list;
	if (request !== search.request) return state;
	const current: SearchState =
		search.query === search.requested
			? search
			: {
					...search,
					query: search.requested,
					results: new Map(),
					searched: 0,
					total: 0,
					settled: undefined,
					error: undefined,
				};
	return { ...state, list: { ...state.list, search: applyEvent({ ...current, settled: undefined }, event) } };
}

function applyEvent(search: SearchState, event: SearchEvent): SearchState {
	switch (event.type) {
		case "results": {
			const found = event.results.map((result) => [result.path, result] as const);
			return { ...search, results: VersionedMap.of(search.results).with(found) };
		}
		case "lost":
			return { ...search, results: VersionedMap.of(search.results).with([], event.paths) };
		case "progress":
			return { ...search, searched: event.searched, total: event.total };
		case "settled":
			return { ...search, settled: event.watched };
		case "error":
			return { ...search, error: event.message };
	}
}

/** Starts a search when the typed query is not the one that was requested last. */
export function reconcileSearch(state: State): Transition {
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
	const next: SearchState = asksForText(query) ? search : { ...NO_SEARCH, query };
	return transition(withSearch({ ...next, requested: query, mistake, request }), { type: "search", request, query });
}
