import type { SessionRow } from "../../../catalog/model/row.ts";
import { hasOrphansInSight } from "../../world/list/gone-parents.ts";
import type { State } from "../../world/state.ts";
import { type Transition, transition } from "../../world/transition.ts";
import type { MaintenanceRow } from "./maintenance-rows.ts";
import type { TrashItem, TrashState } from "./trash-state.ts";

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
	if (state.trash.pathsCurrent || state.changing > 0 || !hasOrphansInSight(state)) return transition(state);
	return transition(withTrash(state, { pathsCurrent: true }), { type: "read-trash-paths" });
}

function gather(state: State): Transition {
	const { trash } = state;
	if (trash.reading || !trash.stale) return transition(state);
	const request = trash.request + 1;
	return transition(withTrash(state, { request, reading: true, stale: false }), { type: "read-trash", request });
}

function scanRows(state: State, rows: readonly MaintenanceRow[]): Transition {
	const { trash } = state;
	if (trash.scanning.length > 0) return transition(state);
	const unread = rows.flatMap((row) =>
		row.type === "trashed" && row.item.trashed !== undefined && !trash.rows.has(row.key) ? [row.key] : [],
	);
	const keys = [...new Set(unread)].slice(0, SCANNED_AT_ONCE);
	if (keys.length === 0) return transition(state);
	return transition(withTrash(state, { scanning: keys }), { type: "scan-trash", paths: keys });
}

/** What is in the trash. */
export function applyTrash(
	state: State,
	request: number,
	read: { readonly items: readonly TrashItem[] } | { readonly error: string },
): State {
	const { trash } = state;
	if (trash.request !== request) return state;
	if ("error" in read) return withTrash(state, { reading: false, complete: true, error: read.error });
	const { items } = read;
	const keys = new Set(items.map(({ key }) => key));
	return withTrash(state, {
		items,
		reading: false,
		complete: true,
		error: undefined,
		rows: new Map([...trash.rows].filter(([key]) => keys.has(key))),
		paths: new Set(items.map(({ path }) => path)),
		pathsCurrent: true,
	});
}

/** What is in the trash, by the paths where it was. */
export function applyTrashPaths(state: State, paths: ReadonlySet<string>): State {
	return withTrash(state, { paths });
}

/** What was found in some of the files. */
export function applyTrashRows(state: State, found: ReadonlyMap<string, SessionRow>): State {
	return withTrash(state, { rows: new Map([...state.trash.rows, ...found]), scanning: [] });
}

export function withTrash(state: State, fields: Partial<TrashState>): State {
	return { ...state, trash: { ...state.trash, ...fields } };
}
