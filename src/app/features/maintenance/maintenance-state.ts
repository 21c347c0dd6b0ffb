import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { ContainedSessions } from "../../../store/doctor/contained-sessions.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { Finding } from "../../../store/doctor/finding.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

/** A group of the view. */
export type GroupId = "damaged" | "gone" | "duplicate" | "empty" | "old" | "trash" | "problems";

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
export interface DoctorState {
	/** Number of the last examination; answers to earlier ones are dropped. */
	readonly request: number;
	/** Paths of the sessions to examine, in order, and how many of them are done. */
	readonly queue: readonly string[];
	readonly done: number;
	/** Whether an answer is pending. */
	readonly asked: boolean;
	/** Whether the sessions have been compared with all others since the last one was examined. */
	readonly compared: boolean;
	/** Findings by path, sound sessions included. */
	readonly examined: ReadonlyMap<string, Examination>;
	/** How many findings are stored: beyond a limit, only a part of a session's findings is. */
	readonly stored: number;
	/** The beginnings of other sessions that may be copies of examined ones. */
	readonly heads: ReadonlyMap<string, SessionHead>;
	/** Findings about ids or entries shared with other sessions, by path. */
	readonly shared: ReadonlyMap<string, readonly Finding[]>;
	/** The sessions that the person wants checked, until the result is reported; `opens`: findings open the view. */
	readonly checked: { readonly paths: readonly string[]; readonly opens: boolean } | undefined;
}

export const DOCTOR = defineSlice<DoctorState>("doctor", {
	request: 0,
	queue: [],
	done: 0,
	asked: false,
	compared: true,
	examined: new Map(),
	stored: 0,
	heads: new Map(),
	shared: new Map(),
	checked: undefined,
});

/** Days of silence after which a session counts as old, in the order in which a key cycles through them. */
export const OLD_DAYS: readonly number[] = [30, 90, 180, 365, 730];
const FIRST_OLD_DAYS = 180;

/** What determines which sessions may be deleted. */
export interface TidyState {
	/** Sessions whose last message is older than this, in days, are old. */
	readonly oldDays: number;
	/** Whether the sessions' directories exist, as of the last time that all had been checked. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** By the keys of the families that have been read: the sessions contained in another one of their family. */
	readonly compared: ReadonlyMap<string, readonly ContainedSessions[]>;
	/** Whether families are being read, and whether the person has stopped that. */
	readonly comparing: boolean;
	readonly isStopped: boolean;
}

export const TIDY = defineSlice<TidyState>("tidy", {
	oldDays: FIRST_OLD_DAYS,
	fates: new Map(),
	compared: new Map(),
	comparing: false,
	isStopped: false,
});

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

/** Whether a directory of sessions exists. */
export type DirectoryFate =
	| { readonly kind: "there" }
	/** Nothing is there, or something other than a directory. */
	| { readonly kind: "gone" }
	/** It could not be checked, so it may exist. */
	| { readonly kind: "unknown"; readonly why: string };

/** A missing directory, and sessions of it whose tool calls show which files it had. */
export interface GoneDirectory {
	readonly directory: string;
	/** Paths. */
	readonly sessions: readonly string[];
}

/** Why a directory may be the missing one. */
export type DestinationReason =
	/** It ends with the same folders; `shared` is their number. */
	| { readonly kind: "name"; readonly shared: number }
	/** Its repository is a clone of the same remote. */
	| { readonly kind: "remote"; readonly remote: string }
	/** It is the repository that the missing directory was a worktree of. */
	| { readonly kind: "worktree" }
	/** It has `count` of the `of` files checked, all touched by the sessions. */
	| { readonly kind: "files"; readonly count: number; readonly of: number };

/** A directory that was found, and one reason for it. */
export interface FoundDestination {
	readonly directory: string;
	readonly reason: DestinationReason;
}

/** A directory in which sessions may belong now. */
export interface DestinationProposal {
	readonly directory: string;
	/** Strongest first. */
	readonly reasons: readonly DestinationReason[];
	/** 1: possible, 2: likely, 3: certain. */
	readonly certainty: 1 | 2 | 3;
}

/** Which directories of sessions exist, and what may have replaced the missing ones. */
export interface MovedState {
	/** Number of times the view was opened; results for an earlier opening are dropped. */
	readonly search: number;
	/** Results of the checks so far. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** Directories being checked. */
	readonly checking: readonly string[];
	/** Candidates with their reasons, by missing directory. */
	readonly found: ReadonlyMap<string, readonly FoundDestination[]>;
	/** Missing directories whose candidates are being searched. */
	readonly finding: readonly string[];
	/** The directory that the person has chosen or typed, by missing directory. */
	readonly chosen: ReadonlyMap<string, string>;
	/** The folders in the directory being typed; `names` is undefined until they are listed. */
	readonly folders: { readonly directory: string; readonly names: readonly string[] | undefined } | undefined;
}

export const FIRST_MOVED: MovedState = {
	search: 0,
	fates: new Map(),
	checking: [],
	found: new Map(),
	finding: [],
	chosen: new Map(),
	folders: undefined,
};

export const MOVED = defineSlice("moved", FIRST_MOVED);

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
