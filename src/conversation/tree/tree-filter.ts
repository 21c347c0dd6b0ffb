/** pi's five tree filters, in the order in which ctrl+o goes through them, and one that folds each turn. */
export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all", "turns"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];
