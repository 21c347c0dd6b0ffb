import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import type { State } from "../../world/state/state.ts";
import { type MaintenanceRow, selectMaintenanceRows } from "./maintenance-rows.ts";
import { MAINTENANCE } from "./maintenance-state.ts";

const READ_AT_ONCE = 8;

/** The rows that the list would show for files in the trash, by `keyOfItem`. */
export type TrashRows = ReadonlyMap<string, SessionRow>;

/** The rows of the files in sight, as far as they have been read. */
export const TRASH_ROWS = defineQuery<readonly TrashItem[], TrashRows>({
	name: "rows of the trash",
	wanted(state, { value }) {
		const unread = rowsInSight(state).flatMap((row) =>
			row.type === "trashed" && row.item.trashed !== undefined && value?.has(keyOfItem(row.item)) !== true
				? [row.item]
				: [],
		);
		return unread.length === 0 ? undefined : [...new Set(unread)].slice(0, READ_AT_ONCE);
	},
	finishes: () => true,
	async load(items, { store }) {
		const rows = new Map<string, SessionRow>();
		for (const item of items) rows.set(keyOfItem(item), await store.readThread.run("scanRow", item.key));
		return rows;
	},
	merge: (rows = NO_ROWS, read) => new Map([...rows, ...read]),
});

/** A session that was restored and deleted again may have the same name in the trash. */
function keyOfItem({ key, deletedMs }: TrashItem): string {
	return `${deletedMs} ${key}`;
}

export function trashRows(state: State): TrashRows {
	return TRASH_ROWS.of(state).value ?? NO_ROWS;
}

const NO_ROWS: TrashRows = new Map();

/** The row of a deleted session; undefined until its file has been read. */
export function rowOfItem(item: TrashItem, rows: TrashRows): SessionRow | undefined {
	return rows.get(keyOfItem(item));
}

/** The rows in sight; the one under the cursor comes first because its session is previewed. */
function rowsInSight(state: State): readonly MaintenanceRow[] {
	const { cursor } = MAINTENANCE.of(state);
	const rows = selectMaintenanceRows(state);
	const here = rowAtCursor(cursor, rows);
	const inSight = rows.slice(cursor.top, cursor.top + layoutWithPreview(state.size).list.height);
	return here === undefined ? inSight : [here, ...inSight];
}
