import { rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { DOCTOR } from "./doctor-state.ts";
import { groupKey, type MaintenanceRow, selectRows } from "./maintenance-rows.ts";
import { MAINTENANCE } from "./maintenance-state.ts";
import { beginChecking, checkOn, isChecking } from "./reconcile-doctor.ts";
import { syncMoved } from "./reconcile-moved.ts";
import { syncTidy } from "./reconcile-tidy.ts";
import { lookForParents, syncTrash } from "./reconcile-trash.ts";

/** Has found out what the view shows, a part at a time, while it is open. */
export function syncMaintenance(state: State): Transition {
	const places = MAINTENANCE.of(state).opened.has(groupKey("gone"));
	const [looked, look] = syncMoved(state, { fates: true, places });
	const [tidied, compare] = syncTidy(looked);
	const [read, reading] = syncTrash(tidied, rowsInSight(tidied));
	const [checked, check] = checkOn(withUnfolded(read));
	return [arrive(checked), [...look, ...compare, ...reading, ...check]];
}

/** What others want to know of the same things while the view is closed. */
export function syncClosed(state: State): Transition {
	const [looked, look] = syncMoved(state, { fates: false, places: false });
	const [read, reading] = lookForParents(looked);
	const [checked, check] = DOCTOR.of(read).checked?.opens === true ? checkOn(read) : transition(read);
	// What was found may have opened the view.
	return [arrive(checked), [...look, ...reading, ...check]];
}

/** Has the damaged sessions examined that are unfolded, to show what is wrong with them. */
function withUnfolded(state: State): State {
	const doctor = DOCTOR.of(state);
	const maintenance = MAINTENANCE.of(state);
	if (isChecking(state)) return state;
	const fresh = selectRows(state).flatMap((row) =>
		row.type === "damaged" && maintenance.opened.has(row.key) && !doctor.examined.has(row.row.path)
			? [row.row.path]
			: [],
	);
	return fresh.length === 0 ? state : beginChecking(state, fresh);
}

/** The rows in sight, that under the cursor first: its session is shown. */
function rowsInSight(state: State): readonly MaintenanceRow[] {
	const { cursor } = MAINTENANCE.of(state);
	const rows = selectRows(state);
	const here = rowAtCursor(cursor, rows);
	const inSight = rows.slice(cursor.top, cursor.top + layoutWithPreview(state.size).list.height);
	return here === undefined ? inSight : [here, ...inSight];
}

/** Puts the cursor on the row that the view was opened for, or of a group on the first one below it, once that is there. */
function arrive(state: State): State {
	const { arriving, cursor } = MAINTENANCE.of(state);
	if (arriving === undefined) return state;
	const rows = selectRows(state);
	const index = rows.findIndex(({ key, parent, type, isSkipped }) =>
		key === arriving ? type !== "group" : parent === arriving && isSkipped !== true,
	);
	const row = rows[index];
	if (row === undefined) return state;
	const heading = rows.findIndex(({ key }) => key === row.parent);
	return MAINTENANCE.with(state, {
		arriving: undefined,
		cursor: { ...cursor, selected: row.key, index, top: heading },
	});
}
