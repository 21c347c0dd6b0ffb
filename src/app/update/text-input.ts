import { stripVTControlCharacters } from "node:util";
import { lastQuery } from "../../catalog/query/last-query.ts";
import { parseQuery } from "../../catalog/query/parse-query.ts";
import type { State } from "../model/state.ts";
import { editFind } from "../reader/find.ts";
import { type EditedText, insertText } from "../text/edit.ts";
import { editPrompt } from "./overlay.ts";

/** The filter of the focused pane; the entry's text has none. */
export function queryOf(state: State): string {
	return state.focus === "reader" ? "" : state[state.focus].query.text;
}

/** Edits what is being typed: the open prompt, else the filter of the focused pane. */
export function edit(state: State, change: (value: EditedText) => EditedText): State {
	if (state.overlays.length > 0) return editPrompt(state, change);
	return state.focus === "reader" && state.reader.find?.typing === true
		? editFind(state, change)
		: editQuery(state, change);
}

/** Edits the filter of the focused pane. A changed filter moves the cursor to the first row, a cleared one does not. */
export function editQuery(state: State, change: (value: EditedText) => EditedText): State {
	if (state.focus === "list") {
		const query = change(state.list.query);
		if (query.text === state.list.query.text) return { ...state, list: { ...state.list, query } };
		return { ...state, list: { ...state.list, query, cursorSet: query.text === "" } };
	}
	if (state.focus === "tree") {
		const query = change(state.tree.query);
		if (query.text === state.tree.query.text) return { ...state, tree: { ...state.tree, query } };
		const parsed = parseQuery(query.text);
		const next =
			"error" in parsed
				? { parsed: lastQuery(state.tree.parsed, query.text.trim()), mistake: parsed.error }
				: { parsed: parsed.query, mistake: undefined };
		return { ...state, tree: { ...state.tree, query, ...next, folded: new Set() } };
	}
	// While two branches are compared nothing is filtered.
	if (state.focus === "branches" && state.branches.compared === undefined)
		return { ...state, branches: { ...state.branches, query: change(state.branches.query) } };
	return state;
}

/** Types text into the prompt or filter as it is: what is drawn is cleaned, what is stored or searched is what was typed. */
export function typeText(state: State, text: string): State {
	const typed = typable(text);
	return typed === "" ? state : edit(state, (value) => insertText(value, typed));
}

const OUTER_LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;
const BETWEEN_LINES = /[\r\n]+|\t/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** What of a pasted text can be in one line: tabs and line ends become blanks, escape sequences and controls are left out. */
function typable(text: string): string {
	const line = text.replace(OUTER_LINE_ENDS, "").replace(BETWEEN_LINES, " ");
	return stripVTControlCharacters(line).replace(CONTROLS, "");
}
