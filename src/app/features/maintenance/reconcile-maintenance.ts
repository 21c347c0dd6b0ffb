import { rowAtCursor } from "../../../ui/page/page-cursor.ts";
import type { GroupId, MaintenanceState } from "../../model/maintenance-state.ts";
import type { State } from "../../model/state.ts";
import type { Transition } from "../../model/transition.ts";
import { layoutWithPreview } from "../../page/page-layout.ts";
import { groupKey, type MaintenanceRow, selectRows } from "./maintenance-rows.ts";
import { syncTidy } from "./reconcile-tidy.ts";
import { syncTrash } from "./reconcile-trash.ts";

/** Has found out what the view shows, a part at a time, while it is open. */
export function syncMaintenance(state: State): Transition {
	const [tidied, compare] = syncTidy(state);
	const [read, reading] = syncTrash(tidied, rowsInSight(tidied));
	return [arrive(read), [...compare, ...reading]];
}

/** The rows in sight, that under the cursor first: its session is shown. */
function rowsInSight(state: State): readonly MaintenanceRow[] {
	const { cursor } = state.maintenance;
	const rows = selectRows(state);
	const here = rowAtCursor(cursor, rows);
	const inSight = rows.slice(cursor.top, cursor.top + layoutWithPreview(state.size).list.height);
	return here === undefined ? inSight : [here, ...inSight];
}

/** Puts the cursor on the first row of the group that the view was opened for, once there is one. */
function arrive(state: State): State {
	const { arriving, cursor } = state.maintenance;
	if (arriving === undefined) return state;
	const rows = selectRows(state);
	const index = rows.findIndex(({ parent, isSkipped }) => parent === groupKey(arriving) && isSkipped !== true);
	const row = rows[index];
	if (row === undefined) return state;
	const placed = { ...cursor, selected: row.key, index, top: index - 1 };
	return withMaintenance(state, { arriving: undefined, cursor: placed });
}

/** The view unfolded at a group, where the cursor goes. */
export function arrivingAt(state: State, group: GroupId): State {
	const { maintenance } = state;
	const key = groupKey(group);
	const cursor = { ...maintenance.cursor, selected: key };
	return withMaintenance(state, { arriving: group, opened: new Set([...maintenance.opened, key]), cursor });
}

export function withMaintenance(state: State, fields: Partial<MaintenanceState>): State {
	return { ...state, maintenance: { ...state.maintenance, ...fields } };
}
