import type { Distance } from "../model/distance.ts";
import { moveCursor } from "../model/page-cursor.ts";
import { chosenOf, markTo, NO_MARKED, toggleMarks } from "../model/page-marks.ts";
import type { State } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { FIRST_TRASH, type TrashState } from "../model/trash-state.ts";
import { openPage } from "../page/open-page.ts";
import { formatCounted } from "../text/format.ts";
import { capacity } from "../trash/reconcile-trash.ts";
import { selectedItem, titleOfItem } from "../trash/trash-items.ts";

/** The page of the trash, with its cursor on what was deleted last. */
export function openTrash(state: State): State {
	const { request, paths, pathsCurrent } = state.trash;
	return openPage({ ...state, trash: { ...FIRST_TRASH, request, paths, pathsCurrent } }, "trash");
}

export function moveInTrash(state: State, distance: Distance): State {
	const { cursor, items } = state.trash;
	return withTrash(state, { cursor: moveCursor(cursor, items, distance, capacity(state)) });
}

/** Marks the item under the cursor, or takes its mark away, and goes to the next one. */
export function markItem(state: State): State {
	const item = selectedItem(state.trash);
	if (item === undefined) return state;
	return moveInTrash(withTrash(state, { marks: toggleMarks(state.trash.marks, [item.key], item.key) }), { rows: 1 });
}

/** Marks all from the item that was marked last to the one under the cursor. */
export function markItemsTo(state: State): State {
	const { items, marks, cursor } = state.trash;
	return withTrash(state, { marks: markTo(marks, items, cursor) });
}

/** Marks all; once all are marked, takes the marks away. */
export function markAllItems(state: State): State {
	const { items, marks } = state.trash;
	if (marks.marked.size === items.length) return unmarkItems(state);
	const marked = new Set(items.map(({ key }) => key));
	return say(withTrash(state, { marks: { ...marks, marked } }), `${formatCounted(items.length, "session")} marked`);
}

export function unmarkItems(state: State): State {
	return withTrash(state, { marks: NO_MARKED });
}

/** Brings the marked sessions back to their places, else the one under the cursor. */
export function restoreChosen(state: State): Transition {
	const { rows, items: all, marks, cursor } = state.trash;
	const items = chosenOf(marks, all, cursor).map((item) => ({ item, title: titleOfItem(item, rows) }));
	return transition(state, { type: "restore-all", items, beside: false });
}

function withTrash(state: State, fields: Partial<TrashState>): State {
	return { ...state, trash: { ...state.trash, ...fields } };
}
