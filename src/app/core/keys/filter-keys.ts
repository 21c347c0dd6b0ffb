import {
	acceptCandidate,
	type Completing,
	complete,
	deleteAfter,
	deleteBefore,
	type Edit,
	insert,
	killPartBefore,
	killToEnd,
	killToStart,
	killWordAfter,
	killWordBefore,
	moveBack,
	moveForward,
	moveToEnd,
	moveToStart,
	moveWordBack,
	moveWordForward,
	takeBack,
	undoTyping,
	yank,
	yankBefore,
} from "../../../ui/field/typing.ts";
import { candidatesFor } from "../../features/list/candidates.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { offersOf } from "../../world/list/select-offers.ts";
import { isLongPrompt } from "../../world/opened/comment-lines.ts";
import { canCompletePrompt, completePrompt, whyNoCompletion } from "../../world/screen/prompt-completion.ts";
import type { Binding } from "../../world/state/binding.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { FILTERED, NARROWED, openedPage, SEARCHED, TYPING_PAGES } from "../features/features.ts";
import {
	canEditHere,
	canGoOnEditing,
	clearField,
	closeFilter,
	edit,
	isFiltered,
	openFilter,
} from "../input/keyboard.ts";

/** Where one types beside rows, from the start or behind `/`. */
const FILTERS = ["list", "saved", "filter", ...TYPING_PAGES] as const;
const WITH_FIELDS = ["list", "saved", "filter"] as const;
const FILTER = ["filter"] as const;
const PROMPT = ["prompt", "find"] as const;
/** Overlays whose field narrows their rows. */
const CHOICES = ["menu", "palette", "projects"] as const;
const FIELDS = [...PROMPT, ...CHOICES] as const;
const EDITED = [...FILTERS, ...FIELDS] as const;

/**
 * Keys that otherwise move among rows or panes: while the person types they apply to the text, as far as they can; after
 * any other key they apply to rows again. They come before all others.
 */
