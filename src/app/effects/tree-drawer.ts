import { TimeSlice } from "../../shared/time-slice.ts";
import { type Drawing, drawTree, type TreeInput } from "../tree/draw-tree.ts";

/** Draws the tree of one large session at a time, a few milliseconds between two turns of the event loop. */
export interface TreeDrawer {
	/** Resolves to the drawing, or to undefined when a later call came in between. */
	draw(input: TreeInput, before: Drawing | undefined): Promise<Drawing | undefined>;
	close(): void;
}

export function createTreeDrawer(): TreeDrawer {
	let current: AbortController | undefined;
	return {
		async draw(input, before) {
			current?.abort();
			const mine = new AbortController();
			current = mine;
			try {
				return await new TimeSlice(mine.signal).run(drawTree(input, before));
			} catch (error) {
				if (mine.signal.aborted) return undefined;
				throw error;
			}
		},
		close() {
			current?.abort();
		},
	};
}
