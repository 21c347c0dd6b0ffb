import type { CatalogProblem } from "../../../catalog/model/event.ts";
import { readTrash, readTrashPaths, type TrashItem } from "../../../changes/engine/read-trash.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { hasOrphansInSight } from "../../world/list/list-view.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

/** A group of the view. */
export type GroupId = "damaged" | "gone" | "empty" | "trash" | "problems";

/** The view itself; its rows are derived from the other slices. */
export interface MaintenanceState {
	readonly cursor: PageCursor;
	/** Keys of the marked rows, folded ones included. */
	readonly marks: PageMarks;
	/** Keys of the unfolded rows. */
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

/** The results of examining sessions for damage. */
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
		// What is read for the page says more.
		const items = TRASH_ITEMS.of(state);
		if (items.isLoading || (items.value !== undefined && !items.isStale)) return undefined;
		if (asked !== undefined && !isStale) return asked;
		return state.changing === 0 && hasOrphansInSight(state) ? "all" : undefined;
	},
	load: (_, { store }) => readTrashPaths(store.roots),
	answered: (state, { value }) => (value === undefined ? state : { ...state, trashed: value }),
});

/** Problems found at startup, and current ones of the catalog, the pins, the tags and the saved queries. */
export function allProblems({ environment, catalog, markProblems, saved }: State): Problems {
	return joinProblems(environment.problems, catalog.problems, markProblems, saved.problems);
}

type Problems = readonly Pick<CatalogProblem, "message">[];

const joinProblems = memoLast(
	(before: Problems, now: Problems, marks: readonly string[], saved: readonly string[]): Problems => [
		...before,
		...now,
		...[...marks, ...saved].map((message) => ({ message })),
	],
);
