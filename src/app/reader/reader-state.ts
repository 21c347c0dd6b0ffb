import type { Renderers } from "../render/renderers.ts";
import { type Anchor, startOfEntry } from "./anchor.ts";
import type { FindState } from "./find-state.ts";

/** The conversation pane: what of it is in sight, and how. */
export interface ReaderState {
	/** The row at the top; undefined while nothing is shown. */
	readonly anchor: Anchor | undefined;
	/** The conversation goes through this entry, and on along main children. */
	readonly through: string | undefined;
	/** Id of the entry under the tree's cursor when the two were last brought together. */
	readonly placed: string | undefined;
	/** It stays at the end, also when the session grows. */
	readonly atEnd: boolean;
	/** How much is seen of what folds; see `ReaderOptions`. */
	readonly toolsOpen: boolean;
	readonly thinkingOpen: boolean;
	readonly sideBySide: boolean;
	readonly toggled: ReadonlySet<string>;
	/** What is looked for in the conversation. */
	readonly find: FindState | undefined;
	/** What reads Markdown and code; undefined until it is loaded, and text is drawn plain. */
	readonly renderers: Renderers | undefined;
	/** Whether that has been asked for. */
	readonly renderersRequested: boolean;
}

export const FIRST_READER: ReaderState = {
	anchor: undefined,
	through: undefined,
	placed: undefined,
	atEnd: false,
	toolsOpen: false,
	thinkingOpen: false,
	sideBySide: false,
	toggled: new Set(),
	find: undefined,
	renderers: undefined,
	renderersRequested: false,
};

/** The reader for another session: nothing is shown yet, and what was chosen for the one before stays where it fits any. */
export function withoutPlace(reader: ReaderState): ReaderState {
	const { anchor, through, placed, atEnd, toggled, find } = FIRST_READER;
	return { ...reader, anchor, through, placed, atEnd, toggled, find };
}

/** The reader at the beginning of an entry, with the conversation that goes through it. */
export function placedAt(reader: ReaderState, entryId: string): ReaderState {
	return { ...reader, anchor: startOfEntry(entryId), through: entryId, placed: entryId, atEnd: false };
}
