import type { Feature } from "../../world/page/feature.ts";
import { applyDrawing } from "./reconcile-drawing.ts";
import type { TreeAction } from "./tree-messages.ts";

export const TREE: Feature<TreeAction> = {
	on: {
		"tree-drawn": (state, { drawing }) => applyDrawing(state, drawing),
	},
};
