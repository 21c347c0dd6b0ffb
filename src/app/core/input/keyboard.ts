import { stripVTControlCharacters } from "node:util";
import type { EditedText } from "../../../ui/field/edit.ts";
import { canEdit, clear, type Edit, insert } from "../../../ui/field/typing.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { moveInBranches } from "../../features/branches/branches-keys.ts";
import { commandRows, scrolledToCommand } from "../../features/commands/commands-box.ts";
import { shownCommands } from "../../features/commands/list-commands.ts";
import { editHelp, scrollHelp } from "../../features/help/help-page.ts";
import { ALTERNATIVES, hasAlternatives } from "../../features/list/alternative-rows.ts";
import { projectRows } from "../../features/list/projects-overlay.ts";
import { SESSIONS } from "../../features/list/session-rows.ts";
import { editFind } from "../../features/reader/find.ts";
import { scrollReader } from "../../features/reader/scroll.ts";
import { moveInTree } from "../../features/tree/tree-cursor.ts";
import { editTreeFilter } from "../../features/tree/tree-settings.ts";
import { editListQuery } from "../../world/list/list-actions.ts";
import { shownProjects } from "../../world/list/projects.ts";
import { moveBlame } from "../../world/opened/blame-lines.ts";
import { isLongPrompt } from "../../world/opened/comment-lines.ts";
import { firstShown, shownItems } from "../../world/screen/menus.ts";
import { contextBelow, contextOf } from "../../world/state/binding.ts";
import {
	type ChoiceOverlay,
	closeOverlay,
	isChoice,
	type MenuItem,
	replaceTop,
	topOverlay,
} from "../../world/state/overlays.ts";
import { type Focus, type State, type Transition, transition } from "../../world/state/state.ts";
import { FILTERED, openedPage } from "../features/features.ts";

/** Moves in the open overlay, otherwise in the focused pane. Beyond an end of a menu is its other end; nothing else wraps. */
export function moveHere(state: State, distance: Distance): State {
	if (state.overlays.length === 0) return moveIn(state, state.focus, distance);
	const moved = moveInOverlay(state, distance);
	const isAtEnd = menuIndex(state) !== undefined && menuIndex(moved) === menuIndex(state);
	if (!isAtEnd || !("rows" in distance) || Math.abs(distance.rows) !== 1) return moved;
	return moveInOverlay(state, { end: distance.rows === 1 ? "first" : "last" });
}

function menuIndex(state: State): number | undefined {
	const overlay = topOverlay(state);
	return isChoice(overlay) ? overlay.index : undefined;
}

export function moveIn(state: State, pane: Focus, distance: Distance): State {
	switch (pane) {
		case "list":
			return hasAlternatives(state) ? ALTERNATIVES.move(state, distance) : SESSIONS.move(state, distance);
		case "tree":
			return moveInTree(state, distance);
		case "reader":
			return scrollReader(state, distance);
		case "branches":
			return moveInBranches(state, distance);
	}
}

export function moveInOverlay(state: State, distance: Distance): State {
	const overlay = topOverlay(state);
	if (isChoice(overlay)) {
		const [count, height] = rowsOfChoice(state, overlay);
		const moved = { ...overlay, index: Math.max(0, target(overlay.index, distance, height, count)) };
		return replaceTop(state, moved.kind === "palette" ? scrolledToCommand(state, moved) : moved);
	}
	if (overlay?.kind === "help") return replaceTop(state, { ...overlay, top: scrollHelp(state, overlay, distance) });
	if (overlay?.kind === "prompt") return state;
	if (overlay?.kind === "blame") return moveBlame(state, distance);
	return openedPage(state)?.move(state, distance) ?? state;
}

function rowsOfChoice(state: State, overlay: ChoiceOverlay): readonly [count: number, height: number] {
	switch (overlay.kind) {
		case "menu": {
			const count = shownItems(overlay).length;
			return [count, count];
		}
		case "palette":
			return [shownCommands(state, overlay).length, commandRows(state)];
		case "projects":
			return [shownProjects(state, overlay).length, projectRows(state)];
	}
}

/** Enter in an overlay: chooses the highlighted item, or submits the prompt. */
export function submit(state: State): Transition {
	const overlay = topOverlay(state);
	if (overlay?.kind === "menu") return choose(state, shownItems(overlay)[overlay.index]);
	return overlay?.kind === "prompt"
		? overlay.submit(closeOverlay(state), overlay.value.text.trim())
		: transition(state);
}

