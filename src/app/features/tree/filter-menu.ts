import { TREE_FILTERS, type TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import { menu } from "../../world/screen/menus.ts";
import type { MenuOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

const LABELS: Readonly<Record<TreeFilter, string>> = {
	default: "The conversation",
	"no-tools": "Without tools",
	"user-only": "Only your prompts",
	"labeled-only": "Only labeled entries",
	all: "Every entry",
	turns: "Turns: each prompt and its last answer",
	errors: "Only what failed, on all branches",
};

/** The filters of the tree, the one in use highlighted. */
export function filterMenu(
	{ tree: { filter } }: State,
	choose: (state: State, filter: TreeFilter) => State,
): MenuOverlay {
	return menu("Show in the tree", [], {
		index: TREE_FILTERS.indexOf(filter),
		items: TREE_FILTERS.map((each) => ({ label: LABELS[each], change: (now: State) => choose(now, each) })),
	});
}
