import type { SessionRow } from "../../../catalog/model/row.ts";
import { hasOrphansInSight } from "../../world/list/gone-parents.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import type { MaintenanceRow } from "./maintenance-rows.ts";
import type { TrashItem } from "./trash-state.ts";
import { TRASH } from "./trash-state.ts";

/** Files that are read in one go. */
const SCANNED_AT_ONCE = 8;

/** Has the trash gathered, and the files of these rows read, the first ones first. */
export function syncTrash(state: State, rows: readonly MaintenanceRow[]): Transition {
	const [reading, read] = gather(state);
	const [scanning, scan] = scanRows(reading, rows);
	return [scanning, [...read, ...scan]];
}

/** Forks of what is in the trash say so in the list: the trash is looked into when one that may be is in sight. */
export function lookForParents(state: State): Transition {
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

/** What is in the trash. */
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

/** What was found in some of the files. */
export function applyTrashRows(state: State, found: ReadonlyMap<string, SessionRow>): State {
	return TRASH.with(state, { rows: new Map([...TRASH.of(state).rows, ...found]), scanning: [] });
}
