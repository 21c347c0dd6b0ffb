import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { DirectoryFate } from "../../world/effects/directories.ts";
import { change, type Key, onChosen, onSelected, PANES } from "../../world/keys/key.ts";
import { inAll, typeQuery } from "../../world/list/list-actions.ts";
import type { Feature } from "../../world/page/page.ts";
import { openTree } from "../../world/page/way-back.ts";
import { archiveOrBringBack } from "../../world/questions/ask.ts";
import { FOLDERS, OFFERED } from "../../world/questions/destination-prompt.ts";
import { forwardToEnd, whyNoForward } from "../../world/questions/forward.ts";
import type { Destination } from "../../world/state/overlays.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { chosenItems, chosenSessions } from "./chosen-rows.ts";
import { applyDestination } from "./destination-keys.ts";
import { applyExamined, type Check, checkAll, checkChosen } from "./examine.ts";
import {
	askForDestination,
	askToDelete,
	foldRow,
	isCursorInTrash,
	moveToGroup,
	openMaintenance,
	restoreItems,
} from "./maintenance-actions.ts";
import { MAINTENANCE_PAGE } from "./maintenance-page.ts";
import {
	isFolding,
	isOnUnfolded,
	isSessionLike,
	listedRow,
	type MaintenanceRow,
	selectedMaintenanceRow,
} from "./maintenance-rows.ts";
import { TRASH_ITEMS, TRASH_PATHS } from "./maintenance-state.ts";
import { askToRepair, goToFinding, repairChosen } from "./repair.ts";

const HERE = ["maintenance"] as const;
const IN_TRASH = "The session is in the trash: restore it first";
const CHECK = onChosen("examine", checkChosen);

// biome-ignore format: a table
const MAINTENANCE_KEYS: readonly Key[] = [
	{ id: "maintenance", name: "Maintenance", synonyms: "tidy, clean up, empty, doctor, disk space, free, old and large, biggest", keys: [], contexts: PANES,
		help: "damaged and empty sessions, missing directories, and the trash", run: change((state) => openMaintenance(state)) },
	{ id: "trash", name: "Trash", synonyms: "deleted, undelete, restore, recover, bin", keys: [], contexts: PANES,
		help: "look at deleted sessions, and restore them", run: change((state) => openMaintenance(state, "trash")) },
	{ id: "moved", name: "Missing directories", synonyms: "directory, dead, gone, missing, moved projects, renamed, fix", keys: [], contexts: PANES,
		help: "sessions whose directory no longer exists, in Maintenance", run: change((state) => openMaintenance(state, "gone")) },
	{ id: "check", name: "Check {} for damage", synonyms: "doctor, examine, verify, repair", keys: [], contexts: ["list", "reader"],
		help: "check the session, or all marked sessions, for damage; the result is in Maintenance", ...CHECK },
	{ id: "check", keys: [], contexts: ["tree", "branches"], help: "check the session for damage; the result is in Maintenance", ...CHECK },
	{ id: "repair", keys: ["enter"], contexts: HERE, short: "repair …", when: isOn(({ type }) => type === "damaged"),
		help: "replace the session, or all marked sessions, with repaired copies, after asking; the originals go to the trash", condition: "on a damaged session",
		run: repairChosen },
	{ id: "go-to-entry", keys: ["enter", "right"], contexts: HERE, short: "entry", when: isOn(({ type }) => type === "finding"),
		help: "go to the entry in the tree", condition: "on a finding", run: change(goToFinding) },
	{ id: "forward", keys: [], contexts: HERE, short: "to its end", when: hasMovedLeaf, needs: (state) => whyNoForward(state, listedRow(selectedMaintenanceRow(state))),
		help: "make pi continue from the end of the session again", condition: "if a name or a label has rewound the session",
		run: (state) => forwardToEnd(state, listedRow(selectedMaintenanceRow(state))) },
	{ id: "check-all", name: "Check all listed sessions", synonyms: "doctor, examine, verify", keys: [], contexts: HERE, help: "check all sessions of the list for damage", run: checkAll },
	{ id: "fix", keys: ["enter"], contexts: HERE, short: "move …", when: isOn(({ type }) => type === "directory"),
		help: "fork the sessions into the directory that has replaced this one, and archive the originals, after asking", condition: "on a missing directory",
		run: askForDestination },
	{ id: "fold", keys: ["enter"], contexts: HERE, short: (state) => (isOnUnfolded(state) ? "fold" : "unfold"), when: isOn(isFolding),
		help: "fold or unfold the group", condition: "on the heading of a group", run: change((state) => foldRow(state)) },
	{ id: "unfold", keys: ["right"], contexts: HERE, when: isOn(isFolding),
		help: "unfold the group", run: change((state) => foldRow(state, true)) },
	{ id: "fold-here", keys: ["left"], contexts: HERE, when: (state) => isOnUnfolded(state) || selectedMaintenanceRow(state)?.parent !== undefined,
		help: "fold the group", run: change((state) => foldRow(state, false)) },
	{ id: "list-old", keys: ["enter", "right"], contexts: HERE, short: "list", when: isOn(({ type }) => type === "old"),
		help: "list these sessions, the largest first; back returns to this page", condition: "on a row of “Old and large”", run: change(listOld) },
	{ id: "restore", keys: ["enter"], contexts: HERE, short: "restore", when: isOn(({ type }) => type === "trashed"),
		help: "restore the session, or all marked sessions", condition: "in the trash", ...onAll(chosenItems, restoreItems) },
	{ id: "restore", keys: ["ctrl+d"], contexts: HERE, when: isCursorInTrash, help: "restore the session, or all marked sessions", condition: "in the trash", ...onAll(chosenItems, restoreItems) },
	{ id: "open-session", keys: ["enter", "right"], contexts: HERE, short: "open", when: isOn(isSessionLike),
		help: "open the session's tree; back returns to this page",
		...onSelected((state) => listedRow(selectedMaintenanceRow(state)), IN_TRASH, (state, { path }) => openTree(state, path)) },
	{ id: "delete", keys: ["ctrl+d"], contexts: HERE, short: "delete", acts: "chosen", pi: "app.session.delete", about: chosenWords,
		help: "move the session, or all marked sessions, to the trash, after asking", ...onAll(chosenSessions, askToDelete) },
	{ id: "archive", keys: [], contexts: HERE, acts: "chosen", about: chosenWords,
		isOn: (state) => chosenSessions(state).every(({ archived }) => archived === true),
		help: "move the session, or all marked sessions, to the archive", ...onAll(chosenSessions, archiveOrBringBack) },
	{ id: "next-group", keys: [], contexts: HERE, help: "to the next group",
		run: change((state) => moveToGroup(state, 1)) },
	{ id: "previous-group", keys: [], contexts: HERE, help: "to the previous group, or the heading of this one",
		run: change((state) => moveToGroup(state, -1)) },
];

