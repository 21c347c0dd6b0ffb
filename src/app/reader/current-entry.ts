import type { SessionEntry } from "../../store/format/schema.ts";
import type { State } from "../model/state.ts";
import { type Reader, selectReader } from "./select-reader.ts";
import { lastRow, rowsFrom } from "./walk.ts";

/** The entry that is being read: the one at the top of the pane, at the end of the conversation the last one. */
export function currentEntry(state: State): SessionEntry | undefined {
	const reader = selectReader(state);
	return reader === undefined ? undefined : reader.document.path[currentIndex(state, reader)];
}

/** Its index in the path. */
export function currentIndex({ reader: { atEnd } }: State, { document, top }: Reader): number {
	if (atEnd) return Math.min(lastRow(document).entry, document.path.length - 1);
	// An entry of which only the blank row below it is left has been read.
	const [first, second] = rowsFrom(document, top, 2);
	const isRead = top.row > 0 || top.piece > 0;
	const isBlank = first?.row.line.every(({ text }) => text.trim() === "") === true;
	return isRead && isBlank && second !== undefined && second.at.entry > top.entry ? second.at.entry : top.entry;
}

/** How much of the conversation is above the last row in sight, in percent. */
export function percentRead({ document, top, height }: Reader): number {
	const rows = rowsFrom(document, top, height + 1);
	if (rows.length <= height) return 100;
	const pieces = Math.max(1, document.pieces(top.entry).length);
	const rowCount = Math.max(1, document.rows(top.entry, top.piece).length);
	const within = (top.piece + top.row / rowCount) / pieces;
	return Math.min(99, Math.floor(((top.entry + within) / Math.max(1, document.path.length)) * 100));
}
