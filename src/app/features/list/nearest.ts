import { parseQuery, type Query } from "../../../catalog/query/parse-query.ts";
import type { Proposal } from "../../../catalog/query/propose.ts";
import { replaceText } from "../../../ui/field/edit.ts";
import { isSearched, selectList } from "../../world/list/select-list.ts";
import type { SearchState } from "../../world/state/list-state.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";

/** Requests alternatives to a query without matches. */
export function reconcileNearest(state: State): Transition {
	const { search } = state.list;
	const { query, nearest } = search;
	const isNew = query.text !== "" && query === search.requested && nearest?.query !== query;
	if (!isNew || !isSearched(state) || selectList(state).rows.length > 0) return transition(state);
	const { rows } = state.catalog;
	return transition(withNearest(state, { query, proposals: undefined }), { type: "propose", query, rows });
}

/** Stores alternatives if they belong to the current query. */
export function applyProposals(state: State, query: Query, proposals: readonly Proposal[]): State {
	return state.list.search.nearest?.query === query ? withNearest(state, { query, proposals }) : state;
}

/** The likeliest alternative to a query without matches. */
export function proposalFor(state: State): Proposal | undefined {
	const { search } = state.list;
	// Sessions with other forms of the words come later than the proposals: enter is theirs then.
	if (selectList(state).rows.length > 0) return undefined;
	return search.nearest?.query === search.query ? search.nearest.proposals?.[0] : undefined;
}

/** Replaces the query with its likeliest alternative. */
export function takeProposal(state: State): State {
	const text = proposalFor(state)?.query;
	if (text === undefined || "error" in parseQuery(text)) return state;
	const query = replaceText(state.list.query, text, text.length);
	return { ...state, list: { ...state.list, query, cursorSet: false } };
}

function withNearest(state: State, nearest: SearchState["nearest"]): State {
	return { ...state, list: { ...state.list, search: { ...state.list.search, nearest } } };
}
