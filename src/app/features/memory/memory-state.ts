import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import { FIRST_SETTINGS, type RememberedList } from "../../world/state/list-settings.ts";
import { defineSlice } from "../../world/state/slice.ts";
import { FIRST_SPLIT, type Split } from "../../world/state/split.ts";

interface MemoryState {
	/** How sessions were left, by `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
	/** Where the dividers were when that was last noted. */
	readonly split: Split;
	/** The same of how the person wants the list. */
	readonly list: RememberedList;
	/** The filter that the person chose last, for sessions of which nothing is remembered. */
	readonly filter: TreeFilter;
	/** The session that is open, as it was when that was last looked at. */
	readonly noted: { readonly key: string; readonly view: SessionView } | undefined;
}

export const MEMORY = defineSlice<MemoryState>("memory", {
	views: new Map(),
	split: FIRST_SPLIT,
	list: { settings: FIRST_SETTINGS, scope: "all" },
	filter: "default",
	noted: undefined,
});

/** How a person left a session: where they were in it, and what of it they saw. */
export interface SessionView {
	/** Id of the entry under the cursor; undefined: the leaf, which the cursor follows. */
	readonly selected: string | undefined;
	/** Ids of the branches that were opened. */
	readonly opened: ReadonlySet<string>;
	readonly filter: TreeFilter;
}

/** What is remembered from one run to the next. */
export interface Remembered {
	/** Undefined while no divider was ever moved. */
	readonly split: Split | undefined;
	/** Undefined while nothing was ever chosen. */
	readonly list?: RememberedList | undefined;
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
}

export const NOTHING_REMEMBERED: Remembered = { split: undefined, views: new Map() };

/** What a session's view is remembered by: a copy of a file is another session, and so is another file in its place. */
export function viewKey({ id, path }: Pick<SessionRow, "id" | "path">): string {
	return `${id} ${path}`;
}

export function sameView(a: SessionView, b: SessionView): boolean {
	const sameOpened = a.opened === b.opened || (a.opened.size === b.opened.size && a.opened.isSubsetOf(b.opened));
	return a.selected === b.selected && a.filter === b.filter && sameOpened;
}
