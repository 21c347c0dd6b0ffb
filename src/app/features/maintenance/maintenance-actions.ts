import type { SessionRow } from "../../../catalog/model/row.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { cursorIndex } from "../../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { indexOfKey } from "../../world/list/headings.ts";
import { closeStage } from "../../world/list/marked.ts";
import { selectList } from "../../world/list/select-list.ts";
import { deleteAllQuestion } from "../../world/questions/several-menus.ts";
import { sentence } from "../../world/screen/menus.ts";
import { openPage, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { chosenItems, chosenSessions } from "./chosen-rows.ts";
import { titleOfItem } from "./draw-row.ts";
import {
	damagedKey,
	directoryKey,
	groupKey,
	isFolding,
	listedRow,
	selectedRow,
	selectRows,
} from "./maintenance-rows.ts";
import { FIRST_MOVED, type GroupId, MAINTENANCE, MOVED, OLD_DAYS, TIDY, TRASH } from "./maintenance-state.ts";
import { selectTidying } from "./tidy-groups.ts";

/** Opens the view as it was left, or unfolded at a group. Directories and the trash are checked again. */
export function openMaintenance(state: State, group?: GroupId, row?: string): State {
	const { search, chosen } = MOVED.of(state);
	const reset = MOVED.with(state, { ...FIRST_MOVED, search: search + 1, chosen });
	const next = TIDY.with(TRASH.with(reset, { stale: true }), { isStopped: false });
	return openPage(group === undefined ? next : arrivingAt(next, group, row), "maintenance");
}

/** Opens the view at a missing directory. */
export function openAtDirectory(state: State, directory: string): State {
	return openMaintenance(state, "gone", directoryKey(directory));
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
export function fold(state: State, wanted?: boolean): State {
	const row = selectedRow(state);
	if (row === undefined) return state;
	const { opened, cursor } = MAINTENANCE.of(state);
	const isOpen = opened.has(row.key);
	// Folding a row that is already folded moves to its parent.
	const key = isFolding(row) && (wanted !== false || isOpen) ? row.key : (row.parent ?? row.key);
	const next = new Set(opened);
	if (wanted ?? !isOpen) next.add(key);
	else next.delete(key);
	return MAINTENANCE.with(state, { opened: next, arriving: undefined, cursor: { ...cursor, selected: key } });
}

/** Moves the cursor to the next or the previous group. */
export function moveToGroup(state: State, by: 1 | -1): State {
	const rows = selectRows(state);
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

/** Cycles through the numbers of days after which a session is old. */
export function changeOldDays(state: State): State {
	const { oldDays } = TIDY.of(state);
	const next = OLD_DAYS[(OLD_DAYS.indexOf(oldDays) + 1) % OLD_DAYS.length] ?? oldDays;
	return say(TIDY.with(state, { oldDays: next }), `Old: no message for ${formatCounted(next, "day")}`);
}

/** Stops comparing forks until the view is opened again. */
export function stopComparing(state: State): State {
	return TIDY.with(state, { isStopped: true });
}

/** Closes the view and opens the session under its cursor, even if the list hides it. The view keeps its state. */
export function openSession(state: State): State {
	const row = selectedRow(state);
	const path = listedRow(row)?.path;
	if (path === undefined) return state;
	const isListed = indexOfKey(selectList(state).items, path) !== undefined;
	const { list } = isListed ? state : closeStage(state);
	const shown = isListed ? list : { ...list, query: editedText(""), scope: "all" as const, terms: [] };
	return { ...state, overlays: [], list: { ...shown, pendingSelection: path, opensPending: true } };
}

/** Asks before moving the marked sessions, or the one under the cursor, to the trash. */
export function askToDeleteChosen(state: State): Transition {
	const rows = chosenSessions(state);
	return rows.length === 0 ? transition(state) : withOverlay(state, deleteAllQuestion(state, rows, deletionWarnings));
}

/** Whether the cursor is in the trash, where the delete key restores. */
export function isInTrash(state: State): boolean {
	const row = selectedRow(state);
	return row?.type === "trashed" || row?.type === "undone" || (row?.type === "group" && row.group.id === "trash");
}

/** Restores the marked sessions of the trash, otherwise the one under the cursor. */
export function restoreChosen(state: State): Transition {
	const items = chosenItems(state).map((item) => ({ item, title: titleOfItem(item, TRASH.of(state).rows) }));
	return transition(state, { type: "restore-all", items, beside: false });
}

/** Warnings for a deletion of many sessions: those not proposed, and duplicates deleted together with their original. */
export function deletionWarnings(state: State, going: readonly SessionRow[]): Line[] {
	const paths = new Set(going.map(({ path }) => path));
	let [proposed, alone] = [0, 0];
	for (const { sessions } of selectTidying(state).groups) {
		for (const { row, within } of sessions) {
			if (!paths.has(row.path)) continue;
			proposed += 1;
			if (within !== undefined && paths.has(within.path)) alone += 1;
		}
	}
	const lines: Line[] = [];
	if (proposed < going.length)
		lines.push(
			...sentence(state, `${formatCount(going.length - proposed)} of them would no longer be listed.`, "warning"),
		);
	if (alone > 0) {
		const go = alone === 1 ? "1 duplicate goes" : `${formatCount(alone)} duplicates go`;
		lines.push(...sentence(state, `${go} with the session that has all of it.`, "warning"));
	}
	return lines;
}
