import { type EditedText, replaceText } from "../../../ui/field/edit.ts";
import type { State } from "../state/state.ts";
import { rowHeight } from "./list-view.ts";
import { parseTyped } from "./select-saved.ts";

/**
 * Edits the query. A changed query moves the cursor to the first row; a cleared one leaves it on its session, in the same
 * screen row.
 */
export function editListQuery(state: State, change: (value: EditedText) => EditedText): State {
	const query = change(state.list.query);
	if (query.text === state.list.query.text) return { ...state, list: { ...state.list, query } };
	const before = parseTyped(state.list.query.text).query;
	const now = parseTyped(query.text).query;
	const saved = {
		...state.saved,
		index: undefined,
		lastQuery: now === "" && before !== "" ? before : state.saved.lastQuery,
	};
	if (now === before) return { ...state, saved, list: { ...state.list, query } };
	const isCleared = now === "";
	const keptRow = isCleared ? (state.list.index - state.list.top) * rowHeight(state) : undefined;
	return { ...state, saved, list: { ...state.list, query, cursorSet: isCleared, keptRow } };
}

/** Replaces the query, as if it had been typed. */
export function typeQuery(state: State, text: string): State {
	const next = editListQuery(state, (field) => replaceText(field, text, text.length));
	return { ...next, typing: { ...next.typing, last: undefined } };
}
