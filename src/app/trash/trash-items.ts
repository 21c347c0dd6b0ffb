import { basename } from "node:path";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { memoLast } from "../model/memo.ts";
import type { TrashItem, TrashState } from "../model/trash-state.ts";
import { type CleanText, sanitizeLine } from "../text/sanitize.ts";

/** Index of the cursor: that of its item, or where it was. */
export function trashCursor(trash: TrashState): number {
	const { items, selected, index } = trash;
	if (selected === undefined) return 0;
	const at = items[index]?.key === selected ? index : indexOf(items, selected);
	return at === -1 ? Math.max(0, Math.min(index, items.length - 1)) : at;
}

const indexOf = memoLast((items: readonly TrashItem[], key: string) => items.findIndex((item) => item.key === key));

/** The item under the cursor. */
export function selectedItem(trash: TrashState): TrashItem | undefined {
	return trash.items[trashCursor(trash)];
}

/** What is restored: the marked items, else the one under the cursor. */
export function chosenItems(trash: TrashState): readonly TrashItem[] {
	const marked = trash.items.filter(({ key }) => trash.marked.has(key));
	const item = selectedItem(trash);
	return marked.length > 0 || item === undefined ? marked : [item];
}

/** The session under the cursor, as its file in the trash is. */
export function selectedTrashRow(trash: TrashState): SessionRow | undefined {
	const item = selectedItem(trash);
	return item && trash.rows.get(item.key);
}

/** What a deleted session is called: until its file has been read, by that file's name. */
export function titleOfItem(item: TrashItem, rows: TrashState["rows"]): CleanText {
	const row = rows.get(item.key);
	return row === undefined ? sanitizeLine(basename(item.path)) : sessionTitle({ ...row, path: item.path });
}
