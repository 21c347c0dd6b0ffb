import { asksForText } from "../../../catalog/query/parse-query.ts";
import type { State } from "../state/state.ts";
import { isSearched } from "./select-list.ts";
import { wantedQuery } from "./wanted-query.ts";

/** Whether everything is listed and searched for the typed query, so that no other row can become the first one. */
export function isListAnswered(state: State): boolean {
	if (!isListCurrent(state)) return false;
	if (state.list.search.error !== undefined || state.catalog.rows.size === 0) return state.catalog.complete;
	const { query, settled } = state.list.search;
	// Results that are not settled may still get a better rank and another best hit.
	return isSearched(state) && (!asksForText(query) || settled === state.watched);
}

/** Whether the list shows results of the typed query, complete or not. */
export function isListCurrent(state: State): boolean {
	const { search } = state.list;
	return wantedQuery(state) === search.requested.text && search.query === search.requested;
}
