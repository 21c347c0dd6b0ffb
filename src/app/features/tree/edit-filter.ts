import { lastQuery, parseEntryQuery } from "../../../catalog/query/parse-query.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { State } from "../../world/state/state.ts";

/** Edits the words of the tree's filter; a mistake in them leaves what could be read before. */
export function editTreeFilter(state: State, change: (value: EditedText) => EditedText): State {
	const query = change(state.tree.query);
	if (query.text === state.tree.query.text) return { ...state, tree: { ...state.tree, query } };
	const parsed = parseEntryQuery(query.text, state.now);
	const next =
		"error" in parsed
			? { parsed: lastQuery(state.tree.parsed, query.text.trim()), mistake: parsed.error }
			: { parsed: parsed.query, mistake: undefined };
	return { ...state, tree: { ...state.tree, query, ...next, folded: new Set() } };
}
