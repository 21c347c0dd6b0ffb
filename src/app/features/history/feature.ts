import type { ChosenChanges } from "../../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { whyNothingToUndo } from "../../../changes/journal/step.ts";
import { isMade } from "../../../changes/kinds/change.ts";
import { change, type Key, onSelected } from "../../world/keys/key.ts";
import { NEXT_STEPS } from "../../world/keys/undo-keys.ts";
import { showSession } from "../../world/list/list-actions.ts";
import type { Feature } from "../../world/page/page.ts";
import { PANES } from "../../world/state/binding.ts";
import { openPage } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { HISTORY_PAGE } from "./history-page.ts";
import { CHANGES, FIRST_HISTORY, HISTORY, OUTLOOKS, selectedHistoryRow, sessionOf } from "./history-state.ts";

const HERE = ["history"] as const;

// biome-ignore format: a table
const HISTORY_KEYS: readonly Key[] = [
	{ id: "history", name: "History", synonyms: "changes, undo, redo, log", keys: [], contexts: PANES, help: "list all changes, to undo or redo them",
		run: change(openHistory) },
	{ id: "undo-row", name: "Undo this change", synonyms: "take back", keys: ["ctrl+_"], contexts: HERE, short: "undo",
		help: "undo the change under the cursor; asks before undoing what depends on it",
		...onRow((state, row) => transition(state, { type: "undo", of: chosenIn(row), inSight: true }), whyNotUndone) },
	{ id: "redo", keys: ["r"], contexts: HERE, short: "redo",
		help: "redo an undone change, as a new change",
		...onRow((state, row) => transition(state, { type: "redo", of: chosenIn(row) }), whyNotRedone) },
	{ id: "open-group", keys: ["right"], contexts: HERE, short: "open",
		help: "show the changes of the group", ...onRow((state, row) => openGroup(state, row, true), whyNoGroup) },
	{ id: "close-group", keys: ["left"], contexts: HERE,
		help: "hide the changes of the group", ...onRow((state, row) => openGroup(state, row, false), whyNoGroup) },
	{ id: "go-to-session", name: "Go to the session", synonyms: "open, list", keys: ["enter"], contexts: HERE, short: "session",
		help: "go to the session in the list", ...onRow(goToSession) },
];

/** A key that acts on the row under the cursor. `whyNot`: why it cannot act on that one. */
function onRow(
	run: (state: State, row: HistoryRow) => State | Transition,
	whyNot: (row: HistoryRow) => string | undefined = () => undefined,
): Pick<Key, "needs" | "run"> {
	return onSelected(selectedHistoryRow, "No change has been made yet", run, (_, row) => whyNot(row));
}

function whyNotUndone(row: HistoryRow): string | undefined {
	return changesOf(row).some(isMade) ? undefined : whyNothingToUndo(changesOf(row));
}

function whyNotRedone(row: HistoryRow): string | undefined {
	return changesOf(row).some(({ fate }) => fate === "undone") ? undefined : "Only an undone change can be redone";
}

function whyNoGroup(row: HistoryRow): string | undefined {
	return groupOf(row) === undefined ? "This is a single change, not a group" : undefined;
}

/** Opens the page of all changes, with the cursor on the newest. */
function openHistory(state: State): State {
	const unread = OUTLOOKS.set(CHANGES.set(state, undefined), undefined);
	return openPage(HISTORY.with(unread, FIRST_HISTORY), "history");
}

/** Shows or hides the changes of the group under the cursor, or of the group of the change there. */
function openGroup(state: State, row: HistoryRow, isOpen: boolean): State {
	const group = groupOf(row);
	if (group === undefined) return state;
	const { opened: openIds, cursor } = HISTORY.of(state);
	const opened = isOpen ? openIds.union(new Set([group])) : openIds.difference(new Set([group]));
	return HISTORY.with(state, { opened, cursor: { ...cursor, selected: isOpen ? row.key : group } });
}

function groupOf(row: HistoryRow): string | undefined {
	return row.kind === "group" ? row.group.id : row.change.group?.id;
}

/** Closes the page and puts the cursor of the list on the session of the change. */
function goToSession(state: State, row: HistoryRow): State {
	const [change] = changesOf(row);
	const path = change && sessionOf(change);
	if (path === undefined || !state.catalog.rows.has(path))
		return say(state, "The session of this change is not in the list", "warning");
	return showSession({ ...state, overlays: [] }, path);
}

/** A group is undone or redone as a whole, even if not all of its changes have been read or made yet. */
function chosenIn(row: HistoryRow): ChosenChanges {
	return row.kind === "group" ? { group: row.group } : { id: row.change.id };
}

export const HISTORY_FEATURE: Feature = {
	page: HISTORY_PAGE,
	keys: { section: "History", keys: HISTORY_KEYS },
	on: {
		changed: (state) => NEXT_STEPS.renew(CHANGES.renew(state)),
	},
	steps: { facts: [NEXT_STEPS] },
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly history: true;
	}
}
