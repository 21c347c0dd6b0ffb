import { openPage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state/state.ts";
import { damagedKey, directoryKey, groupKey } from "./maintenance-rows.ts";
import type { GroupId } from "./maintenance-state.ts";
import { MAINTENANCE } from "./maintenance-state.ts";
import { FIRST_MOVED, MOVED } from "./moved-state.ts";
import { TIDY } from "./tidy-state.ts";
import { TRASH } from "./trash-state.ts";

/** The view as it was left, or unfolded at a group; directories and the trash are looked at anew. */
export function openMaintenance(state: State, group?: GroupId, row?: string): State {
	const { search, chosen } = MOVED.of(state);
	const looking = MOVED.with(state, { ...FIRST_MOVED, search: search + 1, chosen });
	const next = TIDY.with(TRASH.with(looking, { stale: true }), { isStopped: false });
	return openPage(group === undefined ? next : arrivingAt(next, group, row), "maintenance");
}

/** The view at a directory that is gone. */
export function openAtDirectory(state: State, directory: string): State {
	return openMaintenance(state, "gone", directoryKey(directory));
}

/** The view at a session in which something was found, and what that is below it. */
export function openAtDamaged(state: State, path: string): State {
	const key = damagedKey(path);
	const next = openMaintenance(state, "damaged", key);
	return MAINTENANCE.with(next, { opened: new Set([...MAINTENANCE.of(next).opened, key]) });
}

/** The view unfolded at a group, where the cursor goes, or to a row of it. */
function arrivingAt(state: State, group: GroupId, row?: string): State {
	const maintenance = MAINTENANCE.of(state);
	const key = groupKey(group);
	const cursor = { ...maintenance.cursor, selected: key };
	return MAINTENANCE.with(state, { arriving: row ?? key, opened: new Set([...maintenance.opened, key]), cursor });
}
