import { memoLast } from "../../shared/memo.ts";
import type { Change, Group } from "../kinds/change.ts";

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

/** The changes of a row, newest first. */
export function changesOf(row: HistoryRow): readonly Change[] {
	return row.kind === "group" ? row.changes : [row.change];
}

/**
 * The rows of changes, which are newest first; a group is at the position of its newest change. `opened`: ids of the groups whose
 * changes are shown. Remembered for the page, which asks for them several times for each frame.
 */
export const rowsOfChanges = memoLast(
	(changes: readonly Change[], opened: ReadonlySet<string>): readonly HistoryRow[] => {
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
	},
);

type Members = [Change, ...Change[]];

function groupsOf(changes: readonly Change[]): ReadonlyMap<string, Members> {
	const groups = new Map<string, Members>();
	for (const change of changes) {
		if (change.group === undefined) continue;
		const members = groups.get(change.group.id);
		if (members === undefined) groups.set(change.group.id, [change]);
		else members.push(change);
	}
	return groups;
}
