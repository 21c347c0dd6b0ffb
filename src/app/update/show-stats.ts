import { printTokens } from "../../catalog/query/print-tokens.ts";
import { withScope } from "../list/list-actions.ts";
import { selectList } from "../list/select-list.ts";
import { closeStage } from "../list/stage.ts";
import type { State } from "../model/state.ts";
import { closePage } from "../page/open-page.ts";
import { type StatsTarget, targetOf } from "../stats/stats-target.ts";
import { typeInstead } from "./text-input.ts";

/** Closes the page; the list shows the sessions that the row or the day under the cursor is about. */
export function showInList(state: State): State {
	const target = targetOf(state);
	return target === undefined || "why" in target ? state : showTarget(state, target);
}

function showTarget(state: State, target: Exclude<StatsTarget, { readonly why: string }>): State {
	const closed = closePage({ ...state, focus: "list" }, "stats");
	if ("query" in target) return typeInstead(inAll(closed), printTokens([target.query]));
	const list = { ...closed.list, pendingSelection: target.path, cursorSet: true };
	if (selectList(closed).rows.some(({ row }) => row.path === target.path)) return { ...closed, list };
	// What is typed, or the scope, hides it.
	const shown = typeInstead(inAll(closed), "");
	const isArchived = state.catalog.rows.get(target.path)?.archived === true;
	return withScope(
		{ ...shown, list: { ...shown.list, pendingSelection: target.path } },
		isArchived ? "archived" : "all",
	);
}

/** The list of all sessions: what is counted is counted everywhere. */
function inAll(state: State): State {
	const all = withScope(closeStage(state), "all");
	return { ...all, list: { ...all.list, namedOnly: false, pendingSelection: undefined } };
}
