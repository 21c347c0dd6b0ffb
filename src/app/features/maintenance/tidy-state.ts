import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import { defineSlice } from "../../world/state/slice.ts";
import type { DirectoryFate } from "./moved-state.ts";

/** Days of silence after which a session counts as old, as a key goes through them. */
export const OLD_DAYS: readonly number[] = [30, 90, 180, 365, 730];
const FIRST_OLD_DAYS = 180;

/** What is known of what may be deleted. */
export interface TidyState {
	/** What was last said more days ago is old. */
	readonly oldDays: number;
	/** What is at the places of the sessions' directories, as it was when all were looked at last. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** By the keys of the families that were read: the sessions in them that stand in another one. */
	readonly compared: ReadonlyMap<string, readonly ContainedSessions[]>;
	/** Whether families are being read, and whether the person wants no more of that. */
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
