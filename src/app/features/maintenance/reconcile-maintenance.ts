import { rowAtCursor } from "../../../ui/page/page-rows.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { groupKey, type MaintenanceRow, selectRows } from "./maintenance-rows.ts";
import { DOCTOR, MAINTENANCE } from "./maintenance-state.ts";
import { beginChecking, examineNext, isChecking } from "./reconcile-doctor.ts";
import { syncDirectories } from "./reconcile-moved.ts";
import { syncTidy } from "./reconcile-tidy.ts";
import { syncTrash, syncTrashPaths } from "./reconcile-trash.ts";

/** Requests what the view shows, a part at a time, while it is open. */
export function syncMaintenance(state: State): Transition {
	const places = MAINTENANCE.of(state).opened.has(groupKey("gone"));
	const [located, locate] = syncDirectories(state, { fates: true, places });
	const [tidied, compare] = syncTidy(located);
	const [read, reading] = syncTrash(tidied, rowsInSight(tidied));
	const [examined, examine] = examineNext(withUnfolded(read));
	return [arrive(examined), [...locate, ...compare, ...reading, ...examine]];
}

/** Requests what the rest of the program needs of the same data while the view is closed. */
export function syncClosed(state: State): Transition {
	const [located, locate] = syncDirectories(state, { fates: false, places: false });
	const [read, reading] = syncTrashPaths(located);
	const [examined, examine] = DOCTOR.of(read).checked?.opens === true ? examineNext(read) : transition(read);
	// A finding may have opened the view.
	return [arrive(examined), [...locate, ...reading, ...examine]];
}

/** Examines the damaged sessions that are unfolded, to show what is wrong with them. */
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

/** The rows in sight; the one under the cursor comes first because its session is previewed. */
function rowsInSight(state: State): readonly MaintenanceRow[] {
	const { cursor } = MAINTENANCE.of(state);
	const rows = selectRows(state);
	const here = rowAtCursor(cursor, rows);
	const inSight = rows.slice(cursor.top, cursor.top + layoutWithPreview(state.size).list.height);
	return here === undefined ? inSight : [here, ...inSight];
}

/** Puts the cursor on the row that the view was opened for, or on the first row of that group, once it exists. */
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
