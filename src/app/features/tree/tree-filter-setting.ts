import type { Fields } from "../../../conversation/entries/fields.ts";
import { TREE_FILTERS, type TreeFilter } from "../../../conversation/tree/tree-filter.ts";

/**
 * The filter that pi's tree begins with (pi 1.5.2, docs/settings.md); `settings`: the contents of pi's settings files, the
 * project's before the person's. Undefined where none is set, or the one that counts is no filter.
 */
export function treeFilterSetting(settings: readonly Fields[]): TreeFilter | undefined {
	const mode = settings.map(({ treeFilterMode }) => treeFilterMode).find((value) => value !== undefined);
	return TREE_FILTERS.find((filter) => filter === mode);
}
