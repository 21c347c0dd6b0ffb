import { printTokens } from "../../../catalog/query/print-tokens.ts";
import { closePage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { typeQuery } from "../list/edit-query.ts";
import { inAll, showSession } from "../list/show-session.ts";
import { type StatsTarget, targetOf } from "./stats-target.ts";

/** Closes the page; the list shows the sessions that the row or the day under the cursor is about. */
export function showInList(state: State): State {
	const target = targetOf(state);
	return target === undefined || "why" in target ? state : showTarget(state, target);
}

function showTarget(state: State, target: Exclude<StatsTarget, { readonly why: string }>): State {
	const closed = closePage({ ...state, focus: "list" }, "stats");
	if ("query" in target) return typeQuery(inAll(closed), printTokens([target.query]));
	return showSession(closed, target.path);
}
