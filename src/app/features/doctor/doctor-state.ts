import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { Finding } from "../../../store/doctor/finding.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-cursor.ts";
import { NO_MARKED, type PageMarks } from "../../../ui/page/page-marks.ts";

/** A repaired copy of a session: what it would have, or with its path, has. */
export interface DoctorCopy extends PlannedCopy {
	/** Of its file; absent while there is none. */
	readonly path?: string;
}

/** The page of the doctor. */
export interface DoctorState {
	/** Number of the last examination: answers to an earlier one are dropped. */
	readonly request: number;
	/** Paths of the sessions that are examined, in this order, and how many of them are done. */
	readonly queue: readonly string[];
	readonly done: number;
	/** Whether an answer is awaited. */
	readonly asked: boolean;
	/** Whether the sessions have been compared with all others since the last one was examined. */
	readonly compared: boolean;
	/** What was found, by path; of those that are sound, too. */
	readonly examined: ReadonlyMap<string, Examination>;
	/** How many findings these have: what comes when there are very many is stored in part. */
	readonly stored: number;
	/** What was read of others, because they may be copies of those. */
	readonly heads: ReadonlyMap<string, SessionHead>;
	/** What they share with others, by path. */
	readonly shared: ReadonlyMap<string, readonly Finding[]>;
	/** The sessions that have findings. */
	readonly cursor: PageCursor;
	readonly marks: PageMarks;
	/** The findings of the one under the cursor have the focus, and a cursor of their own. */
	readonly inFindings: boolean;
	readonly findingCursor: PageCursor;
	/** Repaired copies, planned and written, by the path of their session. */
	readonly copies: ReadonlyMap<string, readonly DoctorCopy[]>;
}

export const FIRST_DOCTOR: DoctorState = {
	request: 0,
	queue: [],
	done: 0,
	asked: false,
	compared: true,
	examined: new Map(),
	stored: 0,
	heads: new Map(),
	shared: new Map(),
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	inFindings: false,
	findingCursor: FIRST_CURSOR,
	copies: new Map(),
};
