import type { Drawing } from "../../../../conversation/tree/draw-tree.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { TreeEffect } from "../feature.ts";
import { drawInSlices } from "./draw-in-slices.ts";

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
