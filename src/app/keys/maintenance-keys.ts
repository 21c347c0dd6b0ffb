import {
	chosenItems,
	chosenSessions,
	groupKey,
	headingOf,
	isFolding,
	isSessionLike,
	listedRow,
	type MaintenanceRow,
	selectedRow,
} from "../features/maintenance/maintenance-rows.ts";
import { familiesToCompare } from "../features/maintenance/select-tidying.ts";
import { PANES } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { closePage } from "../page/open-page.ts";
import { askToFix } from "../update/ask-moves.ts";
import {
	askToDeleteChosen,
	changeOldDays,
	fold,
	isInTrash,
	moveToGroup,
	openSession,
	restoreChosen,
	stopComparing,
} from "../update/maintenance.ts";
import { openMaintenance } from "../update/open-maintenance.ts";
import { change, type Key } from "./handlers.ts";

const HERE = ["maintenance"] as const;

// biome-ignore format: a table
export const MAINTENANCE_KEYS: readonly Key[] = [
	{ id: "maintenance", keys: ["alt+c"], contexts: ["list"],
		help: "maintenance: duplicate, empty, tiny and old sessions, and the trash", run: change((state) => openMaintenance(state)) },
	{ id: "maintenance", keys: ["shift+f10"], contexts: PANES,
		help: "the same, also where the other key copies", run: change((state) => openMaintenance(state)) },
	{ id: "trash", keys: ["alt+delete", "f10"], contexts: PANES,
		help: "maintenance at the trash: what was deleted, to look at and to restore", run: change((state) => openMaintenance(state, "trash")) },
	{ id: "moved", keys: ["alt+e"], contexts: ["list"],
		help: "maintenance at the sessions whose directory is gone: where may they belong now?", run: change((state) => openMaintenance(state, "gone")) },
	{ id: "fix", keys: ["enter"], contexts: HERE, short: "fix …", when: isOn(({ type }) => type === "directory"),
		help: "fork the sessions of the directory that is gone, or the marked ones, to where they belong now, and archive the originals, after asking",
		run: change(askToFix) },
	{ id: "fold", keys: ["enter"], contexts: HERE, short: "unfold", when: isOn(isFolding),
		help: "unfold the group, or fold it", run: change((state) => fold(state)) },
	{ id: "unfold", keys: ["right"], contexts: HERE, when: isOn(isFolding),
		help: "unfold the group", run: change((state) => fold(state, true)) },
	{ id: "fold-here", keys: ["left"], contexts: HERE, needs: needsRow,
		help: "fold the group", run: change((state) => fold(state, false)) },
	{ id: "restore", keys: ["enter"], contexts: HERE, short: "restore", when: isOn(({ type }) => type === "trashed"),
		help: "in the trash: bring the marked sessions back to their places, or the one under the cursor", run: restoreChosen },
	{ id: "restore", keys: ["ctrl+d"], contexts: HERE, when: isInTrash, needs: needsItem, help: "in the trash: the same", run: restoreChosen },
	{ id: "open-session", keys: ["enter", "right"], contexts: HERE, short: "open", when: isOn(isSessionLike), needs: needsListed,
		help: "into the session's tree; the page stays as it is, for when you come back", run: change(openSession) },
	{ id: "delete-sessions", keys: ["ctrl+d"], contexts: HERE, short: "delete", pi: "app.session.delete", needs: needsChosen,
		help: "move the marked sessions to the trash, or the one under the cursor, after asking", run: askToDeleteChosen },
	{ id: "old-days", keys: ["n"], contexts: HERE, short: "days", when: isOn((row) => headingOf(row) === groupKey("old")),
		help: "another number of days after which a session is old", run: change(changeOldDays) },
	{ id: "next-group", keys: ["tab"], contexts: HERE, help: "to the next group",
		run: change((state) => moveToGroup(state, 1)) },
	{ id: "previous-group", keys: ["shift+tab"], contexts: HERE, help: "to the group before, or its heading",
		run: change((state) => moveToGroup(state, -1)) },
	{ id: "stop-looking", keys: ["escape"], contexts: HERE, short: "stop", pi: "tui.select.cancel", when: isComparing,
		help: "compare no more forks, until the page is opened again", run: change(stopComparing) },
	{ id: "cancel", keys: ["alt+c", "shift+f10", "f10", "alt+delete", "alt+e", "alt+!", "shift+f3"], contexts: HERE, help: "back to the panes",
		run: change((state) => closePage(state, "maintenance")) },
];

function isOn(test: (row: MaintenanceRow) => boolean): (state: State) => boolean {
	return (state) => {
		const row = selectedRow(state);
		return row !== undefined && test(row);
	};
}

function isComparing(state: State): boolean {
	return state.progress === undefined && !state.tidy.isStopped && familiesToCompare(state).length > 0;
}

function needsRow(state: State): string | undefined {
	return selectedRow(state) === undefined ? "There is nothing to fold" : undefined;
}

function needsListed(state: State): string | undefined {
	return listedRow(selectedRow(state)) !== undefined ? undefined : "The session is in the trash: restore it first";
}

const NONE_CHOSEN = "Nothing is marked: mark sessions, or a group, with space";

function needsChosen(state: State): string | undefined {
	return chosenSessions(state).length > 0 ? undefined : NONE_CHOSEN;
}

function needsItem(state: State): string | undefined {
	return chosenItems(state).length > 0 ? undefined : NONE_CHOSEN;
}