/** What a command acts on: “Fix the login”, or “3 sessions”. */
function chosenWords(state: State): string {
	const rows = chosenSessions(state);
	const [only, second] = rows;
	return only !== undefined && second === undefined ? quote(sessionTitle(only)) : formatCounted(rows.length, "session");
}

function isOn(test: (row: MaintenanceRow) => boolean): (state: State) => boolean {
	return (state) => {
		const row = selectedMaintenanceRow(state);
		return row !== undefined && test(row);
	};
}

function listOld(state: State): State {
	const row = selectedMaintenanceRow(state);
	if (row?.type !== "old") return state;
	// The largest first, whatever order was chosen for other queries.
	const list = { ...state.list, chosenOrder: undefined };
	return typeQuery(inAll({ ...state, list, overlays: [], focus: "list" }), `${row.old.query} `);
}

function hasMovedLeaf(state: State): boolean {
	const row = selectedMaintenanceRow(state);
	return row?.type === "damaged" && row.examination?.totals.rewound !== undefined;
}

const LIST_FIRST = "Enter lists these sessions; there ctrl+space marks some, and ctrl+d moves them to the trash";

/** A key that acts on all that is chosen, if anything is. */
function onAll<Item>(
	choose: (state: State) => readonly Item[],
	run: (state: State, items: readonly Item[]) => Transition,
): Pick<Key, "needs" | "run"> {
	const select = (state: State): readonly Item[] | undefined => {
		const items = choose(state);
		return items.length === 0 ? undefined : items;
	};
	const key = onSelected(select, "Nothing is marked: mark sessions, or a group, with space", run);
	const isOnOld = isOn(({ type }) => type === "old");
	return { ...key, needs: (state) => (select(state) === undefined && isOnOld(state) ? LIST_FIRST : key.needs(state)) };
}

export const MAINTENANCE_FEATURE: Feature<MaintenanceAction> = {
	page: MAINTENANCE_PAGE,
	keys: { section: "Maintenance", keys: MAINTENANCE_KEYS },
	on: {
		examined: applyExamined,
		"repair-planned": (state, { planned }) => askToRepair(state, planned),
		"destination-checked": applyDestination,
		changed: (state) => TRASH_ITEMS.renew(TRASH_PATHS.renew(state)),
	},
	steps: { pages: [OFFERED, FOLDERS, TRASH_PATHS] },
};

type MaintenanceAction =
	/** The results for the examined ones of `paths`; `left`: how many are not, because the person stopped it. */
	| {
			readonly type: "examined";
			readonly paths: readonly string[];
			readonly check: Check | undefined;
			readonly found: readonly Examination[];
			readonly left: number;
	  }
	/** What repaired copies would contain, by the path of their session. */
	| { readonly type: "repair-planned"; readonly planned: ReadonlyMap<string, readonly PlannedCopy[]> }
	| {
			readonly type: "destination-checked";
			readonly directory: string;
			readonly fate: DirectoryFate;
			readonly destination: Destination;
	  };

type MaintenanceEffect =
	| { readonly type: "check-destination"; readonly directory: string; readonly destination: Destination }
	/** Examine these sessions; a `check` is reported. */
	| { readonly type: "examine"; readonly paths: readonly string[]; readonly check: Check | undefined }
	/** Find out what repaired copies of these would contain. */
	| { readonly type: "plan-repair"; readonly paths: readonly string[] };

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
