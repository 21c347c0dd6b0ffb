import { ColorJob, type PlainPiece } from "../../../conversation/document/document.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import { isEndVisible, lastTop, rowsFrom } from "../../../conversation/document/walk.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { defineQuery, type LoadTools } from "../../world/effects/define-query.ts";
import { currentEntry, RENDERERS, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { selectedEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";
import { continueFind, renewFind } from "./find.ts";
import { scrolledTo } from "./scroll.ts";
import { continueSeek, HITS, reconcileHits } from "./search-results.ts";

export const CODE_COLORS = defineQuery<ColorJob, true>({
	name: "colors",
	wanted(state) {
		const reader = selectReader(state);
		return reader && colorJob(reader);
	},
	// Blocks that are still without colors at the end become another job.
	isSame: () => false,
	finishes: (askedJob, wantedJob) => askedJob.document === wantedJob.document,
	load: runJob,
	forgets: true,
});

export const SEARCH = defineQuery<FindJob, true>({
	name: "search in the conversation",
	wanted(state) {
		const { seek, find } = state.reader;
		const job = seek?.job.isComplete === false ? seek.job : find?.job;
		return job === undefined || job.isComplete || selectReader(state) === undefined ? undefined : job;
	},
	// Asking for the same job again resumes it.
	isSame: () => false,
	finishes: (askedJob, wantedJob) => askedJob === wantedJob,
	load: runJob,
	forgets: true,
});

export const READER: Feature = {
	on: {},
	steps: { cursor: [reconcileHits, HITS], panes: [reconcileReader, RENDERERS, CODE_COLORS, SEARCH] },
};

/** Slices per run. After these the result so far is drawn, and a job that is no longer wanted is dropped. */
const SLICES = 8;

/** Runs some of the steps of a job, a few milliseconds per turn of the event loop, starting after the next frame. */
async function runJob(job: ColorJob | FindJob, { slice }: LoadTools<true>): Promise<true> {
	const steps = job.steps();
	for (let slices = 0; slices < SLICES; slices++) {
		await slice.yieldToEventLoop();
		// At least one step, however late the turn comes: otherwise a busy event loop would keep it from ever ending.
		do {
			if (steps.next().done) return true;
		} while (!slice.shouldYield());
	}
	return true;
}

/**
 * Keeps the conversation and the tree in sync: the conversation begins at the entry under the tree's cursor; while the
 * reader has the focus, the cursor follows the entry being read.
 */
function reconcileReader(state: State): State {
	const placed = place(withoutFind(state));
	if (selectReader(placed) === undefined) return placed;
	const ended = followTail(placed);
	const foundState = continueSeek(continueFind(renewFind(ended)));
	return followReading(foundState);
}

/** Ends the search when the reader loses the focus. */
function withoutFind(state: State): State {
	const { reader, focus } = state;
	return focus === "reader" || reader.find === undefined ? state : { ...state, reader: { ...reader, find: undefined } };
}

/** Moves the conversation to the entry under the tree's cursor, unless the reader has the focus. */
function place(state: State): State {
	const session = state.detail.session;
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
	const session = state.detail.session;
	const id = currentEntry(state)?.id;
	if (session === undefined || id === undefined) return state;
	const selected = id === conversationLeaf(session) ? undefined : id;
	const moved = selected === state.tree.selected ? state : { ...state, tree: { ...state.tree, selected } };
	const placed = selectedEntry(moved)?.id;
	return placed === state.reader.placed ? moved : { ...moved, reader: { ...moved.reader, placed } };
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