// biome-ignore format: a table
export const TYPING_KEYS: readonly Key[] = [
	{ id: "complete", keys: ["tab"], contexts: WITH_FIELDS, pi: "tui.input.tab", when: canComplete,
		help: "complete the field or its value; again: the next candidate", condition: "after a colon or #, or a project's name, while you type",
		run: change((state) => edit(state, complete(candidatesFor(state)))) },
	{ id: "complete-back", keys: ["shift+tab"], contexts: WITH_FIELDS, when: isChoosing,
		help: "the previous candidate", condition: "while completing", run: edits(complete([], -1)) },
	{ id: "complete", keys: ["tab"], contexts: ["prompt"], short: "complete", when: canCompletePrompt, needs: whyNoCompletion,
		help: "complete it; again: the next candidate", condition: "in a prompt for a tag or a directory", run: change(completePrompt(1)) },
	{ id: "complete-back", keys: ["shift+tab"], contexts: ["prompt"], when: canCompletePrompt, needs: whyNoCompletion,
		help: "the previous candidate", condition: "in a prompt for a tag or a directory", run: change(completePrompt(-1)) },
	{ id: "complete-take", keys: ["enter"], contexts: WITH_FIELDS, when: (state) => isChoosing(state) && state.typing.last.index >= 0,
		help: "accept this candidate", condition: "while completing", run: edits(acceptCandidate) },
	{ id: "complete-undo", keys: ["escape"], contexts: WITH_FIELDS, pi: "tui.select.cancel", when: isChoosing,
		help: "back to the typed text", condition: "while completing", run: edits(takeBack) },
	{ id: "new-line", keys: ["alt+enter"], contexts: ["prompt"], short: "new line", when: isLongPrompt, pi: "tui.input.newLine",
		help: "begin a new line", condition: "in a comment", run: edits(insert("\n")) },
	{ id: "cursor-back", keys: ["left"], contexts: FILTERS, pi: "tui.editor.cursorLeft", help: "cursor back", condition: "while you type", ...goesOn(moveBack) },
	{ id: "cursor-forward", keys: ["right"], contexts: FILTERS, pi: "tui.editor.cursorRight", help: "cursor forward", condition: "while you type", ...goesOn(moveForward) },
	{ id: "filter-open", keys: ["right"], contexts: FILTER, help: "end typing, and go one step deeper", condition: "at the end of the text", run: goDeeper },
	{ id: "cursor-start", keys: ["home"], contexts: [...FILTERS, ...CHOICES], pi: "tui.editor.cursorLineStart",
		help: "cursor to the start of the text", condition: "while you type", ...goesOn(moveToStart) },
	{ id: "cursor-end", keys: ["end"], contexts: [...FILTERS, ...CHOICES], pi: "tui.editor.cursorLineEnd",
		help: "cursor to the end of the text", condition: "while you type", ...goesOn(moveToEnd) },
	{ id: "filter-done", keys: ["enter"], contexts: FILTER, short: "done", help: "end typing: letters are keys again; the filter stays", run: change(closeFilter) },
	{ id: "filter-clear", keys: ["escape", "ctrl+c"], contexts: FILTER, short: "clear", pi: "tui.select.cancel", help: "clear the filter, and end typing",
		run: change(clearField) },
	{ id: "filter-done", keys: ["left"], contexts: FILTER, when: (state) => !canEditHere(state, moveBack),
		help: "end typing: letters are keys again; the filter stays", condition: "at the beginning of the text", run: change(closeFilter) },
	{ id: "back", keys: ["escape"], contexts: FILTERED, short: "clear", pi: "tui.select.cancel", when: isFiltered,
		help: "clear the filter", condition: "if rows are filtered", run: change(clearField) },
	{ id: "filter-text", name: "Filter…", synonyms: "find, search, narrow", keys: [], contexts: NARROWED, short: "filter", help: "show only what has the words that you type",
		run: change(openFilter) },
	{ id: "filter-text", name: "Find here…", synonyms: "search", keys: [], contexts: SEARCHED, short: "find", help: "find rows by what they say",
		run: change((state) => openFilter(clearField(state))) },
	{ id: "next-match", keys: [], contexts: SEARCHED, short: "next", needs: needsText, help: "to the next row that is found", ...finds(1) },
	{ id: "previous-match", keys: [], contexts: SEARCHED, needs: needsText, help: "to the previous one", ...finds(-1) },
	{ id: "yank-before", keys: ["alt+y"], contexts: EDITED, pi: "tui.editor.yankPop",
		help: "replace the inserted text with the text that was deleted before it", condition: "after inserting deleted text",
		when: ({ typing }) => typing.last?.kind === "yank", run: edits(yankBefore) },
];

