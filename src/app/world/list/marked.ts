import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../state/state.ts";
import { isHeading, isSectionHeading, type ListItem } from "./headings.ts";
import { type SessionList, selectedRow, selectList } from "./select-list.ts";

/** What is marked, in numbers. */
export interface MarkedSum {
	readonly count: number;
	readonly bytes: number;
	/** How many of them the list does not show: the query, the scope, a filter or a folded project hides them. */
	readonly hidden: number;
}

export function markedSum(state: State): MarkedSum {
	return sum(state.list.marked, state.catalog.rows, selectList(state));
}

const sum = memoLast(
	(
		marked: ReadonlySet<string>,
		rows: ReadonlyMap<string, SessionRow>,
		{ items }: Pick<SessionList, "items">,
	): MarkedSum => {
		let [bytes, shown] = [0, 0];
		// All that is shown, as one key marks it: nothing has to be looked up.
		const isAll = listOf.get(marked) === items;
		const known = isAll ? undefined : new Set<SessionRow>();
		for (const path of isAll ? [] : marked) {
			const row = rows.get(path);
			if (row === undefined) continue;
			known?.add(row);
			bytes += row.size;
		}
		for (const item of marked.size === 0 ? [] : items) {
			if (isHeading(item) || known?.has(item.row) === false) continue;
			shown += 1;
			if (isAll) bytes += item.row.size;
		}
		return { count: marked.size, bytes, hidden: marked.size - shown };
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
		{ rows }: Pick<SessionList, "rows">,
	): readonly SessionRow[] => {
		const shown = rows.flatMap(({ row }) => (marked.has(row.path) ? [row] : []));
		const listed = new Set(shown.map(({ path }) => path));
		const hidden = [...marked].flatMap((path) => (listed.has(path) ? [] : (all.get(path) ?? [])));
		return [...shown, ...hidden];
	},
);

/** Paths of what is under the cursor: a session, or all those of a folded project. */
function pathsHere(state: State): readonly string[] {
	const { items, rows, itemIndexes } = selectList(state);
	const item = items[indexHere(state)];
	if (item === undefined || isSectionHeading(item)) return [];
	if (!isHeading(item)) return [item.row.path];
	// Those in sections are not below it.
	return rows.flatMap(({ row }) => (row.cwd === item.heading && !itemIndexes.has(row.path) ? [row.path] : []));
}

/** A key that has just moved the cursor has chosen a row; its number follows. */
function indexHere(state: State): number {
	const { selected, index } = state.list;
	return (selected === undefined ? undefined : selectList(state).itemIndexes.get(selected, index)) ?? index;
}

/** Marks what is under the cursor, or, where all of it is marked, takes the marks away. */
export function toggleMark(state: State): State {
	const next = toggleAll(state, new Set(pathsHere(state)));
	return { ...next, list: { ...next.list, lastMarked: state.list.selected } };
}

/** Marks all rows from the one that was marked last to the cursor; where that is not in the list, the one under the cursor. */
export function markRange(state: State): State {
	const { items, itemIndexes } = selectList(state);
	const { lastMarked, selected } = state.list;
	const end = indexHere(state);
	const start = (lastMarked === undefined ? undefined : itemIndexes.get(lastMarked)) ?? end;
	const marked = new Set(state.list.marked);
	for (const path of pathsOf(items.slice(Math.min(start, end), Math.max(start, end) + 1))) marked.add(path);
	return { ...state, list: { ...state.list, marked, lastMarked: selected } };
}

/** Marks all that the list shows; where all of it is marked, takes these marks away. */
export function markShown(state: State): State {
	return toggleAll(state, allOf(selectList(state).items));
}

/** The paths of all sessions in a list; the same object for the same list, since to look up many takes longer than all else. */
const allOf = memoLast((items: readonly ListItem[]): ReadonlySet<string> => {
	const paths = new Set(pathsOf(items));
	listOf.set(paths, items);
	return paths;
});

/** The list of which a set has all paths. */
const listOf = new WeakMap<ReadonlySet<string>, readonly ListItem[]>();

function pathsOf(items: readonly ListItem[]): string[] {
	const paths: string[] = [];
	for (const item of items) if (!isHeading(item)) paths.push(item.row.path);
	return paths;
}

function toggleAll(state: State, paths: ReadonlySet<string>): State {
	return { ...state, list: { ...state.list, marked: toggled(state.list.marked, paths) } };
}

function toggled(marked: ReadonlySet<string>, paths: ReadonlySet<string>): ReadonlySet<string> {
	if (marked.size === 0 || paths === marked) return paths === marked ? new Set() : paths;
	if (paths.isSubsetOf(marked)) return marked.difference(paths);
	// The larger one is copied at once.
	return marked.size < paths.size ? paths.union(marked) : marked.union(paths);
}

export function unmarkAll(state: State): State {
	return { ...state, list: { ...state.list, marked: new Set(), lastMarked: undefined } };
}

/** The state after these sessions have disappeared, and how many of them were marked. */
export function withoutGone(state: State, gone: readonly string[]): readonly [State, number] {
	const { marked } = state.list;
	const lost = gone.filter((path) => marked.has(path));
	if (lost.length === 0) return [state, 0];
	return [{ ...state, list: { ...state.list, marked: marked.difference(new Set(lost)) } }, lost.length];
}
