import { readTrash, readTrashPaths, type TrashItem } from "../../../changes/engine/read-trash.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";

/** The sessions in the trash, newest first. */
export const TRASH_ITEMS = defineQuery<"all", readonly TrashItem[]>({
	name: "trash",
	wanted: () => "all",
	load: (_, { journal, store }) => readTrash(journal.history, store.roots),
	canFail: true,
	answered: (state, { value = [], error }) =>
		error === undefined ? { ...state, trashed: new Set(value.map(({ path }) => path)) } : state,
});

/**
 * The paths that the sessions in the trash had. The list shows for a fork that its parent is there, so they are read as soon as a
 * fork without a parent is in sight, and again after a change.
 */
export const TRASH_PATHS = defineQuery<"all", ReadonlySet<string>>({
	name: "paths in the trash",
	wanted(state, { asked, isStale }) {
		if (asked !== undefined && !isStale) return asked;
		return state.changing === 0 && hasOrphansInSight(state) ? "all" : undefined;
	},
	load: (_, { store }) => readTrashPaths(store.roots),
	answered: (state, { value }) => (value === undefined ? state : { ...state, trashed: value }),
});
