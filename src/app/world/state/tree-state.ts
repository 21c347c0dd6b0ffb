import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Drawing, TreeInput } from "../../../conversation/tree/draw-tree.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import type { EditedText } from "../../../ui/field/edit.ts";

/** The hits of a search in the opened session. */
interface HitsState {
	readonly path: string;
	readonly query: Query;
	/** The entry that the tree was moved to. */
	readonly shown: string | undefined;
	/** Ids of the entries with hits, in file order. */
	readonly ids: readonly string[];
	/** Whether these are all; before that, only the best. */
	readonly complete: boolean;
}

/** What stands at the right end of a row: what came of it, the time too, or labels alone. */
export const ROW_DETAILS = ["outcome", "times", "none"] as const;
export type RowDetails = (typeof ROW_DETAILS)[number];

/** The drawing of a large session's tree, which takes too long for the screen to wait for. */
export interface TreeDrawing {
	/** The last input that was requested. */
	readonly input: TreeInput;
	/** What is drawn: of `input`, or of an earlier input while that one is being drawn. */
	readonly drawn: Drawing | undefined;
}

export interface TreeState {
	readonly query: EditedText;
	/** The same, parsed; while it is no query, or not yet, the last one that was. */
	readonly parsed: Query;
	/** Why the typed text is no query. */
	readonly mistake?: string | undefined;
	/** Undefined where the session is not large. */
	readonly drawing: TreeDrawing | undefined;
	readonly filter: TreeFilter;
	readonly labelTimes: boolean;
	readonly details: RowDetails;
	/** Id of the entry under the cursor; undefined: the leaf. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of an entry with a hit, shown even if the filter hides it. */
	readonly pinned: string | undefined;
	readonly hits: HitsState | undefined;
	/** Ids of the first entries of the branches that are open; `ALL_BRANCHES` for all. */
	readonly opened: ReadonlySet<string>;
	/** Ids of the first entries of branches that the person folded while others are open. */
	readonly folded: ReadonlySet<string>;
	/** Ids of the entries under the cursor in the sessions shown before, by path. */
	readonly savedCursors: ReadonlyMap<string, string | undefined>;
}
