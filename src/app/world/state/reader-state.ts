import type { Anchor } from "../../../conversation/document/anchor.ts";
import type { ColorJob } from "../../../conversation/document/color-job.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { EditedText } from "../../../ui/field/edit.ts";

/** What is looked for in the conversation. */
export interface FindState {
	readonly text: EditedText;
	/** Whether it is being typed. */
	readonly typing: boolean;
	/** The row at the top when it was begun. */
	readonly from: Anchor;
	/** The conversation that is looked through. */
	readonly path: readonly SessionEntry[];
	/** What was found; undefined while nothing is typed. */
	readonly job: FindJob | undefined;
	/** The row with the match that was gone to last. */
	readonly at: Anchor | undefined;
	/** The way to the next match, while it is not found yet. */
	readonly wanted: 1 | -1 | undefined;
}

/** The first match in an entry of what a filter or a search has found, while it is not found yet. */
interface SeekState {
	readonly entryId: string;
	readonly job: FindJob;
}

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
	/** An entry with a hit of a search, in which the first match is looked for. */
	readonly seek: SeekState | undefined;
	/** The search that is running outside of `update`. */
	readonly searching: FindJob | undefined;
	/** Code in sight that is being drawn again, with colors. */
	readonly coloring: ColorJob | undefined;
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
	seek: undefined,
	searching: undefined,
	coloring: undefined,
	renderers: undefined,
	renderersRequested: false,
};
