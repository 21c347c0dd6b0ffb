import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { cursorIndex } from "../../../ui/page/page-rows.ts";
import { openPage } from "../../world/keys/key.ts";
import { FATES } from "../../world/list/gone-directories.ts";
import { withDamageSeen } from "../../world/list/list-counts.ts";
import { selectTidying } from "../../world/list/tidy-groups.ts";
import { askToChange } from "../../world/questions/ask.ts";
import { destinationPrompt } from "../../world/questions/destination-prompt.ts";
import { deletionNotes } from "../../world/questions/notes.ts";
import { withOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { chosenGone } from "./chosen-rows.ts";
import { titleOfItem } from "./draw-row.ts";
import { damagedKey, groupKey, isFolding, selectedMaintenanceRow, selectMaintenanceRows } from "./maintenance-rows.ts";
import { type GroupId, MAINTENANCE, TRASH_ITEMS } from "./maintenance-state.ts";
import { trashRows } from "./trash-rows.ts";

/** Opens the view as it was left, or unfolded at a group. Directories and the trash are checked again. */
export function openMaintenance(state: State, group?: GroupId, row?: string): State {
	const next = FATES.renew(TRASH_ITEMS.renew(withDamageSeen(state)));
	return openPage(group === undefined ? next : arrivingAt(next, group, row), "maintenance");
}

/** Opens the view at a session with findings, and unfolds them. */
export function openAtDamaged(state: State, path: string): State {
	const key = damagedKey(path);
	const next = openMaintenance(state, "damaged", key);
	return MAINTENANCE.with(next, { opened: new Set([...MAINTENANCE.of(next).opened, key]) });
}

/** Unfolds a group; the cursor will go to its first row, or to `row`. */
function arrivingAt(state: State, group: GroupId, row?: string): State {
	const maintenance = MAINTENANCE.of(state);
	const key = groupKey(group);
	const cursor = { ...maintenance.cursor, selected: key };
	return MAINTENANCE.with(state, { arriving: row ?? key, opened: new Set([...maintenance.opened, key]), cursor });
}

/** Unfolds or folds the row under the cursor. On a row that cannot be folded, folds its parent, where the cursor goes. */
export function foldRow(state: State, opens?: boolean): State {
	const row = selectedMaintenanceRow(state);
	if (row === undefined) return state;
	const { opened: openKeys, cursor } = MAINTENANCE.of(state);
	const isOpen = openKeys.has(row.key);
	// Folding a row that is already folded moves to its parent.
	const key = isFolding(row) && (opens !== false || isOpen) ? row.key : (row.parent ?? row.key);
	const keys = new Set([key]);
	const opened = (opens ?? !isOpen) ? openKeys.union(keys) : openKeys.difference(keys);
	return MAINTENANCE.with(state, { opened, arriving: undefined, cursor: { ...cursor, selected: key } });
}

export function moveToGroup(state: State, by: 1 | -1): State {
	const rows = selectMaintenanceRows(state);
	const { cursor } = MAINTENANCE.of(state);
	const from = cursorIndex(cursor, rows);
	const index =
		by === 1
			? rows.findIndex(({ type }, at) => at > from && type === "group")
			: rows.slice(0, Math.max(0, from)).findLastIndex(({ type }) => type === "group");
	const heading = rows[index];
	if (heading === undefined) return state;
	return MAINTENANCE.with(state, {
		arriving: undefined,
		cursor: { ...cursor, selected: heading.key, index, top: index },
	});
}

export function askToDelete(state: State, rows: readonly SessionRow[]): Transition {
	return askToChange(state, { type: "trash" }, rows, { more: (now) => deletionNotes(selectTidying(now)) });
}

/** Whether the cursor is in the trash, where the delete key restores. */
export function isCursorInTrash(state: State): boolean {
	const row = selectedMaintenanceRow(state);
	return row?.type === "trashed" || row?.type === "undone" || (row?.type === "group" && row.group.id === "trash");
}

export function restoreItems(state: State, trashItems: readonly TrashItem[]): Transition {
	const items = trashItems.map((item) => ({ item, title: titleOfItem(item, trashRows(state)) }));
	return transition(state, { type: "restore-all", items, beside: false });
}

/** Asks where the sessions of the directory under the cursor belong now, or the marked ones of missing directories. */
export function askForDestination(state: State): Transition {
	const rows = chosenGone(state);
	if (rows.length === 0) return transition(state);
	return withOverlay(state, destinationPrompt(state, { rows, archives: true }));
}
