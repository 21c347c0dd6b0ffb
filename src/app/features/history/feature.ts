import type { ChosenChanges } from "../../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { whyNothingToUndo } from "../../../changes/journal/step.ts";
import { type Change, isMade } from "../../../changes/kinds/change.ts";
import { basename } from "../../../shared/paths.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { change, type Key, onSelected, openPage, PANES } from "../../world/keys/key.ts";
import { NEXT_STEPS } from "../../world/keys/undo-keys.ts";
import { showSession } from "../../world/list/list-actions.ts";
import type { Feature } from "../../world/page/page.ts";
import { CANCEL, menu } from "../../world/screen/menus.ts";
import { type MenuOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { HISTORY_PAGE } from "./history-page.ts";
import {
	FIRST_HISTORY,
	HISTORY,
	JOURNAL_CHANGES,
	journalChanges,
	OUTLOOKS,
	selectedHistoryRow,
	sessionOf,
} from "./history-state.ts";

const HERE = ["history"] as const;

// biome-ignore format: a table
const HISTORY_KEYS: readonly Key[] = [
	{ id: "history", name: "History", synonyms: "changes, undo, redo, log", keys: [], contexts: PANES, help: "list all changes, to undo or redo them",
		run: change(openHistory) },
	{ id: "undo-row", name: "Undo this change", synonyms: "take back", keys: ["ctrl+_"], contexts: HERE, short: "undo", when: (state) => !canRedo(state),
		help: "undo the change under the cursor, unless a later one depends on it",
		...onRow((state, row) => transition(state, { type: "undo", of: chosenIn(row), inSight: true }), whyNotUndone) },
	{ id: "redo", keys: ["ctrl+_"], contexts: HERE, short: "redo", when: canRedo,
		help: "redo the change, as a new one", condition: "on an undone change",
		...onRow((state, row) => transition(state, { type: "redo", of: chosenIn(row) }), whyNotRedone) },
	{ id: "open-group", keys: ["right"], contexts: HERE, short: "open", when: isInGroup,
		help: "show the changes of the group", ...onRow((state, row) => openGroup(state, row, true), whyNoGroup) },
	{ id: "close-group", keys: ["left"], contexts: HERE, when: isInOpenGroup,
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

function canRedo(state: State): boolean {
	const row = selectedHistoryRow(state);
	return row !== undefined && whyNotUndone(row) !== undefined && whyNotRedone(row) === undefined;
}

function isInGroup(state: State): boolean {
	const row = selectedHistoryRow(state);
	return row !== undefined && groupOf(row) !== undefined;
}

function isInOpenGroup(state: State): boolean {
	const row = selectedHistoryRow(state);
	return row !== undefined && HISTORY.of(state).opened.has(groupOf(row) ?? "");
}

function whyNoGroup(row: HistoryRow): string | undefined {
	return groupOf(row) === undefined ? "This is a single change, not a group" : undefined;
}

function openHistory(state: State): State {
	const unread = OUTLOOKS.set(JOURNAL_CHANGES.set(state, undefined), undefined);
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

/** Closes the page and puts the cursor of the list on the session of the change, or on the first listed one of a group. */
function goToSession(state: State, row: HistoryRow): State | Transition {
	const paths = changesOf(row).flatMap((change) => sessionOf(change) ?? []);
	const { rows } = state.catalog;
	const names = new Set(paths.map((each) => basename(each)));
	// What was archived since, or brought back, has kept the name of its file.
	const path = paths.find((each) => rows.has(each)) ?? rows.keys().find((each) => names.has(basename(each)));
	if (path !== undefined) return showSession({ ...state, overlays: [] }, path);
	const inTrash = journalChanges(state).find((change) => {
		return change.undo?.type === "restore" && isMade(change) && paths.includes(sessionOf(change) ?? "");
	});
	return inTrash === undefined
		? say(state, "The session of this change is not in the list", "warning")
		: withOverlay(state, trashMenu(inTrash));
}

/** Offers to bring back what a deletion has put into the trash. */
function trashMenu({ id, group, what }: Change): MenuOverlay {
	const count = group?.count ?? 1;
	const of = group === undefined ? { id } : { group };
	return menu(count === 1 ? "The session is in the trash" : `${formatCount(count)} sessions are in the trash`, [], {
		items: [{ label: `Undo: ${group?.what ?? what}`, effect: { type: "undo", of, inSight: true } }, CANCEL],
	});
}

/** A group is undone or redone as a whole, even if not all of its changes have been read or made yet. */
function chosenIn(row: HistoryRow): ChosenChanges {
	return row.kind === "group" ? { group: row.group } : { id: row.change.id };
}

export const HISTORY_FEATURE: Feature = {
	page: HISTORY_PAGE,
	keys: { section: "History", keys: HISTORY_KEYS },
	on: {
		changed: (state) => NEXT_STEPS.renew(JOURNAL_CHANGES.renew(state)),
	},
	steps: { facts: [NEXT_STEPS] },
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly history: true;
	}
}
