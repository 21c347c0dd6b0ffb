import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import type { RememberedList } from "../../world/state/list-settings.ts";
import { FIRST_SETTINGS } from "../../world/state/list-settings.ts";
import { defineSlice } from "../../world/state/slice.ts";
import type { Split } from "../../world/state/split.ts";
import { FIRST_SPLIT } from "../../world/state/split.ts";
import type { SessionView } from "./session-view.ts";

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
