import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import type { DirectoryFate, OfferedDirectory } from "../../world/effects/directories.ts";
import type { DestinationSubmit } from "../../world/state/overlays.ts";
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

/** Which directories of sessions exist. */
interface DirectoriesState {
	/** As of the last check; a directory that is not in it has not been checked. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** Whether all are being checked, and whether they must be checked again. */
	readonly checking: boolean;
	readonly stale: boolean;
}

export const DIRECTORIES = defineSlice<DirectoriesState>("directories", {
	fates: new Map(),
	checking: false,
	stale: true,
});

/** What the field for a directory can be completed to. */
interface DestinationState {
	/** What is offered in the prompt `of`, the likeliest first; empty until the disk has answered. */
	readonly offered: { readonly of: DestinationSubmit; readonly directories: readonly OfferedDirectory[] } | undefined;
	/** The folders in the directory being typed; empty until they are listed. */
	readonly folders: { readonly directory: string; readonly names: readonly string[] } | undefined;
}

export const DESTINATION = defineSlice<DestinationState>("destination", { offered: undefined, folders: undefined });

/** The contents of the trash, as far as they have been read. */
export interface TrashState {
	/** Newest first. */
	readonly items: readonly TrashItem[];
	/** Whether they have been read at least once. */
	readonly complete: boolean;
	/** Number of the last reading, and whether it is under way. */
	readonly request: number;
	readonly reading: boolean;
	/** Whether something may have changed since. */
	readonly stale: boolean;
	/** Why the trash cannot be read. */
	readonly error: string | undefined;
	/** The rows that the list would show for the files, by key; their paths are those in the trash. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Keys of the files being read. */
	readonly scanning: readonly string[];
	/** Whether `State.trashed` is up to date with the changes made by pi-grove. */
	readonly pathsCurrent: boolean;
}

export const TRASH = defineSlice<TrashState>("trash", {
	items: [],
	complete: false,
	request: 0,
	reading: false,
	stale: true,
	error: undefined,
	rows: new Map(),
	scanning: [],
	pathsCurrent: false,
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
