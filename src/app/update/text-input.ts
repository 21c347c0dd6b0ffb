import { stripVTControlCharacters } from "node:util";
import { lastQuery } from "../../catalog/query/last-query.ts";
import { parseEntryQuery } from "../../catalog/query/parse-query.ts";
import { type EditedText, replaceText } from "../../ui/field/edit.ts";
import { canEdit, type Edit, insert } from "../../ui/field/typing.ts";
import { rowHeight } from "../list/list-view.ts";
import type { State } from "../model/state.ts";
import { editFind } from "../reader/find.ts";
import { parseTyped } from "../saved/command.ts";
import { editPrompt } from "./overlay.ts";

/** The filter of the focused pane; the entry's text has none. */
export function queryOf(state: State): string {
	return state.focus === "reader" ? "" : state[state.focus].query.text;
}

/** The field that keys go to: the open prompt, else the filter of the focused pane; undefined where nothing can be typed. */
function fieldOf(state: State): EditedText | undefined {
	const overlay = state.overlays.at(-1);
	if (overlay !== undefined)
		return overlay.kind === "prompt"
			? overlay.value
			: overlay.kind === "palette" || overlay.kind === "projects"
				? overlay.query
				: overlay.kind === "uses"
					? state.uses.query
					: undefined;
	if (state.focus === "reader") return state.reader.find?.typing === true ? state.reader.find.text : undefined;
	if (state.focus === "branches" && state.branches.compared !== undefined) return undefined;
	return state[state.focus].query;
}

/** Edits what is being typed. */
export function edit(state: State, change: Edit): State {
	const field = fieldOf(state);
	if (field === undefined) return state;
	const [next, typing] = change(field, state.typing);
	return withField({ ...state, typing }, next);
}

/** Types a text in the place of what is typed. */
export function typeInstead(state: State, text: string): State {
	return edit(state, (field, typing) => [replaceText(field, text, text.length), { ...typing, last: undefined }]);
}

/** Whether an edit would change what is being typed, or move the cursor in it. */
export function canEditHere(state: State, change: Edit): boolean {
	const field = fieldOf(state);
	return field !== undefined && canEdit(field, state.typing, change);
}

/** The same while the last key was typed, too, or moved the cursor in the text: then keys that also move rows mean the text. */
export function canGoOnEditing(state: State, change: Edit): boolean {
	return state.typing.last !== undefined && canEditHere(state, change);
}

/** What was typed before is done with: the person has pressed another key. */
export function endEditing(state: State): State {
	const { typing } = state;
	return typing.last === undefined ? state : { ...state, typing: { ...typing, last: undefined } };
}

function withField(state: State, field: EditedText): State {
	if (state.overlays.length > 0) return editPrompt(state, () => field);
	return state.focus === "reader" ? editFind(state, () => field) : editQuery(state, () => field);
}

/**
 * Edits the filter of the focused pane. A changed filter moves the cursor to the first row; a cleared one leaves it on its
 * session, in the same row of the screen.
 */
function editQuery(state: State, change: (value: EditedText) => EditedText): State {
	if (state.focus === "list") {
		const query = change(state.list.query);
		if (query.text === state.list.query.text) return { ...state, list: { ...state.list, query } };
		const before = parseTyped(state.list.query.text).query;
		const now = parseTyped(query.text).query;
		const saved = {
			...state.saved,
			index: undefined,
			lastQuery: now === "" && before !== "" ? before : state.saved.lastQuery,
		};
		if (now === before) return { ...state, saved, list: { ...state.list, query } };
		const isCleared = now === "";
		const keptRow = isCleared ? (state.list.index - state.list.top) * rowHeight(state) : undefined;
		return { ...state, saved, list: { ...state.list, query, cursorSet: isCleared, keptRow } };
	}
	if (state.focus === "tree") {
		const query = change(state.tree.query);
		if (query.text === state.tree.query.text) return { ...state, tree: { ...state.tree, query } };
		const parsed = parseEntryQuery(query.text, state.now);
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
	return typed === "" ? state : edit(state, insert(typed));
}

const OUTER_LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;
const BETWEEN_LINES = /[\r\n]+|\t/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** What of a pasted text can be in one line: tabs and line ends become blanks, escape sequences and controls are left out. */
function typable(text: string): string {
	const line = text.replace(OUTER_LINE_ENDS, "").replace(BETWEEN_LINES, " ");
	return stripVTControlCharacters(line).replace(CONTROLS, "");
}
