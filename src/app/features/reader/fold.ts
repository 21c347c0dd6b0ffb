import { rowsFrom } from "../../../conversation/document/walk.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import type { State } from "../../world/state/state.ts";

/** Unfolds the first block in sight that says that there is more of it, or folds the one that was unfolded here. */
export function toggleFold(state: State): State | undefined {
	const key = foldInSight(state);
	if (key === undefined) return undefined;
	const toggled = new Set(state.reader.toggled);
	if (!toggled.delete(key)) toggled.add(key);
	return { ...state, reader: { ...state.reader, toggled, atEnd: false } };
}

/** The block that `o` unfolds or folds now. */
function foldInSight(state: State): string | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const rows = rowsFrom(reader.document, reader.top, reader.height);
	const fold = rows.find(({ row }) => row.fold !== undefined)?.row.fold;
	if (fold !== undefined) return fold;
	const keys = rows.map(({ at }) => reader.document.pieces(at.entry)[at.piece]?.unfolded);
	return keys.find((key) => key !== undefined);
}

/** Shows all of every output, or only heads and tails; what was unfolded one by one is as the others again. */
export function toggleTools(state: State): State {
	const { reader } = state;
	return { ...state, reader: { ...reader, toolsOpen: !reader.toolsOpen, toggled: new Set(), atEnd: false } };
}

/** Shows all that the model thought, or only its first lines. */
export function toggleThinking(state: State): State {
	const { reader } = state;
	return { ...state, reader: { ...reader, thinkingOpen: !reader.thinkingOpen, toggled: new Set(), atEnd: false } };
}

/** Shows old and new text of diffs beside each other, or below each other. */
export function toggleSideBySide(state: State): State {
	const { reader } = state;
	return { ...state, reader: { ...reader, sideBySide: !reader.sideBySide, atEnd: false } };
}
