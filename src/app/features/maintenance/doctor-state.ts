import type { Examination } from "../../../store/doctor/examine-session.ts";
import type { Finding } from "../../../store/doctor/finding.ts";
import type { SessionHead } from "../../../store/doctor/session-head.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** What was found in sessions that were examined. */
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
	/** What the person has asked about, until that is answered; `opens`: what is found in it opens the view. */
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
