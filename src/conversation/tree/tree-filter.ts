import type { Fields } from "../entries/fields.ts";

/** pi's five tree filters, in the order in which ctrl+o goes through them, then turns folded, then what failed. */
export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all", "turns", "errors"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

/**
 * The filter that pi's tree starts with (pi 1.5.2, docs/settings.md). `settings`: contents of pi's settings files, the
 * project's before the person's. Undefined if none is set, or the first one set is not a filter.
 */
export function treeFilterSetting(settings: readonly Fields[]): TreeFilter | undefined {
	const mode = settings.map(({ treeFilterMode }) => treeFilterMode).find((value) => value !== undefined);
	return TREE_FILTERS.find((filter) => filter === mode);
}