/** Chooses the item of a menu by its number, where they are numbered; undefined if the key is none. */
export function chooseNumber(state: State, key: string): Transition | undefined {
	const overlay = topOverlay(state);
	if (state.environment.plain !== true || overlay?.kind !== "menu" || !/^[1-9]$/.test(key)) return undefined;
	const item = shownItems(overlay)[Number(key) - 1];
	return item && choose(state, item);
}

/** Closes the menu and does what an item says; if what is typed names none, the menu stays. */
function choose(state: State, item: MenuItem | undefined): Transition {
	if (item === undefined) return transition(state);
	const closed = closeOverlay(state);
	const next = item.change?.(closed) ?? closed;
	return item.effect === undefined ? transition(next) : transition(next, item.effect);
}

/** A question with so few answers has no field: there is nothing to narrow. */
const MOST_ANSWERS = 2;

/** The field that has the caret; undefined in a document, until `/` opens its filter. */
export function fieldOf(state: State): EditedText | undefined {
	return FILTERED.includes(contextOf(state)) ? undefined : textHere(state);
}

/** The text of the open overlay, page or pane, whether or not the caret is in it. */
function textHere(state: State): EditedText | undefined {
	const overlay = topOverlay(state);
	if (overlay?.kind === "prompt") return overlay.value;
	if (overlay?.kind === "menu" && overlay.items.length <= MOST_ANSWERS) return undefined;
	if (isChoice(overlay) || overlay?.kind === "help") return overlay.query;
	if (overlay?.kind === "blame") return undefined;
	if (overlay !== undefined) return openedPage(state)?.field?.of(state);
	if (state.focus === "reader") return state.reader.find?.typing === true ? state.reader.find.text : undefined;
	return state[state.focus].query;
}

/** Whether something is typed here that narrows the rows. */
export function isFiltered(state: State): boolean {
	return (textHere(state)?.text ?? "") !== "";
}

/** Puts the caret into the filter of a document. */
export function openFilter(state: State): State {
	return { ...state, filtering: contextBelow(state) };
}

/** Letters are keys again; the filter stays. */
export function closeFilter(state: State): State {
	return { ...state, filtering: undefined };
}

/** Clears the text here, and closes its field if that is behind `/`. */
export function clearField(state: State): State {
	return closeFilter(edit(openFilter(state), clear));
}

/** The field of a document closes when something else opens, or another pane gets the keys. */
export function reconcileFilter(state: State): State {
	return state.filtering === undefined || state.filtering === contextBelow(state) ? state : closeFilter(state);
}

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
	const { last } = state.typing;
	return last !== undefined && last.kind !== "mark" && canEditHere(state, change);
}

/** Ends editing because the person has pressed another key. */
export function endEditing(state: State): State {
	const { typing } = state;
	return typing.last === undefined ? state : { ...state, typing: { ...typing, last: undefined } };
}

function withField(state: State, field: EditedText): State {
	const replace = (): EditedText => field;
	const overlay = topOverlay(state);
	if (isChoice(overlay)) return replaceTop(state, withQuery(overlay, field));
	if (overlay?.kind === "help") return replaceTop(state, editHelp(overlay, field));
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

/** The rows that another text leaves; the best of them is highlighted. */
function withQuery(overlay: ChoiceOverlay, query: EditedText): ChoiceOverlay {
	const edited = { ...overlay, query };
	if (query.text.trim() === overlay.query.text.trim()) return edited;
	if (edited.kind === "menu") return { ...edited, index: firstShown(edited) };
	return edited.kind === "palette" ? { ...edited, index: 0, highlighted: undefined, top: 0 } : { ...edited, index: 0 };
}

/** Inserts text into the field as it is: only what is drawn is cleaned. */
export function typeText(state: State, text: string): State {
	const typed = typable(text, isLongPrompt(state));
	return typed === "" ? state : edit(state, insert(typed));
}

const OUTER_LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;
const NEVER = /(?!)/;
const BETWEEN_LINES = /[\r\n]+|\t/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * A pasted text: tabs become blanks, and line ends, too, unless the field keeps its lines; escape sequences and control characters are
 * removed.
 */
function typable(text: string, keepsLines: boolean): string {
	const lines = text.replace(OUTER_LINE_ENDS, "").split(keepsLines ? /\r\n?|\n/ : NEVER);
	return lines
		.map((line) => stripVTControlCharacters(line.replace(BETWEEN_LINES, " ")).replace(CONTROLS, ""))
		.join("\n");
}
