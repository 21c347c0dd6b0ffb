import type { NextSteps } from "../../../changes/engine/undo.ts";
import type { ChosenChanges } from "../../../changes/journal/history-reader.ts";
import type { UndoStep } from "../../../changes/journal/step.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { defineQuery } from "../effects/define-query.ts";
import { commandFor, keyOfCommand } from "../state/binding.ts";
import { type State, type Transition, transition } from "../state/state.ts";
import { type Key, PANES } from "./key.ts";

/**
 * What undo and redo would do now. The journal is read when the box of commands opens, which names both, and after each change of this
 * window: never just because the browser was started.
 */
export const NEXT_STEPS = defineQuery<true, NextSteps>({
	name: "next steps of undo and redo",
	wanted: (_, { asked, isStale }) => asked ?? (isStale || undefined),
	load: (_, { journal }) => journal.nextSteps(),
	canFail: true,
});

const IN_PANES = [...PANES, "saved"] as const;
/** The pages on which changes of files are taken back, or put in place. */
const PUTTING = ["changes", "comparison", "difference"] as const;
const UNDO = {
	help: "undo the last change",
	pi: "tui.editor.undo",
	about: (state: State) => whatOf(stepsIn(state)?.undo),
	needs: whyNoUndo,
	run: undo,
} as const;

// biome-ignore format: a table
export const UNDO_KEYS: readonly Key[] = [
	{ id: "undo", keys: ["ctrl+_"], contexts: ["list"], short: "undo", when: isOwnUndo, condition: "after a change in this window", ...UNDO },
	{ id: "undo", name: "Undo", synonyms: "take back, revert", keys: ["ctrl+_"], contexts: [...IN_PANES, ...PUTTING, "review", "maintenance"],
		...UNDO },
	{ id: "redo", name: "Redo", synonyms: "do again, repeat", keys: [], contexts: [...IN_PANES, ...PUTTING, "review"],
		about: (state) => whatOf(stepsIn(state)?.redo), help: "redo what was undone last", needs: whyNoRedo, run: redo },
];

function stepsIn(state: State): NextSteps | undefined {
	return NEXT_STEPS.of(state).value;
}

function whatOf(step: UndoStep | undefined): string | undefined {
	return step && sanitizeLine(step.what);
}

function isOwnUndo(state: State): boolean {
	return stepsIn(state)?.undo?.changes.every(({ isMine }) => isMine) === true;
}

/** Not before the journal has been read again since the last change. */
function whyNoUndo(state: State): string | undefined {
	return !isRead(state) || stepsIn(state)?.undo !== undefined ? undefined : "There is nothing to undo";
}

function whyNoRedo(state: State): string | undefined {
	if (stepsIn(state)?.redo !== undefined) return undefined;
	return isRead(state) ? "Nothing was undone before" : "The journal of changes has not been read yet";
}

/** Whether the journal has been read since the last change, and none is being made: its message comes before the journal is read again. */
function isRead(state: State): boolean {
	const { value, isStale, isLoading } = NEXT_STEPS.of(state);
	return value !== undefined && !isStale && !isLoading && state.changing === 0;
}

function undo(state: State): Transition {
	return transition(state, { type: "undo" });
}

function redo(state: State): Transition {
	const step = stepsIn(state)?.redo;
	return step === undefined ? transition(state) : transition(state, { type: "redo", of: chosenOf(step) });
}

function chosenOf({ changes: [change] }: UndoStep): ChosenChanges {
	return change?.group === undefined ? { id: change?.id ?? "" } : { group: change.group };
}

/** A message that a change was made, with what undo does: "… · ctrl+_ brings it back". In the history its key does something else. */
export function withUndoHint(text: string, undoing: string, state: State): string {
	return commandFor(state, "undo") === undefined ? text : `${text} · ${undoHint(state, undoing)}`;
}

/** What a message says about undo: "ctrl+_ brings it back", with the key as the person has bound it. */
export function undoHint(state: State, undoing: string): string {
	return `${undoLabel(state)} ${undoing}`;
}

/** The key of undo, as it is written; "undo" if it has none. */
export function undoLabel({ environment: { keymap } }: State): string {
	return keyOfCommand(keymap, "undo") ?? "undo";
}
