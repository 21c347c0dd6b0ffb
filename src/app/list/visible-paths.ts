import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import { listCapacity } from "./list-view.ts";
import { type SessionList, selectList } from "./select-list.ts";

/** Paths of the sessions in sight; the same ones give the same object. */
export function selectVisiblePaths(state: State): readonly string[] {
	const capacity = listCapacity(state);
	return capacity === 0
		? visiblePaths(selectList(state), state.list.index, 1)
		: visiblePaths(selectList(state), state.list.top, capacity);
}

const visiblePaths = memoLast((list: SessionList, top: number, count: number): readonly string[] =>
	list.rows.slice(top, top + count).map(({ row }) => row.path),
);
