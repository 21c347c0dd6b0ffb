import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SessionHits } from "../../../catalog/search/search.ts";
import { ColorJob, type PlainPiece } from "../../../conversation/document/document.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import { isEndVisible, lastTop, rowsFrom } from "../../../conversation/document/walk.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { loadRenderers, type Renderers } from "../../../conversation/render/renderers.ts";
import { type Steps, TimeSlice } from "../../../shared/steps.ts";
import type { Runners } from "../../world/effects/runners.ts";
import { currentEntry, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { selectedEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import type { Effect } from "../../world/state/effect.ts";
import { placedAt, type ReaderState } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { continueFind, renewFind } from "./find.ts";
import { scrolledTo } from "./scroll.ts";
import { applyHits, continueSeek } from "./search-results.ts";

export const READER: Feature<ReaderAction> = {
	on: {
		hits: applyHits,
		// Running the same job again resumes it.
		"conversation-searched": (state, { job }) =>
			state.reader.searching === job ? withReader(state, { searching: undefined }) : state,
		colored: (state, { job }) => (state.reader.coloring === job ? withReader(state, { coloring: undefined }) : state),
		renderers: (state, { renderers }) => withReader(state, { renderers }),
	},
};

function withReader(state: State, fields: Partial<ReaderState>): State {
	return { ...state, reader: { ...state.reader, ...fields } };
}

type ReaderAction =
	| { readonly type: "hits"; readonly path: string; readonly query: Query; readonly found: SessionHits }
	/** A job has searched more of the conversation. */
	| { readonly type: "conversation-searched"; readonly job: FindJob }
	/** Visible code has been highlighted. */
	| { readonly type: "colored"; readonly job: ColorJob }
	/** The libraries that parse Markdown and code are loaded. */
	| { readonly type: "renderers"; readonly renderers: Renderers };

type ReaderEffect =
	/** Search more of the conversation. */
	| { readonly type: "search-conversation"; readonly job: FindJob }
	/** Highlight the visible code. */
	| { readonly type: "color"; readonly job: ColorJob }
	/** Load the libraries that parse Markdown and code. */
	| { readonly type: "load-renderers" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly reader: ReaderAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly reader: ReaderEffect;
	}
}

/** Searches the conversation, highlights its code and loads what renders it. */
export const READER_EFFECTS: Runners<ReaderEffect["type"]> = {
	async "search-conversation"({ job }) {
		await runInSlices(job.steps());
		return { type: "conversation-searched", job };
	},
	async color({ job }) {
		await runInSlices(job.steps());
		return { type: "colored", job };
	},
	"load-renderers": async () => ({ type: "renderers", renderers: await loadRenderers() }),
};

/** Slices per run. After these the result so far is drawn, and a job that is no longer wanted is dropped. */
const SLICES = 8;

/** Runs some of the steps, a few milliseconds per turn of the event loop, starting after the next frame. */
async function runInSlices(steps: Steps<void>): Promise<void> {
	const slice = new TimeSlice();
	for (let slices = 0; slices < SLICES; slices++) {
		await slice.yieldToEventLoop();
		// At least one step, however late the turn comes: otherwise a busy event loop would keep it from ever ending.
		do {
			if (steps.next().done) return;
		} while (!slice.shouldYield());
	}
}

/** The conversation begins at the entry under the tree's cursor; while the reader has the focus, the cursor follows what is read. */
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
