import { isSearched, queryProblem } from "../list/select-list.ts";
import type { State } from "../model/state.ts";
import type { Line } from "../model/view.ts";
import type { EditedText } from "../text/edit.ts";
import { formatCount } from "../text/format.ts";
import { cutLine, cutText, cutTextStart, joinEnds, textWidth } from "../text/width.ts";
import { selectedEntry, selectTree } from "../tree/select-tree.ts";

/**
 * Second row: the filter of the focused pane, with the reason when it cannot be used, and the cursor's cell in the row. The
 * text of an entry has no filter, so there nothing looks as if it could be typed into.
 */
export function selectQueryLine(state: State): { readonly line: Line; readonly cursor: number | undefined } {
	const { columns } = state.size;
	if (state.focus === "entry") {
		const about: Line = [{ text: " the text of one entry: ↑ ↓ space b scroll, ← goes back", tone: "muted" }];
		return { line: joinEnds(about, cutLine(hitNote(state), Math.floor(columns / 2)), columns), cursor: undefined };
	}
	const tree = state.focus === "tree";
	const { query } = tree ? state.tree : state.list;
	const prompt = tree ? " tree > " : " > ";
	const room = Math.max(4, columns - textWidth(prompt) - 2);
	const { text, cursor } = showEdited(query, room);
	// The notes get the space that the typed text leaves, and at least half of the row.
	const notes = Math.max(Math.floor(columns / 2), columns - textWidth(prompt) - textWidth(text) - 2);
	const left: Line = [{ text: prompt, tone: "accent" }, text === "" ? { text: hint(tree), tone: "muted" } : { text }];
	return {
		line: joinEnds(left, cutLine(tree ? treeNotes(state) : listNotes(state), notes), columns),
		cursor: textWidth(prompt) + cursor,
	};
}

/** The part of an edited text that fits in `room` cells with its cursor in sight, and the cursor's cell in it. */
export function showEdited(
	{ text, cursor }: EditedText,
	room: number,
): { readonly text: string; readonly cursor: number } {
	const before = cutTextStart(text.slice(0, cursor), room - 1);
	const at = textWidth(before);
	return { text: before + cutText(text.slice(cursor), room - at), cursor: at };
}

function hint(tree: boolean): string {
	return tree
		? 'type to filter the entries: words, "phrase", re:pattern, role:user'
		: 'type to search everything: words, "phrase", re:pattern, role:user, tool:bash, file:, label:, in:summary, is:named';
}

/** What is wrong with the query, else the progress of the search. */
function listNotes(state: State): Line {
	const problem = queryProblem(state);
	if (problem !== undefined) return [{ text: ` ${problem} `, tone: "error" }];
	const { requested, query, searched, total } = state.list.search;
	if (requested.text === "" || isSearched(state)) return [];
	if (query !== requested || searched === 0) return [{ text: " searching … ", tone: "muted" }];
	const all = Math.max(total, state.catalog.total);
	return [{ text: ` searched ${formatCount(searched)} of ${formatCount(all)} … `, tone: "muted" }];
}

/** What is wrong with the tree's filter, else which hit of the list's search is shown. */
function treeNotes(state: State): Line {
	const query = selectTree(state)?.query;
	if (query !== undefined && "error" in query) return [{ text: ` ${query.error} `, tone: "error" }];
	const { drawing, query: typed } = state.tree;
	if (typed.text !== "" && drawing?.input !== drawing?.drawn?.input) return [{ text: " filtering … ", tone: "muted" }];
	return hitNote(state);
}

/** Which hit of the list's search the cursor is on. */
function hitNote(state: State): Line {
	const { hits, selected } = state.tree;
	if (hits === undefined || hits.ids.length === 0) return [];
	const at = hits.ids.indexOf(selected ?? selectedEntry(state)?.id ?? "") + 1;
	return [
		{
			text: ` hit ${at === 0 ? "–" : formatCount(at)} of ${formatCount(hits.ids.length)} for ${hits.query.text} `,
			tone: "match",
		},
	];
}
