import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
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

/** Whether a directory of sessions exists. */
export type DirectoryFate =
	| { readonly kind: "there" }
	/** Nothing is there, or something other than a directory. */
	| { readonly kind: "gone" }
	/** It could not be checked, so it may exist. */
	| { readonly kind: "unknown"; readonly why: string };

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

/** A directory that the field for one offers before anything is typed. */
export interface OfferedDirectory {
	readonly directory: string;
	/** Why it may be the one that is gone: "same Git remote", "same name"; "" for any other directory of sessions. */
	readonly why: string;
}

/** What the field for a directory can be completed to. */
interface DestinationState {
	/** What is offered in the prompt `of`, the likeliest first; empty until the disk has answered. */
	readonly offered: { readonly of: DestinationSubmit; readonly directories: readonly OfferedDirectory[] } | undefined;
	/** The folders in the directory being typed; empty until they are listed. */
	readonly folders: { readonly directory: string; readonly names: readonly string[] } | undefined;
}

export const DESTINATION = defineSlice<DestinationState>("destination", { offered: undefined, folders: undefined });

/** A deleted session. */
export interface TrashItem {
	/** Path of the file in the trash, otherwise the id of its deletion in the journal. */
	readonly key: string;
	/** Its path before the deletion. */
	readonly path: string;
	/** The file in the trash and its info file; undefined where the system does not report them. */
	readonly trashed: { readonly path: string; readonly info: string } | undefined;
	/** In bytes. */
	readonly size: number;
	/** When it was deleted, Unix ms; NaN if unknown. */
	readonly deletedMs: number;
	/** Whether pi-grove deleted it, in any run. */
	readonly isOurs: boolean;
	/** Whether pi-grove created it, as a fork for instance, and an undo moved it to the trash. */
	readonly wasUndone: boolean;
	/** Id of the change that deleted it, while that change is in effect. */
	readonly change: string | undefined;
	/** Whether the list would show it after a restore. */
	readonly isListable: boolean;
}

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
