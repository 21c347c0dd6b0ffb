import { isObject } from "../../shared/json.ts";
import { parseStored } from "../index/row-json.ts";
import { IndexDamage } from "../index/sqlite.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { EndState } from "../model/ending.ts";
import type { PendingChange, SessionNumbers } from "./session-numbers.ts";

/** Where counting can continue when the file grows. */
export interface CountState {
	/** Just after the last whole line that was counted. */
	readonly offset: number;
	readonly lines: number;
	/** Of the ends of the bytes before `offset`. The list has already made sure that nothing between them has changed. */
	readonly fingerprint: string;
	readonly entries: number;
	/** Id of the last entry; null if it has none. */
	readonly lastId: string | null;
	readonly end: Omit<EndState, "ending" | "endedMs">;
	/** Time of the last entry, Unix ms, if it is part of the conversation; else 0. */
	readonly lastMs: number;
	/** Whether the last answer counts for this session, and so the work on the entries that follow it. */
	readonly isOwn: boolean;
	/** The directory in its header. */
	readonly cwd: string;
	/** When its header was written, Unix ms, if that names a parent: older entries are copies. 0 if not. */
	readonly forkedMs: number;
	/** The calls that wait for results in which lines were changed. */
	readonly changing: readonly PendingChange[];
	/** The ids of the calls that wait for results and are searches, so that their status 1 is no error. */
	readonly searching: readonly string[];
	/** Whether entries are linked in ways that pi does not write, so that the effect of appended entries is unknown. */
	readonly tangled: boolean;
}

/** A session's numbers as the index stores them, without the counts, which have a column of their own. */
export function numbersToJson(state: CountState, { spending, abandoned, labeled, worked }: SessionNumbers): string {
	return JSON.stringify({ state, spending, abandoned, labeled: [...labeled], worked: [...worked] });
}

/** The state before the first line, also if nothing of an earlier count is left. */
export const NOTHING_COUNTED: CountState = {
	offset: 0,
	lines: 0,
	fingerprint: "",
	entries: 0,
	lastId: null,
	end: { open: [], answer: 0 },
	lastMs: 0,
	isOwn: true,
	cwd: "",
	forkedMs: 0,
	changing: [],
	searching: [],
	tangled: false,
};

interface StoredJson extends Pick<SessionNumbers, "spending" | "abandoned"> {
	readonly state: CountState;
	readonly labeled: readonly string[];
	readonly worked: readonly (readonly [day: string, ms: number])[];
}

/** Reads what `numbersToJson` wrote, and the counts; throws an `IndexDamage` for anything else. */
export function numbersFromJson(text: string, counts: SessionCounts): { state: CountState; numbers: SessionNumbers } {
	const stored = parseStored<StoredJson>(text);
	const { state, spending, abandoned, labeled, worked } = stored;
	if (!isObject(state) || ![spending, abandoned?.spans, labeled, worked].every(Array.isArray))
		throw new IndexDamage("the numbers of a session cannot be read");
	return { state, numbers: { spending, abandoned, counts, labeled: new Set(labeled), worked: new Map(worked) } };
}
