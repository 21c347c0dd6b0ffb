import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Proposal } from "../../../catalog/query/propose.ts";
import type { SearchEvent } from "../../../catalog/search/search.ts";
import type { Feature } from "../../world/page/page.ts";
import { applyProposals } from "./nothing-found.ts";
import { applySearchEvent } from "./reconcile-list.ts";
import { applySavedFile } from "./saved-queries.ts";

export const LIST: Feature<ListAction> = {
	on: {
		search: (state, { request, event }) => applySearchEvent(state, request, event),
		proposed: (state, { query, proposals }) => applyProposals(state, query, proposals),
		saved: (state, { read }) => applySavedFile(state, read),
	},
};

/** Actions of the list. */
type ListAction =
	/** An event of the search with this request number. */
	| { readonly type: "search"; readonly request: number; readonly event: SearchEvent }
	/** Alternatives to a query without matches. */
	| { readonly type: "proposed"; readonly query: Query; readonly proposals: readonly Proposal[] };

/** Effects of the list. */
type ListEffect =
	/** Search all sessions, cancelling the running search; a query without terms only cancels it. */
	| { readonly type: "search"; readonly request: number; readonly query: Query }
	/** Find alternatives to a query without matches, cancelling the previous such job. */
	| { readonly type: "propose"; readonly query: Query; readonly rows: ReadonlyMap<string, SessionRow> };

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
