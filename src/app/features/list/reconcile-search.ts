import { lastQuery } from "../../../catalog/query/last-query.ts";
import { asksForText, parseQuery } from "../../../catalog/query/parse-query.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import type { SearchState } from "../../world/state/list-state.ts";
import { NO_SEARCH } from "../../world/state/list-state.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";

/** Starts a search when the typed query is not the one that was requested last. */
export function reconcileSearch(state: State): Transition {
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
