import type { Feature } from "../../world/page/feature.ts";
import { applyPlace } from "./ask-moves.ts";
import type { MaintenanceAction } from "./maintenance-messages.ts";
import { MAINTENANCE_PAGE } from "./maintenance-page.ts";
import { applyExamined, applyHeads } from "./reconcile-doctor.ts";
import { applyFates, applyFolders, applyFound } from "./reconcile-moved.ts";
import { applyCompared } from "./reconcile-tidy.ts";
import { applyTrash, applyTrashRows } from "./reconcile-trash.ts";
import { askToRepair } from "./repair.ts";
import { TRASH } from "./trash-state.ts";

export const MAINTENANCE: Feature<MaintenanceAction> = {
	page: MAINTENANCE_PAGE,
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
