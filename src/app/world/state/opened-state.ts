import type { Query } from "../../../catalog/query/parse-query.ts";
import type { BranchSort } from "../../../conversation/branches/branch-order.ts";
import { type Anchor, startOfEntry } from "../../../conversation/document/document.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { RowDetails } from "../../../conversation/tree/draw-marks.ts";
import type { TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";

export interface FindState {
	readonly text: EditedText;
	/** Whether the field has the cursor. */
	readonly typing: boolean;
	/** The row at the top when the search began, the entry that was marked, and what was unfolded. */
	readonly from: Anchor;
	readonly marked: string | undefined;
	readonly toggled: ReadonlySet<string>;
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

export interface CopiedRows {
	readonly entryIds: ReadonlySet<string>;
	/** All rows of these entries, those of what they say (`Block.isCopied`), or some of one block. */
	readonly of: "all" | "text" | CopiedBlock;
}

/** The rows `[from, to)` of a part of a block, or of all its parts. */
interface CopiedBlock {
	readonly block: number;
	/** Undefined: all parts. */
	readonly part: number | undefined;
	readonly from: number;
	readonly to: number;
}

export interface ReaderState {
	/** The row to have at the top, unless the page would not be full then; undefined while nothing is shown. */
	readonly anchor: Anchor | undefined;
	/** Id of the entry that is read, as long as it is visible; see `currentIndex`. */
	readonly marked: string | undefined;
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
	/** What was copied last, highlighted until the next key. */
	readonly copied: CopiedRows | undefined;
	readonly find: FindState | undefined;
	readonly seek: SeekState | undefined;
}

export const FIRST_READER: ReaderState = {
	anchor: undefined,
	marked: undefined,
	through: undefined,
	placed: undefined,
	atEnd: false,
	toolsOpen: false,
	thinkingOpen: false,
	sideBySide: false,
	toggled: new Set(),
	copied: undefined,
	find: undefined,
	seek: undefined,
};

/** The reader for another session: nothing is shown yet; settings that fit any session stay. */
export function withoutPlace(reader: ReaderState): ReaderState {
	const { anchor, marked, through, placed, atEnd, toggled, find, seek } = FIRST_READER;
	return { ...reader, anchor, marked, through, placed, atEnd, toggled, find, seek };
}

/** The reader at the start of an entry, with the conversation through it. */
export function placedAt(reader: ReaderState, entryId: string): ReaderState {
	const anchor = startOfEntry(entryId);
	return { ...reader, anchor, marked: entryId, through: entryId, placed: entryId, atEnd: false, seek: undefined };
}

export interface HitsState {
	readonly path: string;
	readonly query: Query;
	/** The hit that the tree's cursor was moved to. */
	readonly shown: string | undefined;
	/** Whether the cursor stays where a person who came back to the session had left it. */
	readonly stays?: true;
	/** For each hit, the id of the entry whose row shows it, in the order of the conversation: one row may show several. */
	readonly ids: readonly string[];
	/** Whether these are all; before that, only the best one. */
	readonly complete: boolean;
	/** The filter that the session was opened with, if it hides the hit: then the active path is shown. */
	readonly hiddenBy?: TreeFilter | undefined;
}

/** The filter that the person has chosen, even while another one is shown because it hides a hit. */
export function chosenFilter({ filter, hits }: TreeState): TreeFilter {
	return filter === "default" ? (hits?.hiddenBy ?? filter) : filter;
}

export interface TreeState {
	readonly query: EditedText;
	/** The last valid query that was typed. */
	readonly parsed: Query;
	readonly mistake?: string | undefined;
	readonly filter: TreeFilter;
	readonly details: RowDetails;
	/** Id of the entry under the cursor; undefined: the leaf. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of an entry with a hit, which is shown even if the filter hides it. */
	readonly pinned: string | undefined;
	readonly hits: HitsState | undefined;
	/** Ids of the first entries of open branches; `ALL_BRANCHES` for all. */
	readonly opened: ReadonlySet<string>;
	/** Ids of the first entries of branches that the person has folded while others are open. */
	readonly folded: ReadonlySet<string>;
	/** Ids of the entries under the cursor in the sessions shown before, by path. */
	readonly savedCursors: ReadonlyMap<string, string | undefined>;
	/** How the session at a path is to be shown when it is opened next. */
	readonly returning: { readonly path: string; readonly view: OpenedView } | undefined;
	/** Whether the session is shown as it was left, or at its end because it is new: what a search finds in it does not move the cursor. */
	readonly isReturned: boolean;
}

/** How a session is shown: its cursor, filter and folds, and the entry that is read. */
export interface OpenedView {
	readonly tree: Pick<
		TreeState,
		"query" | "parsed" | "mistake" | "filter" | "selected" | "top" | "pinned" | "opened" | "folded"
	>;
	readonly reader: Pick<ReaderState, "anchor" | "marked" | "through" | "placed" | "atEnd" | "toggled">;
}

export function viewOf(state: { readonly tree: TreeState; readonly reader: ReaderState }): OpenedView {
	const { query, parsed, mistake, filter, selected, top, pinned, opened, folded } = state.tree;
	const { anchor, marked, through, placed, atEnd, toggled } = state.reader;
	return {
		tree: { query, parsed, mistake, filter, selected, top, pinned, opened, folded },
		reader: { anchor, marked, through, placed, atEnd, toggled },
	};
}

export interface BranchesState {
	/** The pane from which it was opened. */
	readonly from: "list" | "tree" | "reader";
	readonly fromZoom: boolean;
	readonly query: EditedText;
	readonly sort: BranchSort;
	/** Id of the last entry of the branch under the cursor; undefined: the active one. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Ids of the last entries of the marked branches, two at most. */
	readonly marked: readonly string[];
}

/** Newest first, none selected. */
export const NO_BRANCHES: BranchesState = {
	from: "tree",
	fromZoom: false,
	query: editedText(""),
	sort: "time",
	selected: undefined,
	top: 0,
	marked: [],
};
