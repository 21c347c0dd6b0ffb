import { maskOf } from "../../catalog/query/kinds.ts";
import { layoutFor } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import { selectList } from "./select-list.ts";
import { savedHeight } from "./select-saved.ts";

/** Kinds of text that a row of one line shows. */
const IN_ROW = maskOf(["name", "cwd"]);

/** Screen rows per session: a search result has its snippet below the title, where there can be one. */
export function rowHeight(state: State): 1 | 2 {
	const { terms } = state.list.search.query;
	return selectList(state).searching && terms.some(({ kinds }) => (kinds & ~IN_ROW) !== 0) ? 2 : 1;
}

/** How many sessions fit in the list; 0 while it is not drawn. */
export function listCapacity(state: State): number {
	const box = layoutFor(state).list;
	return box === undefined ? 0 : Math.floor((box.height - savedHeight(state)) / rowHeight(state));
}
