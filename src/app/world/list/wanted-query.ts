import { NO_QUERY, parseQuery, type Query } from "../../../catalog/query/parse-query.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { ChipTerm } from "../state/chip-terms.ts";
import type { State } from "../state/state.ts";
import { typedIn } from "./select-saved.ts";

/** What the list is to be searched for: the conditions of its chips, and what is typed behind them. */
export function wantedQuery(state: State): string {
	return [...state.list.terms, typedIn(state).query].join(" ").trim();
}

/** The conditions of the chips as a query. */
export const termsQuery = memoLast((terms: readonly ChipTerm[]): Query => {
	const parsed = parseQuery(terms.join(" "));
	return "query" in parsed ? parsed.query : NO_QUERY;
});
