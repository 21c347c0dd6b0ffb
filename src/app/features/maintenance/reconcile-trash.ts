import type { SessionRow } from "../../../catalog/model/row.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import type { MaintenanceRow } from "./maintenance-rows.ts";
import { TRASH, type TrashItem } from "./maintenance-state.ts";

/** Files read with one effect. */
const SCANNED_AT_ONCE = 8;

/** Requests the contents of the trash, and the files of these rows in their order. */
export function syncTrash(state: State, rows: readonly MaintenanceRow[]): Transition {
	const [reading, read] = gather(state);
	const [scanning, scan] = scanRows(reading, rows);
	return [scanning, [...read, ...scan]];
}

/**
 * The list shows for a fork that its parent is in the trash, so the trash is read as soon as a fork without a parent is in
 * sight.
 */
export function syncTrashPaths(state: State): Transition {
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
