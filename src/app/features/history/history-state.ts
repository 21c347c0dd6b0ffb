import { type Change, type Group, pathOf } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { memoLast } from "../../../shared/memo.ts";
import { FIRST_CURSOR, type PageCursor, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";

/** The page of all changes: the changes read from the journal, and the cursor. */
export interface HistoryState {
	/** The changes read so far, newest first. */
	readonly changes: readonly Change[];
	/** Whether these are all. */
	readonly complete: boolean;
	/** How many to read at least. */
	readonly wanted: number;
	/** Number of the last reading, and whether it is under way. */
	readonly request: number;
	readonly reading: boolean;
	/** Whether something may have been added since the last reading. */
	readonly stale: boolean;
	/** Why the journal cannot be read. */
	readonly error: string | undefined;
	/** Whether a change can be undone or redone, by its id, as far as that was checked. */
	readonly outlooks: ReadonlyMap<string, Outlook>;
	/** Ids of the changes whose outlook is up to date: nothing was changed since. */
	readonly checked: ReadonlySet<string>;
	/** Ids of the changes being checked. */
	readonly checking: readonly string[];
	/** The first row is the newest change. */
	readonly cursor: PageCursor;
	/** Ids of the groups whose changes are shown. */
	readonly opened: ReadonlySet<string>;
}

export const FIRST_HISTORY: HistoryState = {
	changes: [],
	complete: false,
	wanted: 0,
	request: 0,
	reading: false,
	stale: true,
	error: undefined,
	outlooks: new Map(),
	checked: new Set(),
	checking: [],
	cursor: FIRST_CURSOR,
	opened: new Set(),
};

export const HISTORY = defineSlice("history", FIRST_HISTORY);

/** A row of the page: a group, or a change without a group or of an open one. */
export type HistoryRow =
	| { readonly kind: "change"; readonly key: string; readonly change: Change; readonly inGroup: boolean }
	| {
			readonly kind: "group";
			readonly key: string;
			readonly group: Group;
			/** The changes read so far, newest first; at least one. */
			readonly changes: readonly [Change, ...Change[]];
			readonly isOpen: boolean;
	  };

/** The rows of the page, newest first; a group is at the position of its newest change. */
export function selectHistoryRows({
	changes,
	opened,
}: Pick<HistoryState, "changes" | "opened">): readonly HistoryRow[] {
	return rowsOf(changes, opened);
}

/** The changes of a row, newest first. */
export function changesOf(row: HistoryRow): readonly Change[] {
	return row.kind === "group" ? row.changes : [row.change];
}

/** Path of the session that a change is about; undefined if it is about none. */
export function sessionOf({ plan, undo }: Change): string | undefined {
	return undo === undefined ? plan?.path : pathOf(undo);
}

/** The row under the cursor. */
export function selectedHistoryRow(history: HistoryState): HistoryRow | undefined {
	return rowAtCursor(history.cursor, selectHistoryRows(history));
}

const rowsOf = memoLast((changes: readonly Change[], opened: ReadonlySet<string>): readonly HistoryRow[] => {
	const groups = groupsOf(changes);
	return changes.flatMap((change): HistoryRow[] => {
		const { group } = change;
		if (group === undefined) return [{ kind: "change", key: change.id, change, inGroup: false }];
		const members = groups.get(group.id);
		if (members?.[0] !== change) return [];
		const isOpen = opened.has(group.id);
		const row: HistoryRow = { kind: "group", key: group.id, group, changes: members, isOpen };
		if (!isOpen) return [row];
		return [row, ...members.map((each) => ({ kind: "change", key: each.id, change: each, inGroup: true }) as const)];
	});
});

type Members = [Change, ...Change[]];

const groupsOf = memoLast((changes: readonly Change[]): ReadonlyMap<string, Members> => {
	const groups = new Map<string, Members>();
	for (const change of changes) {
		if (change.group === undefined) continue;
		const members = groups.get(change.group.id);
		if (members === undefined) groups.set(change.group.id, [change]);
		else members.push(change);
	}
	return groups;
});
