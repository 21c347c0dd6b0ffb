import { lastQuery, parseEntryQuery } from "../../../catalog/query/parse-query.ts";
import { TREE_FILTERS, type TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import { menu } from "../../world/screen/menus.ts";
import type { MenuOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** Edits the text of the tree's filter. While it does not parse, the last query that did stays in effect. */
export function editTreeFilter(state: State, change: (value: EditedText) => EditedText): State {
	const query = change(state.tree.query);
	if (query.text === state.tree.query.text) return { ...state, tree: { ...state.tree, query } };
	const parsed = parseEntryQuery(query.text, state.now, tagsOfOpened(state));
	const next =
		"error" in parsed
			? { parsed: lastQuery(state.tree.parsed, query.text.trim()), mistake: parsed.error }
			: { parsed: parsed.query, mistake: undefined };
	return { ...state, tree: { ...state.tree, query, ...next, folded: new Set() } };
}

/** The tags of the open session. */
export function tagsOfOpened({ detail, marks }: State): readonly string[] {
	return (detail.status === "none" ? undefined : marks.tags.get(detail.row.id)) ?? [];
}

/** Sets the filter. As in pi, this unfolds what was folded by hand, so that no match stays hidden; open branches stay open. */
export function filterBy(state: State, filter: TreeFilter): State {
	return { ...state, tree: { ...state.tree, filter, folded: new Set() } };
}

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
