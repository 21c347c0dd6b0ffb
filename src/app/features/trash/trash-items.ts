import { basename } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { TrashItem, TrashState } from "./trash-state.ts";

/** The item under the cursor. */
export function selectedItem({ cursor, items }: TrashState): TrashItem | undefined {
	return rowAtCursor(cursor, items);
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
