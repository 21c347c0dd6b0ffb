import { inner, layoutFor } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import { selectList } from "./select-list.ts";

/** Rows of the screen that one session takes: results of a search show what was found below their title. */
export function rowHeight(state: State): 1 | 2 {
	return selectList(state).searching ? 2 : 1;
}

/** How many sessions are in sight at once; 0 while the list is not drawn. */
export function listCapacity(state: State): number {
	const box = layoutFor(state.size, state.focus).list;
	return box === undefined ? 0 : Math.floor(inner(box).height / rowHeight(state));
}
