import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import type { Feature } from "../../world/page/feature.ts";
import type { PlaceSubmit } from "../../world/state/overlays.ts";
import { applyPlace } from "./ask-moves.ts";
import type { Family } from "./families.ts";
import { MAINTENANCE_KEYS } from "./maintenance-keys.ts";
import { MAINTENANCE_PAGE } from "./maintenance-page.ts";
import type { DirectoryFate, FoundPlace, GoneDirectory } from "./moved-state.ts";
import { applyExamined, applyHeads } from "./reconcile-doctor.ts";
import { applyFates, applyFolders, applyFound } from "./reconcile-moved.ts";
import { applyCompared } from "./reconcile-tidy.ts";
import { applyTrash, applyTrashRows } from "./reconcile-trash.ts";
import { askToRepair } from "./repair.ts";
import type { TrashItem } from "./trash-state.ts";
import { TRASH } from "./trash-state.ts";

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
		"directories-looked": (state, { search, fates }) => applyFates(state, search, fates),
		"places-found": (state, { search, found }) => applyFound(state, search, found),
		"folders-listed": (state, { directory, names }) => applyFolders(state, directory, names),
		"place-checked": applyPlace,
		"families-compared": (state, { contained }) => applyCompared(state, contained),
		changed: (state) => TRASH.with(state, { stale: true, pathsCurrent: false }),
	},
};

/** What can happen to it. */
type MaintenanceAction =
	/** The sessions in the trash, newest first, or why they cannot be gathered. */
	| {
			readonly type: "trash-read";
			readonly request: number;
			readonly read: { readonly items: readonly TrashItem[] } | { readonly error: string };
	  }
	/** Where the sessions in the trash were. */
	| { readonly type: "trash-paths"; readonly paths: ReadonlySet<string> }
	/** What the list would show of files in the trash, by their paths there. */
	| { readonly type: "trash-scanned"; readonly rows: ReadonlyMap<string, SessionRow> }
	/** What was found in the first sessions of those to be examined. */
	| { readonly type: "examined"; readonly request: number; readonly found: readonly Examination[] }
	/** How sessions begin. */
	| { readonly type: "heads-read"; readonly request: number; readonly found: readonly SessionHead[] }
	/** What repaired copies would have, by the path of their session. */
	| { readonly type: "repair-planned"; readonly planned: ReadonlyMap<string, readonly PlannedCopy[]> }
	/** What is at the places of directories. */
	| {
			readonly type: "directories-looked";
			readonly search: number;
			readonly fates: ReadonlyMap<string, DirectoryFate>;
	  }
	/** Where directories that are gone may be now. */
	| {
			readonly type: "places-found";
			readonly search: number;
			readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
	  }
	/** The folders in a directory. */
	| { readonly type: "folders-listed"; readonly directory: string; readonly names: readonly string[] }
	/** Whether the directory that was typed is there. */
	| {
			readonly type: "place-checked";
			readonly directory: string;
			readonly fate: DirectoryFate;
			readonly of: PlaceSubmit;
	  }
	/** By the keys of families: the sessions in them that stand wholly in another one. */
	| { readonly type: "families-compared"; readonly contained: ReadonlyMap<string, readonly ContainedSessions[]> };

/** What it wants done outside. */
type MaintenanceEffect =
	/** Gather the sessions in the trash. */
	| { readonly type: "read-trash"; readonly request: number }
	/** Find out where the sessions in the trash were. */
	| { readonly type: "read-trash-paths" }
	/** Read these files in the trash, for what the list would show of them. */
	| { readonly type: "scan-trash"; readonly paths: readonly string[] }
	/** Find out which of these directories are there. */
	| { readonly type: "look-at-directories"; readonly search: number; readonly directories: readonly string[] }
	/** Find out where these directories that are gone may be now; `there`: the directories of sessions that exist. */
	| {
			readonly type: "find-places";
			readonly search: number;
			readonly gone: readonly GoneDirectory[];
			readonly there: readonly string[];
	  }
	/** Find the folders in a directory, to complete what is typed. */
	| { readonly type: "list-folders"; readonly directory: string }
	/** Find out whether the directory that was typed is there. */
	| { readonly type: "check-place"; readonly directory: string; readonly of: PlaceSubmit }
	/** Note what Git knows of directories while they are there. */
	| { readonly type: "note-git"; readonly directories: readonly string[] }
	/** Examine the first of these sessions, as many as there is time for until the screen is drawn again. */
	| { readonly type: "examine"; readonly request: number; readonly paths: readonly string[] }
	/** Read how these sessions begin: they may be copies of some that were examined. */
	| { readonly type: "read-heads"; readonly request: number; readonly paths: readonly string[] }
	/** Find out what repaired copies of these would have. */
	| { readonly type: "plan-repair"; readonly paths: readonly string[] }
	/** Read these families of sessions: which of them stand wholly in another one. */
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

declare module "../../world/state/page-kind.ts" {
	interface Pages {
		readonly maintenance: true;
	}
}
