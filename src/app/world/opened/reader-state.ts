import type { Anchor } from "../../../conversation/document/anchor.ts";
import type { ColorJob } from "../../../conversation/document/color-job.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { FindState, SeekState } from "./find-state.ts";

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
	/** What is being looked through outside of `update`. */
	readonly looking: FindJob | undefined;
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
	looking: undefined,
	coloring: undefined,
	renderers: undefined,
	renderersRequested: false,
};
