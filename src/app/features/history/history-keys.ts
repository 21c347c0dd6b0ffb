import { isMade } from "../../../changes/kinds/change.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { closePage } from "../../world/page/open-page.ts";
import { PANES } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";
import { goToSession, groupOf, openHistory, redoRow, toggleGroup, undoRow } from "./history-actions.ts";
import { changesOf, selectedHistoryRow } from "./history-rows.ts";
import { HISTORY } from "./history-state.ts";

const HERE = ["history"] as const;

// biome-ignore format: a table
export const HISTORY_KEYS: readonly Key[] = [
	{ id: "history", name: "History", synonyms: "changes, undo, redo, log", keys: ["f3"], contexts: PANES, help: "all changes that were made from here: look, undo, redo",
		run: change(openHistory) },
	{ id: "undo-row", name: "Undo this change", synonyms: "take back", keys: ["u", "ctrl+_", "ctrl+/"], contexts: HERE, short: "undo", needs: needsMade,
		help: "undo the change under the cursor; asks before undoing what depends on it", run: undoRow },
	{ id: "redo-row", name: "Redo", synonyms: "do again", keys: ["r", "ctrl+y"], contexts: HERE, short: "do again", needs: needsUndone,
		help: "redo an undone change, as a new change", run: redoRow },
	{ id: "toggle-group", keys: [" "], contexts: HERE, short: "open", needs: needsGroup,
		help: "show the changes of the group, or hide them", run: change((state) => toggleGroup(state)) },
	{ id: "open-group", keys: ["right"], contexts: HERE, needs: needsGroup,
		help: "show the changes of the group", run: change((state) => toggleGroup(state, true)) },
	{ id: "close-group", keys: ["left"], contexts: HERE, needs: needsGroup,
		help: "hide the changes of the group", run: change((state) => toggleGroup(state, false)) },
	{ id: "go-to-session", keys: ["enter"], contexts: HERE, short: "session", needs: needsRow,
		help: "to the session in the list", run: change(goToSession) },
	{ id: "cancel", keys: ["f3"], contexts: HERE, help: "back to the panes", run: change((state) => closePage(state, "history")) },
];

function needsRow(state: State): string | undefined {
	return selectedHistoryRow(HISTORY.of(state)) === undefined ? "Nothing has been changed from here yet" : undefined;
}

function needsMade(state: State): string | undefined {
	const row = selectedHistoryRow(HISTORY.of(state));
	if (row === undefined) return needsRow(state);
	return changesOf(row).some(isMade) ? undefined : "It is no longer in effect: there is nothing to undo";
}

function needsUndone(state: State): string | undefined {
	const row = selectedHistoryRow(HISTORY.of(state));
	if (row === undefined) return needsRow(state);
	return changesOf(row).some(({ fate }) => fate === "undone") ? undefined : "It was not undone";
}

function needsGroup(state: State): string | undefined {
	const row = selectedHistoryRow(HISTORY.of(state));
	return row === undefined || groupOf(row) === undefined ? "It is not a group" : undefined;
}
