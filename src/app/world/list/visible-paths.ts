import type { State } from "../state/state.ts";
import { isHeading } from "./headings.ts";
import { listCapacity } from "./list-view.ts";
import { selectList } from "./select-list.ts";

/** Paths of the sessions in sight; where the list is not drawn, that of the session under the cursor. */
export function selectVisiblePaths(state: State): readonly string[] {
	const { items } = selectList(state);
	const { index, top } = state.list;
	const capacity = listCapacity(state);
	const visible = capacity === 0 ? items.slice(index, index + 1) : items.slice(top, top + capacity);
	return visible.flatMap((item) => (isHeading(item) ? [] : [item.row.path]));
}
