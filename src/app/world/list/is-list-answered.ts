import { asksForText } from "../../../catalog/query/parse-query.ts";
import type { State } from "../state/state.ts";
import { isSearched } from "./select-list.ts";
import { typedIn } from "./select-saved.ts";

/** Whether everything is listed and searched for what is typed, so that nothing else can become the first row. */
export function isListAnswered(state: State): boolean {
	if (!isListCurrent(state)) return false;
	if (state.list.search.error !== undefined || state.catalog.rows.size === 0) return state.catalog.complete;
	const { query, settled } = state.list.search;
	// Results that are only there may still get a better rank, and another best hit.
	return isSearched(state) && (!asksForText(query) || settled === state.watched);
}

/** Whether the list shows the results of what is typed, all of them or not. */
export function isListCurrent(state: State): boolean {
	const { search } = state.list;
	return typedIn(state).query === search.requested.text && search.query === search.requested;
}
