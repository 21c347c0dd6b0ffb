import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Drawing, TreeInput } from "../../../conversation/tree/draw-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { applyDrawing } from "./reconcile-drawing.ts";

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
export type TreeEffect =
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
