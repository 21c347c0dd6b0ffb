import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import { FIRST_SETTINGS, type RememberedList } from "../../world/state/list-state.ts";
import { FIRST_SPLIT, type Split } from "../../world/state/split.ts";
import { defineSlice } from "../../world/state/state.ts";

interface MemoryState {
	/** How sessions were left, by `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
	/** Positions of the dividers when last stored. */
	readonly split: Split;
	/** Settings of the list when last stored. */
	readonly list: RememberedList;
	/** The filter chosen last, for sessions of which nothing is remembered. */
	readonly filter: TreeFilter;
	/** The open session, and its view after the previous action. */
	readonly noted: { readonly key: string; readonly view: SessionView } | undefined;
}

export const MEMORY = defineSlice<MemoryState>("memory", {
	views: new Map(),
	split: FIRST_SPLIT,
	list: { settings: FIRST_SETTINGS, scope: "all" },
	filter: "default",
	noted: undefined,
});

/** How a session was left: position and visible entries. */
export interface SessionView {
	/** Id of the entry under the cursor; undefined: the leaf, which the cursor follows. */
	readonly selected: string | undefined;
	/** Ids of the open branches. */
	readonly opened: ReadonlySet<string>;
	readonly filter: TreeFilter;
}

/** What is remembered from one run to the next. */
export interface Remembered {
	/** Undefined if no divider was ever moved. */
	readonly split: Split | undefined;
	/** Undefined if no setting was ever changed. */
	readonly list?: RememberedList | undefined;
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
}

export const NOTHING_REMEMBERED: Remembered = { split: undefined, views: new Map() };

/** Key of a session's view: a copy of a file is another session, and so is another file at its path. */
export function viewKey({ id, path }: Pick<SessionRow, "id" | "path">): string {
	return `${id} ${path}`;
}

export function sameView(a: SessionView, b: SessionView): boolean {
	const sameOpened = a.opened === b.opened || (a.opened.size === b.opened.size && a.opened.isSubsetOf(b.opened));
	return a.selected === b.selected && a.filter === b.filter && sameOpened;
}
