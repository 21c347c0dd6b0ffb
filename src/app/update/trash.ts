import type { Distance } from "../model/distance.ts";
import type { State } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { FIRST_TRASH, type TrashState } from "../model/trash-state.ts";
import { formatCounted } from "../text/format.ts";
import { capacity } from "../trash/reconcile-trash.ts";
import { chosenItems, selectedItem, titleOfItem, trashCursor } from "../trash/trash-items.ts";
import { target } from "./move.ts";

/** The page of the trash, with its cursor on what was deleted last. */
export function openTrash(state: State): State {
	const { request, paths, pathsCurrent } = state.trash;
	return {
		...state,
		trash: { ...FIRST_TRASH, request, paths, pathsCurrent },
		overlays: [...state.overlays, { kind: "trash" }],
	};
}

export function moveInTrash(state: State, distance: Distance): State {
	const { items } = state.trash;
	const index = target(trashCursor(state.trash), distance, capacity(state), items.length);
	return withTrash(state, { selected: items[index]?.key, index: Math.max(0, index) });
}

/** Marks the item under the cursor, or takes its mark away, and goes to the next one. */
export function markItem(state: State): State {
	const item = selectedItem(state.trash);
	if (item === undefined) return state;
	const marked = new Set(state.trash.marked);
	if (!marked.delete(item.key)) marked.add(item.key);
	return moveInTrash(withTrash(state, { marked, lastMarked: item.key }), { rows: 1 });
}

/** Marks all from the item that was marked last to the one under the cursor. */
export function markItemsTo(state: State): State {
	const { items, marked, lastMarked } = state.trash;
	const cursor = trashCursor(state.trash);
	const from = items.findIndex(({ key }) => key === lastMarked);
	const start = from === -1 ? cursor : from;
	const range = items.slice(Math.min(start, cursor), Math.max(start, cursor) + 1);
	const last = items[cursor]?.key;
	return withTrash(state, { marked: new Set([...marked, ...range.map(({ key }) => key)]), lastMarked: last });
}

/** Marks all; once all are marked, takes the marks away. */
export function markAllItems(state: State): State {
	const { items, marked } = state.trash;
	if (marked.size === items.length) return unmarkItems(state);
	return say(
		withTrash(state, { marked: new Set(items.map(({ key }) => key)) }),
		`${formatCounted(items.length, "session")} marked`,
	);
}

export function unmarkItems(state: State): State {
	return withTrash(state, { marked: new Set(), lastMarked: undefined });
}

/** Brings the marked sessions back to their places, else the one under the cursor. */
export function restoreChosen(state: State): Transition {
	const { rows } = state.trash;
	const items = chosenItems(state.trash).map((item) => ({ item, title: titleOfItem(item, rows) }));
	return transition(state, { type: "restore-all", items, beside: false });
}

function withTrash(state: State, fields: Partial<TrashState>): State {
	return { ...state, trash: { ...state.trash, ...fields } };
}
