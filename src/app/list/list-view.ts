import { inner, layoutFor } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import { selectList } from "./select-list.ts";

/** Screen rows per session: a search result has its snippet below the title. */
function rowHeight(state: State): 1 | 2 {
	return selectList(state).searching ? 2 : 1;
}

/** How many sessions fit in the list; 0 while it is not drawn. */
export function listCapacity(state: State): number {
	const box = layoutFor(state.size, state.focus).list;
	return box === undefined ? 0 : Math.floor(inner(box).height / rowHeight(state));
}
