import type { SessionEntry } from "../../store/format/schema.ts";
import type { EntryContext } from "../blocks/block.ts";
import type { RunLine } from "../entries/run-line.ts";
import type { Renderers } from "../render/renderers.ts";

export interface ReaderOptions {
	/** Outputs, diffs and prompts of the system as a whole, not only their heads and tails. */
	readonly toolsOpen: boolean;
	/** Below each entry its time, its id, and what it took. @default only where that was unfolded */
	readonly withDetails?: boolean;
	/** What the model thought, not only its first line. */
	readonly thinkingOpen: boolean;
	/** Old and new text of a diff beside each other. */
	readonly sideBySide: boolean;
	/** Blocks that are open where others are not, or in reverse. */
	readonly toggled: ReadonlySet<string>;
	/** The conversation has the whole screen, with a margin for turns, times and labels. */
	readonly page: boolean;
	/** Cells of code, diffs and output; undefined: of all text. */
	readonly wideWidth?: number | undefined;
}

export interface ReaderContext extends EntryContext {
	/** The entries of the conversation, from its first to its last. */
	readonly path: readonly SessionEntry[];
	readonly options: ReaderOptions;
	/** What reads Markdown and code; undefined until it is loaded. */
	readonly renderers: Renderers | undefined;
	/** The runs of subagents by the id of the entry below which they stand. @default none */
	readonly runs?: ReadonlyMap<string, readonly RunLine[]>;
	/** When the run of a subagent was forked from its parent, Unix ms. @default the session is not such a run */
	readonly forkedMs?: number | undefined;
}

/** The name of something that folds, for `ReaderOptions.toggled`. */
export function foldKey({ id }: SessionEntry, name: string): string {
	return `${name}/${id}`;
}

/** Whether something that folds is open; `all`: whether the person has opened all of its kind. */
export function isOpen({ options }: ReaderContext, key: string, all: boolean): boolean {
	return options.toggled.has(key) !== all;
}
