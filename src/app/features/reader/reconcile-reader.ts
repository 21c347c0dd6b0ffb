import { ColorJob, type PlainPiece } from "../../../conversation/document/document.ts";
import { isEndVisible, lastTop, rowsFrom } from "../../../conversation/document/walk.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { currentEntry, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { selectedEntry } from "../../world/opened/select-tree.ts";
import type { Effect } from "../../world/state/effect.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { continueFind, renewFind } from "./find.ts";
import { scrolledTo } from "./scroll.ts";
import { continueSeek } from "./search-results.ts";

/**
 * Keeps the conversation and the tree in sync: the conversation begins at the entry under the tree's cursor; while the
 * reader has the focus, the cursor follows the entry being read.
 */
export function reconcileReader(state: State): Transition {
	const placed = place(withoutFind(state));
	if (selectReader(placed) === undefined) return transition(placed);
	const ended = followTail(placed);
	const found = continueSeek(continueFind(renewFind(ended)));
	return withEffects(followReading(found));
}

/** Ends the search when the reader loses the focus. */
function withoutFind(state: State): State {
	const { reader, focus } = state;
	return focus === "reader" || reader.find === undefined ? state : { ...state, reader: { ...reader, find: undefined } };
}

/** Moves the conversation to the entry under the tree's cursor, unless the reader has the focus. */
function place(state: State): State {
	const session = shownSession(state.detail);
	if (session === undefined) return state;
	const { through, anchor, placed } = state.reader;
	const isThere =
		through !== undefined &&
		anchor !== undefined &&
		session.tree.byId.has(through) &&
		session.tree.byId.has(anchor.entryId);
	if (state.focus === "reader" && isThere && outlineOf(session).pathThrough(through).length > 0) return state;
	const entry = selectedEntry(state);
	if (entry === undefined || (isThere && entry.id === placed)) return state;
	return { ...state, reader: placedAt(state.reader, entry.id) };
}

/** Follows the tail. */
function followTail(state: State): State {
	const reader = selectReader(state);
	if (!state.reader.atEnd || reader === undefined) return state;
	const { document, top, height } = reader;
	return isEndVisible(document, top, height)
		? state
		: scrolledTo(state, document, lastTop(document, height), { atEnd: true });
}

/** Moves the tree's cursor to the entry being read. */
function followReading(state: State): State {
	if (state.focus !== "reader") return state;
	const session = shownSession(state.detail);
	const id = currentEntry(state)?.id;
	if (session === undefined || id === undefined) return state;
	const selected = id === conversationLeaf(session) ? undefined : id;
	const moved = selected === state.tree.selected ? state : { ...state, tree: { ...state.tree, selected } };
	const placed = selectedEntry(moved)?.id;
	return placed === state.reader.placed ? moved : { ...moved, reader: { ...moved.reader, placed } };
}

/** Requests what is missing: the renderers, colors of visible code, and the rest of a search. */
function withEffects(state: State): Transition {
	const effects: Effect[] = [];
	let { reader } = state;
	if (!reader.renderersRequested) {
		reader = { ...reader, renderersRequested: true };
		effects.push({ type: "load-renderers" });
	}
	const shown = selectReader(state);
	const code = shown === undefined ? undefined : colorJob(shown);
	if (code !== undefined && reader.coloring?.document !== code.document) {
		reader = { ...reader, coloring: code };
		effects.push({ type: "color", job: code });
	}
	const job = reader.seek?.job.isComplete === false ? reader.seek.job : reader.find?.job;
	if (job !== undefined && !job.isComplete && reader.searching !== job) {
		reader = { ...reader, searching: job };
		effects.push({ type: "search-conversation", job });
	}
	return [reader === state.reader ? state : { ...state, reader }, effects];
}

/** A job that highlights the visible code without colors; undefined if there is none. */
function colorJob({ document, top, height }: Reader): ColorJob | undefined {
	const pieces: PlainPiece[] = [];
	for (const { at } of rowsFrom(document, top, height)) {
		const last = pieces.at(-1);
		const isKnown = last?.entry === at.entry && last.piece === at.piece;
		if (!isKnown && document.isPlain(at.entry, at.piece)) pieces.push({ entry: at.entry, piece: at.piece });
	}
	return pieces.length === 0 ? undefined : new ColorJob(document, pieces);
}
