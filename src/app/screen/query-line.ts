import { isSearched, queryProblem } from "../list/select-list.ts";
import type { State } from "../model/state.ts";
import type { Line } from "../model/view.ts";
import type { EditedText } from "../text/edit.ts";
import { formatCount } from "../text/format.ts";
import { type CleanText, cleanText, joinText } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { cutLine, cutText, cutTextStart, joinEnds, textWidth } from "../text/width.ts";
import { selectedEntry } from "../tree/select-tree.ts";
import { keyLabel } from "./footer.ts";

/**
 * Second row: the filter of the focused pane, with the reason when it cannot be used, and the cursor's cell in the row. The
 * text of an entry has no filter, so there nothing looks as if it could be typed into.
 */
export function selectQueryLine(state: State): { readonly line: Line; readonly cursor: number | undefined } {
	const { columns } = state.size;
	if (state.focus === "entry") {
		const about: Line = [span(" the text of one entry: ↑ ↓ space b scroll, ← goes back", "muted")];
		return { line: joinEnds(about, cutLine(hitNote(state), Math.floor(columns / 2)), columns), cursor: undefined };
	}
	const tree = state.focus === "tree";
	const { query } = tree ? state.tree : state.list;
	const prompt = cleanText(tree ? " tree > " : " > ");
	const room = Math.max(4, columns - textWidth(prompt) - 2);
	const { text, cursor } = showEdited(query, room);
	// The notes get the space that the typed text leaves, and at least half of the row.
	const notes = Math.max(Math.floor(columns / 2), columns - textWidth(prompt) - textWidth(text) - 2);
	const left: Line = [span(prompt, "accent"), text === "" ? span(hint(tree), "muted") : span(text)];
	return {
		line: joinEnds(left, cutLine(waitingNote(state) ?? (tree ? treeNotes(state) : listNotes(state)), notes), columns),
		cursor: textWidth(prompt) + cursor,
	};
}

/** UTF-16 units of a text that are looked at for a cell of the screen. */
const UNITS_PER_CELL = 16;

/** The part of an edited text that fits in `room` cells with its cursor in sight, and the cursor's cell in it. */
export function showEdited(
	{ text, cursor }: EditedText,
	room: number,
): { readonly text: CleanText; readonly cursor: number } {
	// More than fits, unless it is hardly seen: what is not in sight need not be cleaned.
	const near = room * UNITS_PER_CELL;
	const before = cutTextStart(cleanText(text.slice(Math.max(0, cursor - near), cursor)), room - 1);
	const at = textWidth(before);
	return { text: joinText(before, cutText(cleanText(text.slice(cursor, cursor + near)), room - at)), cursor: at };
}

function hint(tree: boolean): string {
	return tree
		? 'type to filter the entries: words, "phrase", re:pattern, role:user'
		: 'type to search everything: words, "phrase", re:pattern, role:user, tool:bash, file:, label:, in:summary, is:named';
}

/** Which key waits for the answer to what was typed before it. */
function waitingNote({ waiting: [first] }: State): Line | undefined {
	if (first === undefined) return undefined;
	return [span(` ${first.type === "key" ? keyLabel(first.key) : "text"} waits for the answer, esc stops it `, "muted")];
}

/** What is wrong with the query, else the progress of the search. */
function listNotes(state: State): Line {
	const problem = queryProblem(state);
	if (problem !== undefined) return [span(` ${problem} `, "error")];
	const { requested, query, searched, total } = state.list.search;
	if (requested.text === "" || isSearched(state)) return [];
	if (query !== requested || searched === 0) return [span(" searching … ", "muted")];
	const all = Math.max(total, state.catalog.total);
	return [span(` searched ${formatCount(searched)} of ${formatCount(all)} … `, "muted")];
}

/** What is wrong with the tree's filter, else which hit of the list's search is shown. */
function treeNotes(state: State): Line {
	const { drawing, query: typed, mistake } = state.tree;
	if (mistake !== undefined) return [span(` ${mistake} `, "error")];
	if (typed.text !== "" && drawing?.input !== drawing?.drawn?.input) return [span(" filtering … ", "muted")];
	return hitNote(state);
}

/** Which hit of the list's search the cursor is on. */
function hitNote(state: State): Line {
	const { hits, selected } = state.tree;
	if (hits === undefined || hits.ids.length === 0) return [];
	const at = hits.ids.indexOf(selected ?? selectedEntry(state)?.id ?? "") + 1;
	return [
		span(
			` hit ${at === 0 ? "–" : formatCount(at)} of ${formatCount(hits.ids.length)} for ${hits.query.text} `,
			"match",
		),
	];
}
