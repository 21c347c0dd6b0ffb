import { startOfEntry } from "../../../conversation/document/anchor.ts";
import { FIRST_READER, type ReaderState } from "../state/reader-state.ts";

/** The reader for another session: nothing is shown yet, and what was chosen for the one before stays where it fits any. */
export function withoutPlace(reader: ReaderState): ReaderState {
	const { anchor, through, placed, atEnd, toggled, find, seek } = FIRST_READER;
	return { ...reader, anchor, through, placed, atEnd, toggled, find, seek };
}

/** The reader at the beginning of an entry, with the conversation that goes through it. */
export function placedAt(reader: ReaderState, entryId: string): ReaderState {
	return { ...reader, anchor: startOfEntry(entryId), through: entryId, placed: entryId, atEnd: false, seek: undefined };
}
