import { stripVTControlCharacters } from "node:util";
import type { EditedText } from "../../../ui/field/edit.ts";
import { canEdit, type Edit, insert } from "../../../ui/field/typing.ts";
import { editCommands } from "../../features/commands/commands-box.ts";
import { editProjects } from "../../features/list/projects-overlay.ts";
import { editFind } from "../../features/reader/find.ts";
import { editTreeFilter } from "../../features/tree/filter-tree.ts";
import { editListQuery } from "../../world/list/edit-query.ts";
import { replaceTop, topOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { openedPage } from "../features/pages.ts";

/** The field that keys go to: that of the open overlay, else the filter of the focused pane; undefined if there is none. */
export function fieldOf(state: State): EditedText | undefined {
	const overlay = topOverlay(state);
	if (overlay?.kind === "prompt") return overlay.value;
	if (overlay?.kind === "palette" || overlay?.kind === "projects") return overlay.query;
	if (overlay !== undefined) return openedPage(state)?.field?.of(state);
	if (state.focus === "reader") return state.reader.find?.typing === true ? state.reader.find.text : undefined;
	if (state.focus === "branches" && state.branches.compared !== undefined) return undefined;
	return state[state.focus].query;
}

/** Edits the text of the field that keys go to. */
export function edit(state: State, change: Edit): State {
	const field = fieldOf(state);
	if (field === undefined) return state;
	const [next, typing] = change(field, state.typing);
	return withField({ ...state, typing }, next);
}

/** Whether an edit would change that text, or move the cursor in it. */
export function canEditHere(state: State, change: Edit): boolean {
	const field = fieldOf(state);
	return field !== undefined && canEdit(field, state.typing, change);
}

/** The same, and the last key edited the text or moved the cursor in it: then keys that also move rows apply to the text. */
export function canGoOnEditing(state: State, change: Edit): boolean {
	return state.typing.last !== undefined && canEditHere(state, change);
}

/** Ends editing because the person has pressed another key. */
export function endEditing(state: State): State {
	const { typing } = state;
	return typing.last === undefined ? state : { ...state, typing: { ...typing, last: undefined } };
}

/** The state with another text in the field that keys go to. */
function withField(state: State, field: EditedText): State {
	const replace = (): EditedText => field;
	const overlay = topOverlay(state);
	if (overlay?.kind === "palette") return replaceTop(state, editCommands(overlay, replace));
	if (overlay?.kind === "projects") return replaceTop(state, editProjects(overlay, replace));
	if (overlay?.kind === "prompt") return replaceTop(state, { ...overlay, value: field });
	if (overlay !== undefined) return openedPage(state)?.field?.edit(state, field) ?? state;
	switch (state.focus) {
		case "list":
			return editListQuery(state, replace);
		case "tree":
			return editTreeFilter(state, replace);
		case "reader":
			return editFind(state, replace);
		case "branches":
			return { ...state, branches: { ...state.branches, query: field } };
	}
}

/** Inserts text into the field as it is: only what is drawn is cleaned. */
export function typeText(state: State, text: string): State {
	const typed = typable(text);
	return typed === "" ? state : edit(state, insert(typed));
}

const OUTER_LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;
const BETWEEN_LINES = /[\r\n]+|\t/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** A pasted text as one line: tabs and line ends become blanks, escape sequences and control characters are removed. */
function typable(text: string): string {
	const line = text.replace(OUTER_LINE_ENDS, "").replace(BETWEEN_LINES, " ");
	return stripVTControlCharacters(line).replace(CONTROLS, "");
}
