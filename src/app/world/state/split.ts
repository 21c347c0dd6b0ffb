/**
 * The movable dividers: right of the list beside one pane, beside two, and beside two of which one has the focus; between
 * the tree and the reader side by side; below the tree while the tree has the focus, and while the reader has it.
 */
export type DividerName = "list" | "list-wide" | "list-aside" | "columns" | "rows" | "rows-reader";

/** The share of the screen before each divider, from 0 to 1. */
export type Split = Readonly<Record<DividerName, number>>;

/** The focused pane has more room. */
export const FIRST_SPLIT: Split = {
	list: 0.44,
	"list-wide": 0.34,
	"list-aside": 0.22,
	columns: 0.475,
	rows: 0.5,
	"rows-reader": 0.27,
};
