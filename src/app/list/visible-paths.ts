import { inner, layoutFor } from "../layout.ts";
import { memoLast } from "../memo.ts";
import type { State } from "../state.ts";
import { type SessionList, selectList } from "./select-list.ts";

/** Paths of the sessions in sight; the same ones give the same object. */
export function selectVisiblePaths(state: State): readonly string[] {
	const box = layoutFor(state.size, state.focus).list;
	const height = box === undefined ? 1 : inner(box).height;
	return visiblePaths(selectList(state), box === undefined ? state.list.index : state.list.top, height);
}

const visiblePaths = memoLast((list: SessionList, top: number, height: number): readonly string[] =>
	list.rows.slice(Math.max(0, top), Math.max(0, top) + height).map(({ row }) => row.path),
);
