import type { State } from "../state/state.ts";
import { typeQuery } from "./edit-query.ts";
import { withScope } from "./list-actions.ts";
import { selectList } from "./select-list.ts";
import { closeStage } from "./stage.ts";

/** The cursor of the list on a session, whatever the list shows now; nothing may be open above it. */
export function showSession(before: State, path: string): State {
	const state: State = { ...before, focus: "list" };
	const list = { ...state.list, pendingSelection: path, cursorSet: true };
	if (selectList(state).rows.some(({ row }) => row.path === path)) return { ...state, list };
	// What is typed, or the scope, hides it.
	const shown = typeQuery(inAll(state), "");
	const isArchived = state.catalog.rows.get(path)?.archived === true;
	return withScope({ ...shown, list: { ...shown.list, pendingSelection: path } }, isArchived ? "archived" : "all");
}

/** The list of all sessions: what is counted is counted everywhere. */
export function inAll(state: State): State {
	const all = withScope(closeStage(state), "all");
	return { ...all, list: { ...all.list, namedOnly: false, pendingSelection: undefined } };
}
