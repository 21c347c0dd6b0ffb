import { lastRow, rowsFrom } from "../../../conversation/document/walk.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { State } from "../state/state.ts";
import { type Reader, selectReader } from "./select-reader.ts";

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
