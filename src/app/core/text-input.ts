import { stripVTControlCharacters } from "node:util";
import type { EditedText } from "../../ui/field/edit.ts";
import { canEdit, type Edit, insert } from "../../ui/field/typing.ts";
import { editFind } from "../features/reader/find.ts";
import { editTreeFilter } from "../features/tree/filter-tree.ts";
import { editListQuery } from "../world/list/edit-query.ts";
import { topOverlay } from "../world/state/overlays.ts";
import type { State } from "../world/state/state.ts";
import { openedPage } from "./features/pages.ts";
import { editPrompt } from "./overlay-input.ts";

/** The field that keys go to: the open prompt, else the filter of the focused pane; undefined where nothing can be typed. */
function fieldOf(state: State): EditedText | undefined {
	const overlay = topOverlay(state);
	if (overlay?.kind === "prompt") return overlay.value;
	if (overlay?.kind === "palette" || overlay?.kind === "projects") return overlay.query;
	if (overlay !== undefined) return openedPage(state)?.field?.of(state);
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

/** Edits the filter of the focused pane. */
function editQuery(state: State, change: (value: EditedText) => EditedText): State {
	if (state.focus === "list") return editListQuery(state, change);
	if (state.focus === "tree") return editTreeFilter(state, change);
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
