import { openPage } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { damagedKey, directoryKey, groupKey } from "./maintenance-rows.ts";
import { type GroupId, MAINTENANCE, TIDY, TRASH } from "./maintenance-state.ts";
import { FIRST_MOVED, MOVED } from "./moved-state.ts";

/** Opens the view as it was left, or unfolded at a group. Directories and the trash are checked again. */
export function openMaintenance(state: State, group?: GroupId, row?: string): State {
	const { search, chosen } = MOVED.of(state);
	const reset = MOVED.with(state, { ...FIRST_MOVED, search: search + 1, chosen });
	const next = TIDY.with(TRASH.with(reset, { stale: true }), { isStopped: false });
	return openPage(group === undefined ? next : arrivingAt(next, group, row), "maintenance");
}

/** Opens the view at a missing directory. */
export function openAtDirectory(state: State, directory: string): State {
	return openMaintenance(state, "gone", directoryKey(directory));
}

/** Opens the view at a session with findings, and unfolds them. */
export function openAtDamaged(state: State, path: string): State {
	const key = damagedKey(path);
	const next = openMaintenance(state, "damaged", key);
	return MAINTENANCE.with(next, { opened: new Set([...MAINTENANCE.of(next).opened, key]) });
}

/** Unfolds a group; the cursor will go to its first row, or to `row`. */
function arrivingAt(state: State, group: GroupId, row?: string): State {
	const maintenance = MAINTENANCE.of(state);
	const key = groupKey(group);
	const cursor = { ...maintenance.cursor, selected: key };
	return MAINTENANCE.with(state, { arriving: row ?? key, opened: new Set([...maintenance.opened, key]), cursor });
}
