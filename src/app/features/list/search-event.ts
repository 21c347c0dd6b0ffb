import type { SearchEvent } from "../../../catalog/search/search.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import type { SearchState } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";

/** Applies an event of a search; with the first event of a new one the list shows its results. */
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
