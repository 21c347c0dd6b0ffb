import type { Focus, Size } from "./state.ts";
import type { Box } from "./view.ts";

/** Smallest terminal that the panes are drawn in, in cells. */
export const SMALLEST = { columns: 40, rows: 10 } as const;
/** From this width on, the list and the tree are side by side. */
const WIDE_COLUMNS = 100;
/** From this many rows of panes on, the text of the entry is shown under the tree. */
const ENTRY_ROWS = 12;
/** The tree's part of the height that it shares with the entry; the same for any focus, so that nothing jumps. */
const TREE_SHARE = 0.55;

/** The boxes of the panes; undefined for a pane that is not drawn. */
export interface Layout {
	readonly wide: boolean;
	readonly list: Box | undefined;
	readonly tree: Box | undefined;
	readonly entry: Box | undefined;
}

/** Cells of a box inside its border. */
export function inner(box: Box): { readonly width: number; readonly height: number } {
	return { width: Math.max(0, box.width - 2), height: Math.max(0, box.height - 2) };
}

/**
 * Divides the terminal: two rows on top (header, query), one at the bottom (footer), panes between.
 * Wide: list left, tree and entry right. Narrow: the focused pane alone, the entry under the tree where it fits.
 */
export function layoutFor({ columns, rows }: Size, focus: Focus): Layout {
	const area: Box = { x: 0, y: 2, width: columns, height: Math.max(0, rows - 3) };
	if (columns >= WIDE_COLUMNS) {
		const listWidth = Math.max(46, Math.min(84, Math.floor(columns * 0.44)));
		const right = { ...area, x: listWidth, width: columns - listWidth };
		return { wide: true, list: { ...area, width: listWidth }, ...splitRight(right, focus) };
	}
	if (focus === "list") return { wide: false, list: area, tree: undefined, entry: undefined };
	return { wide: false, list: undefined, ...splitRight(area, focus) };
}

function splitRight(area: Box, focus: Focus): Pick<Layout, "tree" | "entry"> {
	if (area.height < ENTRY_ROWS) {
		return focus === "entry" ? { tree: undefined, entry: area } : { tree: area, entry: undefined };
	}
	const treeHeight = Math.round(area.height * TREE_SHARE);
	return {
		tree: { ...area, height: treeHeight },
		entry: { ...area, y: area.y + treeHeight, height: area.height - treeHeight },
	};
}
