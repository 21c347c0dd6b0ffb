import type { Query } from "../../../catalog/query/parse-query.ts";
import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import {
	type Drawing,
	drawMatching,
	growDrawing,
	hasOnlyGrown,
	matchingFor,
	sameInput,
	type TreeInput,
} from "../../../conversation/tree/draw-tree.ts";
import { entryColumns } from "../../../conversation/tree/entry-columns.ts";
import { filterOf } from "../../../conversation/tree/shown-entries.ts";
import type { Steps, TimeSlice } from "../../../shared/steps.ts";
import type { EffectOf, Runners } from "../../world/effects/runners.ts";
import { isLarge, treeInput } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import type { Action } from "../../world/state/action.ts";
import type { TreeDrawing } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";

export const TREE: Feature<TreeAction> = {
	on: {
		"tree-drawn": (state, { drawing }) => applyDrawing(state, drawing),
	},
};

type TreeAction =
	/** The tree of a large session has been drawn, in part or completely. */
	{ readonly type: "tree-drawn"; readonly drawing: Drawing };

type TreeEffect =
	| { readonly type: "find-hits"; readonly path: string; readonly query: Query }
	/** Draw the tree of a large session, cancelling the last. `before`: its drawing. `near`: id of the entry matched first. */
	| {
			readonly type: "draw-tree";
			readonly input: TreeInput;
			readonly before: Drawing | undefined;
			readonly near: string | undefined;
	  };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly tree: TreeAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly tree: TreeEffect;
	}
}

/** Requests the drawing of a large tree outside of `update`, unless it is drawn or being drawn from the same input. */
export function reconcileDrawing(state: State): Transition {
	const session = shownSession(state.detail);
	const { drawing } = state.tree;
	const withDrawing = (next: TreeDrawing | undefined): State => ({ ...state, tree: { ...state.tree, drawing: next } });
	if (session === undefined || !isLarge(session, state.tree.parsed))
		return transition(drawing === undefined ? state : withDrawing(undefined));
	const wanted = treeInput(state, session);
	const drawn = drawing?.drawn?.input.session.path === session.path ? drawing.drawn : undefined;
	// Pinning an entry that has a row needs no new drawing.
	const isPinned = wanted.pinned === undefined || (drawn !== undefined && hasRow(drawn, wanted.pinned));
	const input = drawn && isPinned ? { ...wanted, pinned: drawn.input.pinned } : wanted;
	if (drawing && sameInput(drawing.input, input)) return transition(state);
	const isBeingDrawn = drawing !== undefined && (drawing.drawn?.input !== drawing.input || !drawing.drawn.isComplete);
	// What is appended meanwhile is added afterwards: restarting at every append would never end.
	if (isBeingDrawn && hasOnlyGrown(drawing.input, input)) return transition(state);
	const grown = growDrawing(drawn, input);
	if (grown) return transition(withDrawing({ input, drawn: grown }));
	const near = state.tree.selected ?? session.tree.leafId ?? undefined;
	return transition(withDrawing({ input, drawn }), { type: "draw-tree", input, before: drawn, near });
}

/** Applies a drawing, unless another one has been requested since. */
function applyDrawing(state: State, drawn: Drawing): State {
	const { drawing } = state.tree;
	if (drawing?.input !== drawn.input) return state;
	return { ...state, tree: { ...state.tree, drawing: { input: drawn.input, drawn } } };
}

/** Whether an entry itself has a row; the row of a folded branch stands for all its entries. */
function hasRow({ tree: { rows } }: Drawing, id: string): boolean {
	const kind = rows.kindAt(rows.indexOf(id));
	return kind === "entry" || kind === "opened";
}

/** Draws the trees of large sessions, and finds all hits of a search in one session. */
export const TREE_EFFECTS: Runners<TreeEffect["type"]> = {
	async "draw-tree"(effect, { report, latest }) {
		const drawn = (drawing: Drawing): Action => ({ type: "tree-drawn", drawing });
		const drawing = await latest((slice) => drawInSlices(effect, (found) => report(drawn(found)), slice));
		return drawing && drawn(drawing);
	},
	async "find-hits"({ path, query }, { store }) {
		return { type: "hits", path, query, found: await store.catalog.hits(query, path) };
	},
};

/** Matches are first shown after `FIRST_MS`, then every `NEXT_MS`. */
const FIRST_MS = 8;
const NEXT_MS = 150;

/** Draws the tree of a large session in slices, matching around the entry `near` first. `onProgress` gets the drawing so far. */
export async function drawInSlices(
	{ input, before, near }: Pick<EffectOf<"draw-tree">, "input" | "before" | "near">,
	onProgress: (drawing: Drawing) => void,
	timeSlice: TimeSlice,
): Promise<Drawing> {
	// Letters that arrive together make one filter: only its last state is drawn.
	await timeSlice.yieldToEventLoop();
	const { session, filter, home } = input;
	const columns = await timeSlice.run(entryColumns(session));
	const matching = matchingFor(input, columns, before);
	if (matching?.isComplete === false) {
		const place = near === undefined ? -1 : (columns.outline.place[indexAt(columns.outline, near)] ?? -1);
		const shows = filterOf(columns, session, filter);
		const steps = matching.compare({ columns, shows, near: place, home });
		for (let wait = FIRST_MS; !(await isDoneIn(steps, wait, timeSlice)); wait = NEXT_MS)
			if (matching.found > 0) onProgress(await timeSlice.run(drawMatching(input, columns, matching)));
	}
	return timeSlice.run(drawMatching(input, columns, matching));
}

/** Runs steps for a limited time, slice by slice; returns whether they have finished. */
async function isDoneIn(steps: Steps<void>, milliseconds: number, timeSlice: TimeSlice): Promise<boolean> {
	const start = performance.now();
	while (steps.next().done !== true) {
		if (performance.now() - start >= milliseconds) return false;
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
	}
	return true;
}
