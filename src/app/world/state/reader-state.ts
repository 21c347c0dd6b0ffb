import type { Anchor } from "../../../conversation/document/anchor.ts";
import { startOfEntry } from "../../../conversation/document/anchor.ts";
import type { ColorJob } from "../../../conversation/document/color-job.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { EditedText } from "../../../ui/field/edit.ts";

/** The search in the conversation by the find field. */
export interface FindState {
	readonly text: EditedText;
	/** Whether the field has the cursor. */
	readonly typing: boolean;
	/** The row at the top when the search began. */
	readonly from: Anchor;
	/** The conversation that is searched. */
	readonly path: readonly SessionEntry[];
	/** What was found; undefined while nothing is typed. */
	readonly job: FindJob | undefined;
	/** The row with the match that was last jumped to. */
	readonly at: Anchor | undefined;
	/** The direction of the next match, while it is being searched for. */
	readonly wanted: 1 | -1 | undefined;
}

/** The search for the first match in an entry that a filter or a search has found. */
interface SeekState {
	readonly entryId: string;
	readonly job: FindJob;
}

/** The conversation pane. */
export interface ReaderState {
	/** The row at the top; undefined while nothing is shown. */
	readonly anchor: Anchor | undefined;
	/** The conversation goes through this entry, and continues along main children. */
	readonly through: string | undefined;
	/** Id of the entry under the tree's cursor when the reader last followed it. */
	readonly placed: string | undefined;
	/** Whether it follows the end as the session grows. */
	readonly atEnd: boolean;
	/** What is unfolded; see `ReaderOptions`. */
	readonly toolsOpen: boolean;
	readonly thinkingOpen: boolean;
	readonly sideBySide: boolean;
	readonly toggled: ReadonlySet<string>;
	/** The search by the find field. */
	readonly find: FindState | undefined;
	/** Set while the first match in an entry with a hit is being searched for. */
	readonly seek: SeekState | undefined;
	/** The search that is running outside of `update`. */
	readonly searching: FindJob | undefined;
	/** Visible code that is being drawn again, with colors. */
	readonly coloring: ColorJob | undefined;
	/** Renderers of Markdown and code; until they are loaded text is drawn plain. */
	readonly renderers: Renderers | undefined;
	/** Whether the renderers have been requested. */
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
	seek: undefined,
	searching: undefined,
	coloring: undefined,
	renderers: undefined,
	renderersRequested: false,
};

/** The reader for another session: nothing is shown yet; settings that fit any session stay. */
export function withoutPlace(reader: ReaderState): ReaderState {
	const { anchor, through, placed, atEnd, toggled, find, seek } = FIRST_READER;
	return { ...reader, anchor, through, placed, atEnd, toggled, find, seek };
}

/** The reader at the start of an entry, with the conversation through it. */
export function placedAt(reader: ReaderState, entryId: string): ReaderState {
	return { ...reader, anchor: startOfEntry(entryId), through: entryId, placed: entryId, atEnd: false, seek: undefined };
}
