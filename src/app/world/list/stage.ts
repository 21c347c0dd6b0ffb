import { editedText } from "../../../ui/field/edit.ts";
import type { State } from "../state/state.ts";

/** Shows only what is marked, or the list as it was before. */
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
