import type { SessionRow } from "../../catalog/model/row.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import { type SessionList, selectedRow, selectList } from "./select-list.ts";

/** What is marked, in numbers. */
export interface MarkedSum {
	readonly count: number;
	readonly bytes: number;
	/** How many of them the list does not show: the query, the scope or a filter hides them. */
	readonly hidden: number;
}

export function markedSum(state: State): MarkedSum {
	return sum(state.list.marked, state.catalog.rows, selectList(state));
}

const sum = memoLast(
	(
		marked: ReadonlySet<string>,
		rows: ReadonlyMap<string, SessionRow>,
		{ indexes }: Pick<SessionList, "indexes">,
	): MarkedSum => {
		let [bytes, hidden] = [0, 0];
		for (const path of marked) {
			bytes += rows.get(path)?.size ?? 0;
			if (!indexes.has(path)) hidden += 1;
		}
		return { count: marked.size, bytes, hidden };
	},
);

/**
 * The rows that a command for several is about: in the list the marked ones, in their order there, else the one under the
 * cursor. In the other panes it is the session that is open.
 */
export function chosenRows(state: State): readonly SessionRow[] {
	const { marked } = state.list;
	if (marked.size > 0 && state.focus === "list") return inOrder(marked, state.catalog.rows, selectList(state));
	const row = selectedRow(state);
	return row === undefined ? [] : [row];
}

/** The footer asks for them with every frame. */
const inOrder = memoLast(
	(
		marked: ReadonlySet<string>,
		all: ReadonlyMap<string, SessionRow>,
		{ rows, indexes }: Pick<SessionList, "rows" | "indexes">,
	): readonly SessionRow[] => {
		const shown = rows.flatMap(({ row }) => (marked.has(row.path) ? [row] : []));
		const hidden = [...marked].flatMap((path) => (indexes.has(path) ? [] : (all.get(path) ?? [])));
		return [...shown, ...hidden];
	},
);

/** Marks the row under the cursor, or takes the mark away. */
export function toggleMark(state: State): State {
	const { selected, marked } = state.list;
	if (selected === undefined) return state;
	const next = new Set(marked);
	if (!next.delete(selected)) next.add(selected);
	return { ...state, list: { ...state.list, marked: next, lastMarked: selected } };
}

/** Marks all rows from the one that was marked last to the cursor; where that is not in the list, the one under the cursor. */
export function markRange(state: State): State {
	const { rows, indexes } = selectList(state);
	const { selected, lastMarked, marked } = state.list;
	const end = selected === undefined ? undefined : indexes.get(selected);
	if (selected === undefined || end === undefined) return state;
	const start = (lastMarked === undefined ? undefined : indexes.get(lastMarked)) ?? end;
	const range = rows.slice(Math.min(start, end), Math.max(start, end) + 1);
	const next = new Set(marked);
	for (const { row } of range) next.add(row.path);
	return { ...state, list: { ...state.list, marked: next, lastMarked: selected } };
}

/** Marks all that the list shows; where all of it is marked, takes these marks away. */
export function markShown(state: State): State {
	const { rows } = selectList(state);
	const next = new Set(state.list.marked);
	const isAll = rows.every(({ row }) => next.has(row.path));
	for (const { row } of rows) {
		if (isAll) next.delete(row.path);
		else next.add(row.path);
	}
	return { ...state, list: { ...state.list, marked: next } };
}

export function unmarkAll(state: State): State {
	return { ...state, list: { ...state.list, marked: new Set(), lastMarked: undefined } };
}

/** The state after these sessions have disappeared, and how many of them were marked. */
export function withoutGone(state: State, gone: readonly string[]): readonly [State, number] {
	const marked = new Set(state.list.marked);
	const lost = gone.filter((path) => marked.delete(path)).length;
	return [lost === 0 ? state : { ...state, list: { ...state.list, marked } }, lost];
}
