import { directoryKey } from "../features/maintenance/maintenance-rows.ts";
import { arrivingAt } from "../features/maintenance/reconcile-maintenance.ts";
import { withMoved } from "../features/maintenance/reconcile-moved.ts";
import { withTidy } from "../features/maintenance/reconcile-tidy.ts";
import { withTrash } from "../features/maintenance/reconcile-trash.ts";
import type { GroupId } from "../model/maintenance-state.ts";
import { FIRST_MOVED } from "../model/moved-state.ts";
import type { State } from "../model/state.ts";
import { openPage } from "../page/open-page.ts";

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
