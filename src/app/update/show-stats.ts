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
	return showSession(closed, target.path);
}

/** The cursor of the list on a session, whatever the list shows now; nothing may be open above it. */
export function showSession(before: State, path: string): State {
	const state: State = { ...before, focus: "list" };
	const list = { ...state.list, pendingSelection: path, cursorSet: true };
	if (selectList(state).rows.some(({ row }) => row.path === path)) return { ...state, list };
	// What is typed, or the scope, hides it.
	const shown = typeInstead(inAll(state), "");
	const isArchived = state.catalog.rows.get(path)?.archived === true;
	return withScope({ ...shown, list: { ...shown.list, pendingSelection: path } }, isArchived ? "archived" : "all");
}

/** The list of all sessions: what is counted is counted everywhere. */
function inAll(state: State): State {
	const all = withScope(closeStage(state), "all");
	return { ...all, list: { ...all.list, namedOnly: false, pendingSelection: undefined } };
}
