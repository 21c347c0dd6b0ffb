import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/doctor/contained-sessions.ts";
import { rowAtCursor } from "../../../ui/page/page-rows.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import type { Family } from "./duplicates.ts";
import { groupKey, type MaintenanceRow, selectRows } from "./maintenance-rows.ts";
import { DOCTOR, MAINTENANCE, MOVED, TIDY, TRASH, type TrashItem } from "./maintenance-state.ts";
import { beginChecking, examineNext, isChecking } from "./reconcile-doctor.ts";
import { syncDirectories } from "./reconcile-moved.ts";
import { familiesToCompare, isLooking, selectFamilies } from "./tidy-groups.ts";

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

/** Families read with one effect: at most this many, and at most this many bytes unless it is a single one. */
const COMPARED_AT_ONCE = 50;
const COMPARED_BYTES = 16_000_000;

/** Requests the comparison of families, a part at a time, while the view is open and all directories have been checked. */
function syncTidy(state: State): Transition {
	const next = withNewFates(state);
	const { catalog } = next;
	const tidy = TIDY.of(next);
	if (!catalog.complete || isLooking(next) || tidy.comparing || tidy.isStopped) return transition(next);
	const families = nextFamilies(familiesToCompare(next));
	if (families.length === 0) return transition(next);
	return transition(TIDY.with(next, { comparing: true }), { type: "compare-families", families });
}

/** Directories keep their old state until all have been checked again, so that no marked row disappears meanwhile. */
function withNewFates(state: State): State {
	const { fates } = MOVED.of(state);
	if (isLooking(state) || fates === TIDY.of(state).fates) return state;
	return TIDY.with(state, { fates });
}

function nextFamilies(families: readonly Family[]): readonly Family[] {
	let bytes = 0;
	const rest = families.findIndex((family, index) => {
		bytes += family.bytes;
		return index === COMPARED_AT_ONCE || (index > 0 && bytes > COMPARED_BYTES);
	});
	return families.slice(0, rest === -1 ? families.length : rest);
}

/** Stores what was found in families, and forgets families that have changed since. */
export function applyCompared(state: State, found: ReadonlyMap<string, readonly ContainedSessions[]>): State {
	const compared = new Map(TIDY.of(state).compared);
	for (const [key, contained] of found) compared.set(key, contained);
	const present = new Set(selectFamilies(state).map(({ key }) => key));
	for (const key of compared.keys()) if (!present.has(key)) compared.delete(key);
	return TIDY.with(state, { comparing: false, compared });
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
