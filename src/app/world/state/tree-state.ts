import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Drawing, TreeInput } from "../../../conversation/tree/draw-tree.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import type { EditedText } from "../../../ui/field/edit.ts";

/** The hits of a search in the opened session. */
interface HitsState {
	readonly path: string;
	readonly query: Query;
	/** The hit that the tree's cursor was moved to. */
	readonly shown: string | undefined;
	/** Ids of the entries with hits, in file order. */
	readonly ids: readonly string[];
	/** Whether these are all; before that, only the best one. */
	readonly complete: boolean;
}

/** What the right end of a row shows: the outcome, the outcome and the time, or only labels. */
export const ROW_DETAILS = ["outcome", "times", "none"] as const;
export type RowDetails = (typeof ROW_DETAILS)[number];

/** The drawing of a large session's tree, done outside of `update`. */
export interface TreeDrawing {
	/** The last input that was requested. */
	readonly input: TreeInput;
	/** The drawing of `input`, or of an earlier input while that is being drawn. */
	readonly drawn: Drawing | undefined;
}

export interface TreeState {
	readonly query: EditedText;
	/** The last valid query that was typed. */
	readonly parsed: Query;
	/** Why the typed text is not a valid query. */
	readonly mistake?: string | undefined;
	/** Undefined unless the session is large. */
	readonly drawing: TreeDrawing | undefined;
	readonly filter: TreeFilter;
	readonly labelTimes: boolean;
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
}
