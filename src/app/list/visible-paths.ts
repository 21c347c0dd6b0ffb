import type { State } from "../model/state.ts";
import { listCapacity } from "./list-view.ts";
import { selectList } from "./select-list.ts";

/** Paths of the sessions in sight; where the list is not drawn, that of the session under the cursor. */
export function selectVisiblePaths(state: State): readonly string[] {
	const { rows } = selectList(state);
	const { index, top } = state.list;
	const capacity = listCapacity(state);
	const visible = capacity === 0 ? rows.slice(index, index + 1) : rows.slice(top, top + capacity);
	return visible.map(({ row }) => row.path);
}