// biome-ignore format: a table
export const FILTER_KEYS: readonly Key[] = [
	{ id: "erase", keys: ["backspace"], contexts: EDITED, pi: "tui.editor.deleteCharBackward",
		help: "delete the character before the cursor", run: edits(deleteBefore) },
	{ id: "erase-next", keys: ["delete", "ctrl+d"], contexts: PROMPT, pi: "tui.editor.deleteCharForward",
		help: "delete the character after the cursor", run: edits(deleteAfter) },
	{ id: "erase-next", keys: ["delete"], contexts: [...FILTERS, ...CHOICES], pi: "tui.editor.deleteCharForward",
		help: "delete the character after the cursor", ...changes(deleteAfter) },
	{ id: "erase-part", keys: ["ctrl+w"], contexts: EDITED, pi: "tui.editor.deleteWordBackward",
		help: "delete back to the previous blank", run: edits(killPartBefore) },
	{ id: "erase-word", keys: ["alt+backspace"], contexts: EDITED, pi: "tui.editor.deleteWordBackward",
		help: "delete the word before the cursor", run: edits(killWordBefore) },
	{ id: "erase-word-next", keys: ["alt+d"], contexts: EDITED, pi: "tui.editor.deleteWordForward",
		help: "delete the word after the cursor", run: edits(killWordAfter) },
	{ id: "erase-all", keys: ["ctrl+u"], contexts: [...FILTERS, ...FIELDS], pi: "tui.editor.deleteToLineStart",
		help: "delete to the start of the text", run: edits(killToStart) },
	// In the box of commands the key that opened it closes it.
	{ id: "erase-rest", keys: ["ctrl+k"], contexts: FIELDS.filter((context) => context !== "palette"), pi: "tui.editor.deleteToLineEnd",
		help: "delete to the end of the text", run: edits(killToEnd) },
	{ id: "yank", keys: ["ctrl+y"], contexts: EDITED, pi: "tui.editor.yank",
		help: "insert the text that was last deleted by word or line, in this or another field", run: edits(yank) },
	{ id: "cursor-back", keys: ["left", "ctrl+b"], contexts: FIELDS, pi: "tui.editor.cursorLeft", help: "cursor back",
		run: edits(moveBack) },
	{ id: "cursor-forward", keys: ["right", "ctrl+f"], contexts: FIELDS, pi: "tui.editor.cursorRight",
		help: "cursor forward", run: edits(moveForward) },
	{ id: "cursor-word-back", keys: ["alt+left", "ctrl+left"], contexts: [...FILTERS, ...FIELDS],
		pi: "tui.editor.cursorWordLeft", help: "cursor back by a word", run: edits(moveWordBack) },
	{ id: "cursor-word-forward", keys: ["alt+right", "ctrl+right"], contexts: [...FILTERS, ...FIELDS],
		pi: "tui.editor.cursorWordRight", help: "cursor forward by a word", run: edits(moveWordForward) },
	{ id: "cursor-start", keys: ["home", "ctrl+a"], contexts: PROMPT, pi: "tui.editor.cursorLineStart",
		help: "cursor to the start", run: edits(moveToStart) },
	{ id: "cursor-end", keys: ["end", "ctrl+e"], contexts: PROMPT, pi: "tui.editor.cursorLineEnd",
		help: "cursor to the end", run: edits(moveToEnd) },
	// Nothing else in the list and the branches has these keys, so they apply to the text whenever there is any.
	{ id: "cursor-back", keys: ["left", "ctrl+b"], contexts: FILTERS, pi: "tui.editor.cursorLeft", help: "cursor back",
		...changes(moveBack) },
	{ id: "cursor-forward", keys: ["ctrl+f"], contexts: FILTERS, pi: "tui.editor.cursorRight",
		help: "cursor forward", ...changes(moveForward) },
	{ id: "cursor-start", keys: ["ctrl+a"], contexts: [...FILTERS, ...CHOICES], pi: "tui.editor.cursorLineStart",
		help: "cursor to the start", ...changes(moveToStart) },
	{ id: "cursor-end", keys: ["ctrl+e"], contexts: [...FILTERS, ...CHOICES], pi: "tui.editor.cursorLineEnd",
		help: "cursor to the end", ...changes(moveToEnd) },
	{ id: "undo-text", keys: ["ctrl+_"], contexts: [...FIELDS, "filter"], pi: "tui.editor.undo",
		help: "undo the last edit of the text", run: edits(undoTyping) },
];

function needsText(state: State): string | undefined {
	return isFiltered(state) ? undefined : "Nothing was searched for: / finds rows here";
}

function finds(by: 1 | -1): Pick<Binding, "run"> {
	return { run: change((state) => openedPage(state)?.find?.(state, by) ?? state) };
}

function goDeeper(state: State): Transition {
	return transition({
		...closeFilter(state),
		waiting: [{ type: "key", key: "right", at: state.now }, ...state.waiting],
	});
}

function edits(edited: Edit): Binding["run"] {
	return change((state) => edit(state, edited));
}

/** Whether one of several candidates is being chosen; a single one was taken at once. */
function isChoosing(state: State): state is State & { readonly typing: { readonly last: Completing } } {
	const { last } = state.typing;
	return last?.kind === "complete" && last.candidates.length > 1;
}

/** Otherwise the key belongs to another binding. */
function canComplete(state: State): boolean {
	if (isChoosing(state)) return true;
	// What is offered above the rows says that tab completes, also when it was typed in the shell.
	return (state.typing.last !== undefined || offersOf(state).length > 0) && candidatesFor(state).length > 0;
}

/** Only when it would change something. */
function changes(edited: Edit): Pick<Binding, "when" | "run"> {
	return { when: (state) => canEditHere(state, edited), run: edits(edited) };
}

/** Only while the person is typing. */
function goesOn(edited: Edit): Pick<Binding, "when" | "run"> {
	return { when: (state) => canGoOnEditing(state, edited), run: edits(edited) };
}
