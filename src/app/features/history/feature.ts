import type { ChosenChanges } from "../../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { whyNothingToUndo } from "../../../changes/journal/step.ts";
import { isMade } from "../../../changes/kinds/change.ts";
import { change, type Key } from "../../world/keys/key.ts";
import type { Feature } from "../../world/page/page.ts";
import { PANES } from "../../world/state/binding.ts";
import { openPage } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { HISTORY_PAGE } from "./history-page.ts";
import { CHANGES, FIRST_HISTORY, HISTORY, OUTLOOKS, selectedHistoryRow, sessionOf } from "./history-state.ts";

const HERE = ["history"] as const;

// biome-ignore format: a table
const HISTORY_KEYS: readonly Key[] = [
	{ id: "history", name: "History", synonyms: "changes, undo, redo, log", keys: [], contexts: PANES, help: "all changes that were made from here: look, undo, redo",
		run: change(openHistory) },
	{ id: "undo-row", name: "Undo this change", synonyms: "take back", keys: ["ctrl+_"], contexts: HERE, short: "undo", needs: needsMade,
		help: "undo the change under the cursor; asks before undoing what depends on it", run: undoRow },
	{ id: "redo-row", name: "Redo", synonyms: "do again", keys: ["r"], contexts: HERE, short: "do again", needs: needsUndone,
		help: "redo an undone change, as a new change", run: redoRow },
	{ id: "open-group", keys: ["right"], contexts: HERE, short: "open", needs: needsGroup,
		help: "show the changes of the group", run: change((state) => openGroup(state, true)) },
	{ id: "close-group", keys: ["left"], contexts: HERE, needs: needsGroup,
		help: "hide the changes of the group", run: change((state) => openGroup(state, false)) },
	{ id: "go-to-session", keys: ["enter"], contexts: HERE, short: "session", needs: needsRow,
		help: "to the session in the list", run: change(goToSession) },
];

function needsRow(state: State): string | undefined {
	return selectedHistoryRow(state) === undefined ? "Nothing has been changed from here yet" : undefined;
}

function needsMade(state: State): string | undefined {
	const row = selectedHistoryRow(state);
	if (row === undefined) return needsRow(state);
	return changesOf(row).some(isMade) ? undefined : whyNothingToUndo(changesOf(row));
}

function needsUndone(state: State): string | undefined {
	const row = selectedHistoryRow(state);
	if (row === undefined) return needsRow(state);
	return changesOf(row).some(({ fate }) => fate === "undone") ? undefined : "Only what has been undone can be redone";
}

function needsGroup(state: State): string | undefined {
	const row = selectedHistoryRow(state);
	return row === undefined || groupOf(row) === undefined ? "This is a single change, not a group" : undefined;
}

/** Opens the page of all changes, with the cursor on the newest. */
function openHistory(state: State): State {
	const unread = OUTLOOKS.set(CHANGES.set(state, undefined), undefined);
	return openPage(HISTORY.with(unread, FIRST_HISTORY), "history");
}

/** Shows or hides the changes of the group under the cursor, or of the group of the change there. */
function openGroup(state: State, isOpen: boolean): State {
	const row = selectedHistoryRow(state);
	const group = row && groupOf(row);
	if (row === undefined || group === undefined) return state;
	const { opened: openIds, cursor } = HISTORY.of(state);
	const opened = isOpen ? openIds.union(new Set([group])) : openIds.difference(new Set([group]));
	return HISTORY.with(state, { opened, cursor: { ...cursor, selected: isOpen ? row.key : group } });
}

function groupOf(row: HistoryRow): string | undefined {
	return row.kind === "group" ? row.group.id : row.change.group?.id;
}

/** Closes the page and puts the cursor of the list on the session of the change. */
function goToSession(state: State): State {
	const row = selectedHistoryRow(state);
	const [change] = row === undefined ? [] : changesOf(row);
	const path = change && sessionOf(change);
	if (path === undefined || !state.catalog.rows.has(path))
		return say(state, "The session of this change is not in the list", "warning");
	return { ...state, overlays: [], list: { ...state.list, pendingSelection: path } };
}

/** Undoes the change under the cursor; asks first if that undoes others as well. */
function undoRow(state: State): Transition {
	const row = selectedHistoryRow(state);
	return row === undefined ? transition(state) : transition(state, { type: "undo", of: chosenIn(row), inSight: true });
}

/** Redoes the undone change under the cursor. */
function redoRow(state: State): Transition {
	const row = selectedHistoryRow(state);
	return row === undefined ? transition(state) : transition(state, { type: "redo", of: chosenIn(row) });
}

/** A group is undone or redone as a whole, even if not all of its changes have been read or made yet. */
function chosenIn(row: HistoryRow): ChosenChanges {
	return row.kind === "group" ? { group: row.group } : { id: row.change.id };
}

export const HISTORY_FEATURE: Feature = {
	page: HISTORY_PAGE,
	keys: { section: "History", keys: HISTORY_KEYS },
	on: {
		changed: CHANGES.renew,
	},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly history: true;
	}
}
