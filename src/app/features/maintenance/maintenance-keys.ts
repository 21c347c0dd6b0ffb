import { change, type Key } from "../../world/keys/key.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { askToForward, whyNoForward } from "../../world/questions/forward.ts";
import { PANES } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";
import { askToFix } from "./ask-moves.ts";
import { chosenItems, chosenSessions } from "./chosen-rows.ts";
import {
	askToDeleteChosen,
	changeOldDays,
	fold,
	isInTrash,
	moveToGroup,
	openMaintenance,
	openSession,
	restoreChosen,
	stopComparing,
} from "./maintenance-actions.ts";
import {
	groupKey,
	headingOf,
	isFolding,
	isSessionLike,
	listedRow,
	type MaintenanceRow,
	selectedRow,
} from "./maintenance-rows.ts";
import { TIDY } from "./maintenance-state.ts";
import { isChecking } from "./reconcile-doctor.ts";
import { checkAll, checkChosen, goToFinding, repairChosen, stopChecking } from "./repair.ts";
import { familiesToCompare } from "./tidy-groups.ts";

const HERE = ["maintenance"] as const;

// biome-ignore format: a table
export const MAINTENANCE_KEYS: readonly Key[] = [
	{ id: "maintenance", name: "Maintenance", synonyms: "tidy, clean up, duplicates, empty, old, doctor", keys: [], contexts: PANES,
		help: "maintenance: duplicate, empty, tiny and old sessions, and the trash", run: change((state) => openMaintenance(state)) },
	{ id: "trash", name: "Trash", synonyms: "deleted, restore, recover, bin", keys: [], contexts: PANES,
		help: "maintenance: the trash, to look at deleted sessions and restore them", run: change((state) => openMaintenance(state, "trash")) },
	{ id: "moved", name: "Directories that are gone", synonyms: "moved projects, renamed, fix", keys: [], contexts: ["list"],
		help: "maintenance: sessions whose directory is gone, and where they may belong now", run: change((state) => openMaintenance(state, "gone")) },
	{ id: "check", name: "Check for damage", synonyms: "doctor, examine, verify, repair", keys: [], contexts: ["list", "reader"], needs: needsChecked, acts: "session",
		help: "examine the marked sessions, or the one under the cursor, for damage; maintenance shows the result", run: change(checkChosen) },
	{ id: "check", keys: [], contexts: ["tree", "branches"], needs: needsChecked, acts: "session",
		help: "examine the session for damage", run: change(checkChosen) },
	{ id: "repair", keys: ["enter"], contexts: HERE, short: "repair …", when: isOn(({ type }) => type === "damaged"),
		help: "replace the marked sessions, or the one under the cursor, with repaired copies, after asking; the originals go to the trash",
		run: repairChosen },
	{ id: "go-to-entry", keys: ["enter", "right"], contexts: HERE, short: "entry", when: isOn(({ type }) => type === "finding"),
		help: "to the entry of the finding in the tree", run: change(goToFinding) },
	{ id: "forward", keys: ["f"], contexts: HERE, short: "to its end", when: hasMovedLeaf, needs: (state) => whyNoForward(state, listedRow(selectedRow(state))),
		help: "if a name or a label has rewound the session: make pi go on from its end again, after asking",
		run: (state) => askToForward(state, listedRow(selectedRow(state))) },
	{ id: "check-all", name: "Check all listed sessions", synonyms: "doctor, examine, verify", keys: ["a"], contexts: HERE, help: "examine all sessions that the list shows for damage", run: change(checkAll) },
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
		help: "in the trash: restore the marked sessions, or the one under the cursor", run: restoreChosen },
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
	{ id: "stop-looking", keys: ["escape"], contexts: HERE, short: "stop", pi: "tui.select.cancel", when: isLookingOn,
		help: "stop examining sessions and comparing forks until the page is opened again; results stay",
		run: change((state) => stopChecking(stopComparing(state))) },
];

function isOn(test: (row: MaintenanceRow) => boolean): (state: State) => boolean {
	return (state) => {
		const row = selectedRow(state);
		return row !== undefined && test(row);
	};
}

function isLookingOn(state: State): boolean {
	if (state.progress !== undefined) return false;
	return isChecking(state) || (!TIDY.of(state).isStopped && familiesToCompare(state).length > 0);
}

function hasMovedLeaf(state: State): boolean {
	const row = selectedRow(state);
	return row?.type === "damaged" && row.examination?.totals.rewound !== undefined;
}

function needsChecked(state: State): string | undefined {
	return state.list.marked.size > 0 || chosenRows(state).length > 0 ? undefined : "There is no session to examine";
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
