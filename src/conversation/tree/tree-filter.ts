/** pi's five tree filters, in the order in which ctrl+o goes through them, then turns folded, then what failed. */
export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all", "turns", "errors"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];
