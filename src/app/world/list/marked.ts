import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { editedText } from "../../../ui/field/edit.ts";
import type { State } from "../state/state.ts";
import { isHeading } from "./headings.ts";
import { type SessionList, selectedRow, selectList } from "./select-list.ts";

interface MarkedSum {
	readonly count: number;
	readonly bytes: number;
	/** How many of them are hidden by the query, the scope, a filter or a folded project. */
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
		let bytes = 0;
		for (const path of marked) bytes += rows.get(path)?.size ?? 0;
		let shownCount = 0;
		if (marked.size > 0) for (const item of items) if (!isHeading(item) && marked.has(item.row.path)) shownCount += 1;
		return { count: marked.size, bytes, hidden: marked.size - shownCount };
	},
);

/**
 * The sessions that a command for several acts on: in the list the marked ones, in list order, otherwise the one under the
 * cursor. In other panes it is the open session.
 */
export function chosenRows(state: State): readonly SessionRow[] {
	if (areMarkedChosen(state)) return inOrder(state.list.marked, state.catalog.rows, selectList(state));
	const row = selectedRow(state);
	return row === undefined ? [] : [row];
}

/** Whether a command for several sessions acts on the marked ones. */
export function areMarkedChosen({ list, focus }: State): boolean {
	return list.marked.size > 0 && focus === "list";
}

/** Cached because the footer needs it for every frame. */
const inOrder = memoLast(
	(
		marked: ReadonlySet<string>,
		all: ReadonlyMap<string, SessionRow>,
		{ rows }: Pick<SessionList, "rows">,
	): readonly SessionRow[] => {
		const chosen: SessionRow[] = [];
		for (const { row } of rows) if (marked.has(row.path)) chosen.push(row);
		if (chosen.length === marked.size) return chosen;
		const listed = new Set(chosen.map(({ path }) => path));
		const hidden = [...marked].flatMap((path) => (listed.has(path) ? [] : (all.get(path) ?? [])));
		return [...chosen, ...hidden];
	},
);

/** Unmarks sessions that have disappeared; returns the state and how many of them were marked. */
export function withoutGone(state: State, gonePaths: readonly string[]): readonly [State, number] {
	const { marked } = state.list;
	const lost = gonePaths.filter((path) => marked.has(path));
	if (lost.length === 0) return [state, 0];
	return [{ ...state, list: { ...state.list, marked: marked.difference(new Set(lost)) } }, lost.length];
}

/** Shows only the marked sessions, or the list as it was before. */
export function toggleStage(state: State): State {
	return state.list.stage === undefined ? openStage(state) : closeStage(state);
}

function openStage(state: State): State {
	const { marked, query, selected } = state.list;
	const isMarked = selected !== undefined && marked.has(selected);
	const list = {
		...state.list,
		stage: { paths: marked, query, selected },
		query: editedText(""),
		selected: isMarked ? selected : undefined,
		index: 0,
		cursorSet: true,
	};
	return { ...state, list };
}

export function closeStage(state: State): State {
	const { stage } = state.list;
	if (stage === undefined) return state;
	const { query, selected } = stage;
	const pendingSelection = selected ?? state.list.selected;
	return { ...state, list: { ...state.list, stage: undefined, query, pendingSelection, opensPending: false } };
}

/** Closes the stage when all sessions on it have disappeared. */
export function reconcileStage(state: State): State {
	const { stage } = state.list;
	if (stage === undefined) return state;
	for (const path of stage.paths) if (state.catalog.rows.has(path)) return state;
	return closeStage(state);
}
