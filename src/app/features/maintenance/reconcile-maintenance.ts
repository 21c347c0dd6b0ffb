import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { rowAtCursor } from "../../../ui/page/page-rows.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { chain, type State, type Transition, transition } from "../../world/state/state.ts";
import { syncDestination } from "./destination-field.ts";
import { examine } from "./examine.ts";
import { syncDirectories } from "./gone-groups.ts";
import { type MaintenanceRow, selectRows } from "./maintenance-rows.ts";
import { DOCTOR, MAINTENANCE, TRASH } from "./maintenance-state.ts";

/** Requests what the view shows, while it is open. */
export function syncMaintenance(state: State): Transition {
	const stages = [syncDestination, syncDirectories, (now: State) => syncTrash(now, rowsInSight(now)), examineUnfolded];
	const [next, effects] = stages.reduce((before, stage) => chain(before, stage), transition(state));
	return [arrive(next), effects];
}

/** Requests what the rest of the program needs of the same data while the view is closed. */
export function syncClosed(state: State): Transition {
	const [next, effects] = chain(syncDestination(state), syncTrashPaths);
	// A finding may have opened the view.
	return [arrive(next), effects];
}

/** Examines the damaged sessions that are unfolded, to show what is wrong with them. */
function examineUnfolded(state: State): Transition {
	const { examined, examining } = DOCTOR.of(state);
	const { opened } = MAINTENANCE.of(state);
	const fresh = selectRows(state).flatMap((row) => {
		const isAsked = row.type === "damaged" && opened.has(row.key) && !examined.has(row.row.path);
		return isAsked && !examining.has(row.row.path) ? [row.row.path] : [];
	});
	return fresh.length === 0 ? transition(state) : examine(state, fresh);
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

/** Files read with one effect. */
const SCANNED_AT_ONCE = 8;

/** Requests the contents of the trash, and the files of these rows in their order. */
function syncTrash(state: State, rows: readonly MaintenanceRow[]): Transition {
	const [reading, read] = gather(state);
	const [scanning, scan] = scanRows(reading, rows);
	return [scanning, [...read, ...scan]];
}

/**
 * The list shows for a fork that its parent is in the trash, so the trash is read as soon as a fork without a parent is in
 * sight.
 */
function syncTrashPaths(state: State): Transition {
	if (TRASH.of(state).pathsCurrent || state.changing > 0 || !hasOrphansInSight(state)) return transition(state);
	return transition(TRASH.with(state, { pathsCurrent: true }), { type: "read-trash-paths" });
}

function gather(state: State): Transition {
	const trash = TRASH.of(state);
	if (trash.reading || !trash.stale) return transition(state);
	const request = trash.request + 1;
	return transition(TRASH.with(state, { request, reading: true, stale: false }), { type: "read-trash", request });
}

function scanRows(state: State, rows: readonly MaintenanceRow[]): Transition {
	const trash = TRASH.of(state);
	if (trash.scanning.length > 0) return transition(state);
	const unread = rows.flatMap((row) =>
		row.type === "trashed" && row.item.trashed !== undefined && !trash.rows.has(row.key) ? [row.key] : [],
	);
	const keys = [...new Set(unread)].slice(0, SCANNED_AT_ONCE);
	if (keys.length === 0) return transition(state);
	return transition(TRASH.with(state, { scanning: keys }), { type: "scan-trash", paths: keys });
}

/** Stores the contents of the trash. */
export function applyTrash(
	state: State,
	request: number,
	read: { readonly items: readonly TrashItem[] } | { readonly error: string },
): State {
	const trash = TRASH.of(state);
	if (trash.request !== request) return state;
	if ("error" in read) return TRASH.with(state, { reading: false, complete: true, error: read.error });
	const { items } = read;
	const keys = new Set(items.map(({ key }) => key));
	const trashed = new Set(items.map(({ path }) => path));
	return TRASH.with(
		{ ...state, trashed },
		{
			items,
			reading: false,
			complete: true,
			error: undefined,
			rows: new Map([...trash.rows].filter(([key]) => keys.has(key))),
			pathsCurrent: true,
		},
	);
}

/** Stores the rows of some of its files. */
export function applyTrashRows(state: State, found: ReadonlyMap<string, SessionRow>): State {
	return TRASH.with(state, { rows: new Map([...TRASH.of(state).rows, ...found]), scanning: [] });
}
