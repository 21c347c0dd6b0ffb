import { readTrash, readTrashPaths, type TrashItem } from "../../../changes/engine/read-trash.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

export type GroupId = "damaged" | "gone" | "empty" | "old" | "trash" | "problems";

/** The view itself; its rows are derived from the other slices. */
export interface MaintenanceState {
	readonly cursor: PageCursor;
	/** Keys of the marked rows, folded ones included. */
	readonly marks: PageMarks;
	readonly opened: ReadonlySet<string>;
	/** Key of the row that the view was opened for, until the cursor is on it or the person has moved the cursor. */
	readonly arriving: string | undefined;
}

export const MAINTENANCE = defineSlice<MaintenanceState>("maintenance", {
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	opened: new Set(),
	arriving: undefined,
});

interface DoctorState {
	/** Findings by path, sound sessions included. */
	readonly examined: ReadonlyMap<string, Examination>;
	/** Paths of the sessions being examined. */
	readonly examining: ReadonlySet<string>;
}

export const DOCTOR = defineSlice<DoctorState>("doctor", { examined: new Map(), examining: new Set() });

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
		// The rows that are read for the page have more details.
		const items = TRASH_ITEMS.of(state);
		if (items.isLoading || (items.value !== undefined && !items.isStale)) return undefined;
		if (asked !== undefined && !isStale) return asked;
		return state.changing === 0 && hasOrphansInSight(state) ? "all" : undefined;
	},
	load: (_, { store }) => readTrashPaths(store.roots),
	answered: (state, { value }) => (value === undefined ? state : { ...state, trashed: value }),
});

export type ProblemSources = Pick<State, "environment" | "catalog" | "markProblems" | "saved">;

/** Problems found at startup, and current ones of the catalog, the pins, the tags and the saved queries, as sentences. */
export function allProblems({ environment, catalog, markProblems, saved }: ProblemSources): readonly string[] {
	const ofFiles = [...environment.problems, ...catalog.problems].map(({ message }) => message);
	return [...new Set([...ofFiles, ...markProblems, ...saved.problems])];
}
