import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/doctor/contained-sessions.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import type { Feature } from "../../world/page/page.ts";
import { askToForward, whyNoForward } from "../../world/questions/forward.ts";
import { PANES } from "../../world/state/binding.ts";
import type { DestinationSubmit } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";
import { applyDestination, askToFix } from "./ask-moves.ts";
import { chosenItems, chosenSessions } from "./chosen-rows.ts";
import type { Family } from "./duplicates.ts";
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
import { MAINTENANCE_PAGE } from "./maintenance-page.ts";
import {
	groupKey,
	headingOf,
	isFolding,
	isSessionLike,
	listedRow,
	type MaintenanceRow,
	selectedRow,
} from "./maintenance-rows.ts";
import {
	type DirectoryFate,
	type FoundDestination,
	type GoneDirectory,
	TIDY,
	TRASH,
	type TrashItem,
} from "./maintenance-state.ts";
import { applyExamined, applyHeads, isChecking } from "./reconcile-doctor.ts";
import { applyCompared, applyTrash, applyTrashRows } from "./reconcile-maintenance.ts";
import { applyFates, applyFolders, applyFound } from "./reconcile-moved.ts";
import { askToRepair, checkAll, checkChosen, goToFinding, repairChosen, stopChecking } from "./repair.ts";
import { familiesToCompare } from "./tidy-groups.ts";

const HERE = ["maintenance"] as const;
const CHECK = onChosen("examine", (state, rows) => transition(checkChosen(state, rows)));

// biome-ignore format: a table
const MAINTENANCE_KEYS: readonly Key[] = [
	{ id: "maintenance", name: "Maintenance", synonyms: "tidy, clean up, duplicates, empty, old, doctor", keys: [], contexts: PANES,
		help: "maintenance: duplicate, empty, tiny and old sessions, and the trash", run: change((state) => openMaintenance(state)) },
	{ id: "trash", name: "Trash", synonyms: "deleted, restore, recover, bin", keys: [], contexts: PANES,
		help: "maintenance: the trash, to look at deleted sessions and restore them", run: change((state) => openMaintenance(state, "trash")) },
	{ id: "moved", name: "Directories that are gone", synonyms: "dead, missing, moved projects, renamed, fix", keys: [], contexts: ["list"],
		help: "maintenance: sessions whose directory is gone, and where they may belong now", run: change((state) => openMaintenance(state, "gone")) },
	{ id: "check", name: "Check for damage", synonyms: "doctor, examine, verify, repair", keys: [], contexts: ["list", "reader"],
		help: "examine the marked sessions, or the one under the cursor, for damage; maintenance shows the result", ...CHECK },
	{ id: "check", keys: [], contexts: ["tree", "branches"], help: "examine the session for damage", ...CHECK },
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

export const MAINTENANCE: Feature<MaintenanceAction> = {
	page: MAINTENANCE_PAGE,
	keys: { section: "Maintenance", keys: MAINTENANCE_KEYS },
	on: {
		"trash-read": (state, { request, read }) => applyTrash(state, request, read),
		"trash-paths": (state, { paths }) => ({ ...state, trashed: paths }),
		"trash-scanned": (state, { rows }) => applyTrashRows(state, rows),
		examined: (state, { request, found }) => applyExamined(state, request, found),
		"heads-read": (state, { request, found }) => applyHeads(state, request, found),
		"repair-planned": (state, { planned }) => askToRepair(state, planned),
		"directories-checked": (state, { search, fates }) => applyFates(state, search, fates),
		"destinations-found": (state, { search, found }) => applyFound(state, search, found),
		"folders-listed": (state, { directory, names }) => applyFolders(state, directory, names),
		"destination-checked": applyDestination,
		"families-compared": (state, { contained }) => applyCompared(state, contained),
		changed: (state) => TRASH.with(state, { stale: true, pathsCurrent: false }),
	},
};

/** Results of its effects. */
type MaintenanceAction =
	/** The sessions in the trash, newest first, or why the trash cannot be read. */
	| {
			readonly type: "trash-read";
			readonly request: number;
			readonly read: { readonly items: readonly TrashItem[] } | { readonly error: string };
	  }
	/** The paths that the sessions in the trash had before they were deleted. */
	| { readonly type: "trash-paths"; readonly paths: ReadonlySet<string> }
	/** The rows that the list would show for files in the trash, by their paths there. */
	| { readonly type: "trash-scanned"; readonly rows: ReadonlyMap<string, SessionRow> }
	/** The results for the first sessions of the queue. */
	| { readonly type: "examined"; readonly request: number; readonly found: readonly Examination[] }
	/** The beginnings of sessions that may be copies. */
	| { readonly type: "heads-read"; readonly request: number; readonly found: readonly SessionHead[] }
	/** What repaired copies would contain, by the path of their session. */
	| { readonly type: "repair-planned"; readonly planned: ReadonlyMap<string, readonly PlannedCopy[]> }
	/** Whether directories exist. */
	| {
			readonly type: "directories-checked";
			readonly search: number;
			readonly fates: ReadonlyMap<string, DirectoryFate>;
	  }
	/** Directories that may have replaced missing ones. */
	| {
			readonly type: "destinations-found";
			readonly search: number;
			readonly found: ReadonlyMap<string, readonly FoundDestination[]>;
	  }
	/** The names of the folders in a directory. */
	| { readonly type: "folders-listed"; readonly directory: string; readonly names: readonly string[] }
	/** Whether the typed directory exists. */
	| {
			readonly type: "destination-checked";
			readonly directory: string;
			readonly fate: DirectoryFate;
			readonly of: DestinationSubmit;
	  }
	/** By the keys of families: the sessions contained in another one of their family. */
	| { readonly type: "families-compared"; readonly contained: ReadonlyMap<string, readonly ContainedSessions[]> };

/** Effects that it requests. */
type MaintenanceEffect =
	/** Read the sessions in the trash. */
	| { readonly type: "read-trash"; readonly request: number }
	/** Read only the former paths of the sessions in the trash. */
	| { readonly type: "read-trash-paths" }
	/** Read these files in the trash for the rows that the list would show. */
	| { readonly type: "scan-trash"; readonly paths: readonly string[] }
	/** Check which of these directories exist. */
	| { readonly type: "check-directories"; readonly search: number; readonly directories: readonly string[] }
	/** Find directories that may have replaced these missing ones; `there`: the existing directories of sessions. */
	| {
			readonly type: "find-destinations";
			readonly search: number;
			readonly gone: readonly GoneDirectory[];
			readonly there: readonly string[];
	  }
	/** List the folders in a directory, to complete a typed path. */
	| { readonly type: "list-folders"; readonly directory: string }
	/** Check whether the typed directory exists. */
	| { readonly type: "check-destination"; readonly directory: string; readonly of: DestinationSubmit }
	/** Note what Git knows of directories while they exist. */
	| { readonly type: "note-git"; readonly directories: readonly string[]; readonly all: readonly string[] }
	/** Examine the first of these sessions: as many as fit into one batch. */
	| { readonly type: "examine"; readonly request: number; readonly paths: readonly string[] }
	/** Read the beginnings of these sessions: they may be copies of examined ones. */
	| { readonly type: "read-heads"; readonly request: number; readonly paths: readonly string[] }
	/** Find out what repaired copies of these would contain. */
	| { readonly type: "plan-repair"; readonly paths: readonly string[] }
	/** Read these families to find the sessions contained in another one of their family. */
	| { readonly type: "compare-families"; readonly families: readonly Family[] };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly maintenance: MaintenanceAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly maintenance: MaintenanceEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly maintenance: true;
	}
}
