import type { Query } from "../../../catalog/query/parse-query.ts";
import {
	type Drawing,
	growDrawing,
	hasOnlyGrown,
	sameInput,
	type TreeInput,
} from "../../../conversation/tree/draw-tree.ts";
import type { Runners } from "../../world/effects/runners.ts";
import { isLarge, treeInput } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import type { Action } from "../../world/state/action.ts";
import type { TreeDrawing } from "../../world/state/opened-state.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { drawInSlices } from "./draw-in-slices.ts";

export const TREE: Feature<TreeAction> = {
	on: {
		"tree-drawn": (state, { drawing }) => applyDrawing(state, drawing),
	},
};

/** Actions of the tree. */
type TreeAction =
	/** The tree of a large session has been drawn, in part or completely. */
	{ readonly type: "tree-drawn"; readonly drawing: Drawing };

/** Effects of the tree. */
type TreeEffect =
	/** Find all hits in one session. */
	| { readonly type: "find-hits"; readonly path: string; readonly query: Query }
	/**
	 * Draw the tree of a large session, cancelling the running drawing. `before`: its current drawing. `near`: id of the
	 * entry around which entries are matched against the filter first.
	 */
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
	async "draw-tree"(effect, { store, report, latest }) {
		const drawn = (drawing: Drawing): Action => ({ type: "tree-drawn", drawing });
		const drawing = await latest((slice, signal) =>
			drawInSlices(
				effect,
				{
					matches: (query, entries) => store.catalog.matches(query, entries),
					onProgress: (found) => report(drawn(found)),
				},
				slice,
				signal,
			),
		);
		return drawing && drawn(drawing);
	},
	async "find-hits"({ path, query }, { store }) {
		return { type: "hits", path, query, found: await store.catalog.hits(query, path) };
	},
};
