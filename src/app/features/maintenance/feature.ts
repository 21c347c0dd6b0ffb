import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/doctor/contained-sessions.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import type { Feature } from "../../world/page/page.ts";
import type { PlaceSubmit } from "../../world/state/overlays.ts";
import { applyPlace } from "./ask-moves.ts";
import type { Family } from "./duplicates.ts";
import { MAINTENANCE_KEYS } from "./maintenance-keys.ts";
import { MAINTENANCE_PAGE } from "./maintenance-page.ts";
import { type DirectoryFate, type FoundPlace, type GoneDirectory, TRASH, type TrashItem } from "./maintenance-state.ts";
import { applyExamined, applyHeads } from "./reconcile-doctor.ts";
import { applyCompared, applyTrash, applyTrashRows } from "./reconcile-maintenance.ts";
import { applyFates, applyFolders, applyFound } from "./reconcile-moved.ts";
import { askToRepair } from "./repair.ts";

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
		"places-found": (state, { search, found }) => applyFound(state, search, found),
		"folders-listed": (state, { directory, names }) => applyFolders(state, directory, names),
		"place-checked": applyPlace,
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
			readonly type: "places-found";
			readonly search: number;
			readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
	  }
	/** The names of the folders in a directory. */
	| { readonly type: "folders-listed"; readonly directory: string; readonly names: readonly string[] }
	/** Whether the typed directory exists. */
	| {
			readonly type: "place-checked";
			readonly directory: string;
			readonly fate: DirectoryFate;
			readonly of: PlaceSubmit;
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
			readonly type: "find-places";
			readonly search: number;
			readonly gone: readonly GoneDirectory[];
			readonly there: readonly string[];
	  }
	/** List the folders in a directory, to complete a typed path. */
	| { readonly type: "list-folders"; readonly directory: string }
	/** Check whether the typed directory exists. */
	| { readonly type: "check-place"; readonly directory: string; readonly of: PlaceSubmit }
	/** Note what Git knows of directories while they exist. */
	| { readonly type: "note-git"; readonly directories: readonly string[] }
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
