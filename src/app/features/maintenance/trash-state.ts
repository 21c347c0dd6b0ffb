import type { SessionRow } from "../../../catalog/model/row.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** A session that was deleted. */
export interface TrashItem {
	/** Path of the file in the trash, else the id of its deletion in the journal. */
	readonly key: string;
	/** Where it was. */
	readonly path: string;
	/** The file in the trash and its note; undefined where the system does not tell. */
	readonly trashed: { readonly path: string; readonly info: string } | undefined;
	/** In bytes. */
	readonly size: number;
	/** When it was deleted, Unix ms; NaN where that is not known. */
	readonly deletedMs: number;
	/** Whether it was deleted from here, in any run. */
	readonly isOurs: boolean;
	/** Whether it was made from here, such as a fork, and is there because that was undone. */
	readonly wasUndone: boolean;
	/** The change of the journal that deleted it, while that is not over. */
	readonly change: string | undefined;
	/** Whether the list would have it, if it were restored. */
	readonly isListable: boolean;
}

/** What is known of the trash. */
export interface TrashState {
	/** Newest first. */
	readonly items: readonly TrashItem[];
	/** Whether they have been gathered once. */
	readonly complete: boolean;
	/** Number of the last gathering, and whether it is under way. */
	readonly request: number;
	readonly reading: boolean;
	/** Whether something may have changed since. */
	readonly stale: boolean;
	/** Why the trash cannot be looked into. */
	readonly error: string | undefined;
	/** What is known of the files, by key: as the list would show them, with their paths in the trash. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Keys of those that are being read. */
	readonly scanning: readonly string[];
	/** Whether `State.trashed` is as it was when something was last changed from here. */
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
