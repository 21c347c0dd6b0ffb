import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { Finding } from "../../../store/doctor/finding.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import { FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";
import type { DirectoryFate } from "./moved-state.ts";

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

const FIRST_MAINTENANCE: MaintenanceState = {
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	opened: new Set(),
	arriving: undefined,
};

export const MAINTENANCE = defineSlice("maintenance", FIRST_MAINTENANCE);

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

const FIRST_DOCTOR: DoctorState = {
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
};

export const DOCTOR = defineSlice("doctor", FIRST_DOCTOR);

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

const FIRST_TIDY: TidyState = {
	oldDays: FIRST_OLD_DAYS,
	fates: new Map(),
	compared: new Map(),
	comparing: false,
	isStopped: false,
};

export const TIDY = defineSlice("tidy", FIRST_TIDY);

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

const FIRST_TRASH: TrashState = {
	items: [],
	complete: false,
	request: 0,
	reading: false,
	stale: true,
	error: undefined,
	rows: new Map(),
	scanning: [],
	pathsCurrent: false,
};

export const TRASH = defineSlice("trash", FIRST_TRASH);
