import { type Distance, target } from "../../../ui/page/distance.ts";
import type { State } from "../state/state.ts";
import { keyOf, selectableAt } from "./headings.ts";
import { listCapacity } from "./list-view.ts";
import { selectList } from "./select-list.ts";

/** Moves the cursor among the rows of the list; never past an end. */
export function moveInList(state: State, distance: Distance): State {
	const { items } = selectList(state);
	const from = state.list.index;
	const to = target(from, distance, Math.max(1, listCapacity(state)), items.length);
	const item = items[selectableAt(items, to, to < from ? -1 : 1)];
	const selected = item && keyOf(item);
	// Who moves the cursor to a row means that row, however soon the next key comes.
	const seen = { path: selected, query: state.list.search.query, since: 0 };
	return { ...state, list: { ...state.list, selected, seen, cursorSet: true, pendingSelection: undefined } };
}
