import type { ChosenChanges } from "../../../changes/journal/history-reader.ts";
import { isMade, pathOf } from "../../../changes/kinds/change.ts";
import { openPage } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { changesOf, type HistoryRow, selectedHistoryRow } from "./history-rows.ts";
import { FIRST_HISTORY, HISTORY } from "./history-state.ts";

/** Opens the page of all changes, with the cursor on the newest. */
export function openHistory(state: State): State {
	const { request } = HISTORY.of(state);
	return openPage(HISTORY.with(state, { ...FIRST_HISTORY, request }), "history");
}

/** Shows or hides the changes of the group under the cursor, or of the group of the change there. */
export function toggleGroup(state: State, wanted?: boolean): State {
	const row = selectedHistoryRow(HISTORY.of(state));
	const group = row && groupOf(row);
	if (group === undefined) return state;
	const opened = new Set(HISTORY.of(state).opened);
	if (wanted ?? !opened.has(group)) opened.add(group);
	else opened.delete(group);
	const selected = opened.has(group) ? row?.key : group;
	return HISTORY.with(state, { opened, cursor: { ...HISTORY.of(state).cursor, selected } });
}

/** The group that a row stands for, or is in. */
export function groupOf(row: HistoryRow): string | undefined {
	return row.kind === "group" ? row.group.id : row.change.group?.id;
}

/** Closes the page and puts the cursor of the list on the session of the change. */
export function goToSession(state: State): State {
	const row = selectedHistoryRow(HISTORY.of(state));
	const [change] = row === undefined ? [] : changesOf(row);
	const path = change?.undo === undefined ? change?.plan?.path : pathOf(change.undo);
	if (path === undefined || !state.catalog.rows.has(path))
		return say(state, "The session of this change is not in the list", "warning");
	return { ...state, overlays: [], list: { ...state.list, pendingSelection: path } };
}

/** Undoes the change under the cursor; asks first if that undoes others as well. */
export function undoRow(state: State): Transition {
	const row = selectedHistoryRow(HISTORY.of(state));
	if (row === undefined || !changesOf(row).some(isMade))
		return transition(say(state, "There is nothing of it to undo", "warning"));
	return transition(state, { type: "undo", of: chosenIn(row), inSight: true });
}

/** Redoes the undone change under the cursor. */
export function redoRow(state: State): Transition {
	const row = selectedHistoryRow(HISTORY.of(state));
	if (row === undefined || !changesOf(row).some(({ fate }) => fate === "undone"))
		return transition(say(state, "Nothing of it was undone", "warning"));
	return transition(state, { type: "redo", of: chosenIn(row) });
}

/** A group is undone or redone as a whole, even if not all of its changes have been read or made yet. */
function chosenIn(row: HistoryRow): ChosenChanges {
	return row.kind === "group" ? { group: row.group } : { id: row.change.id };
}
