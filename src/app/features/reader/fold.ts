import { rowsFrom } from "../../../conversation/document/walk.ts";
import { currentIndex, selectReader } from "../../world/opened/select-reader.ts";
import type { ReaderState } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";
import { heldInPlace } from "./scroll.ts";

/**
 * Unfolds the first visible folded block, of the entry that is read if it has one, else folds the first one that was unfolded;
 * undefined without any.
 */
export function toggleFold(state: State): State | undefined {
	const key = blockToToggle(state);
	if (key === undefined) return undefined;
	return withView(state, { toggled: state.reader.toggled.symmetricDifference(new Set([key])) });
}

/** Key of the block that `toggleFold` acts on. */
function blockToToggle(state: State): string | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const visible = rowsFrom(reader.document, reader.top, reader.height);
	const current = currentIndex(state, reader);
	const rows = [...visible.filter(({ at }) => at.entry === current), ...visible];
	const fold = rows.find(({ row }) => row.fold !== undefined)?.row.fold;
	if (fold !== undefined) return fold;
	const keys = rows.map(({ at }) => reader.document.pieces(at.entry)[at.piece]?.unfolded);
	return keys.find((key) => key !== undefined);
}

/** Shows outputs whole, or only their heads and tails. Resets blocks that were toggled one by one. */
export function toggleTools(state: State): State {
	return withView(state, { toolsOpen: !state.reader.toolsOpen, toggled: new Set() });
}

/** Shows thoughts whole, or only their first lines. Resets blocks that were toggled one by one. */
export function toggleThinking(state: State): State {
	return withView(state, { thinkingOpen: !state.reader.thinkingOpen, toggled: new Set() });
}

/** Shows diffs side by side, or unified. */
export function toggleSideBySide(state: State): State {
	return withView(state, { sideBySide: !state.reader.sideBySide });
}

/** Changes what is visible: the row at the top and the entry that is read stay, and the end is no longer followed. */
function withView(state: State, fields: Partial<ReaderState>): State {
	const held = heldInPlace(state);
	return { ...held, reader: { ...held.reader, ...fields } };
}
