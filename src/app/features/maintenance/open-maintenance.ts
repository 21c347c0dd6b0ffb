import { openPage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { damagedKey, directoryKey, groupKey } from "./maintenance-rows.ts";
import type { GroupId, MaintenanceState } from "./maintenance-state.ts";
import { FIRST_MOVED } from "./moved-state.ts";
import { withMoved } from "./reconcile-moved.ts";
import { withTidy } from "./reconcile-tidy.ts";
import { withTrash } from "./reconcile-trash.ts";

/** The view as it was left, or unfolded at a group; directories and the trash are looked at anew. */
export function openMaintenance(state: State, group?: GroupId, row?: string): State {
	const { search, chosen } = state.moved;
	const looking = withMoved(state, { ...FIRST_MOVED, search: search + 1, chosen });
	const next = withTidy(withTrash(looking, { stale: true }), { isStopped: false });
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
	return withMaintenance(next, { opened: new Set([...next.maintenance.opened, key]) });
}

/** The view unfolded at a group, where the cursor goes, or to a row of it. */
function arrivingAt(state: State, group: GroupId, row?: string): State {
	const { maintenance } = state;
	const key = groupKey(group);
	const cursor = { ...maintenance.cursor, selected: key };
	return withMaintenance(state, { arriving: row ?? key, opened: new Set([...maintenance.opened, key]), cursor });
}

export function withMaintenance(state: State, fields: Partial<MaintenanceState>): State {
	return { ...state, maintenance: { ...state.maintenance, ...fields } };
}
