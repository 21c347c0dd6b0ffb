import type { HistoryPart } from "../../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow, rowsOfChanges } from "../../../changes/journal/history-rows.ts";
import { type Change, pathOf } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { memoLast } from "../../../shared/memo.ts";
import { FIRST_CURSOR, type PageCursor, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { layoutWithDetail } from "../../world/page/page.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

interface HistoryState {
	/** How many changes to read at least. */
	readonly wanted: number;
	/** The first row is the newest change. */
	readonly cursor: PageCursor;
	/** Ids of the groups whose changes are shown. */
	readonly opened: ReadonlySet<string>;
}

export const FIRST_HISTORY: HistoryState = { wanted: 0, cursor: FIRST_CURSOR, opened: new Set() };

export const HISTORY = defineSlice("history", FIRST_HISTORY);

/** The rows of the page, newest first; a group is at the position of its newest change. */
export function historyRows(state: State): readonly HistoryRow[] {
	return rowsOfChanges(journalChanges(state), HISTORY.of(state).opened);
}

/** The same with all groups open. */
export function allHistoryRows(state: State): readonly HistoryRow[] {
	return openedRows(journalChanges(state));
}

const openedRows = memoLast((changes: readonly Change[]) =>
	rowsOfChanges(changes, new Set(changes.flatMap(({ group }) => group?.id ?? []))),
);

/** The changes read so far, newest first. */
export function journalChanges(state: State): readonly Change[] {
	return JOURNAL_CHANGES.of(state).value?.changes ?? NO_CHANGES;
}

const NO_CHANGES: readonly Change[] = [];

/** Path of the session that a change is about; undefined if it is about none. */
export function sessionOf({ plan, undo }: Change): string | undefined {
	return undo === undefined ? plan?.path : pathOf(undo);
}

export function selectedHistoryRow(state: State): HistoryRow | undefined {
	return rowAtCursor(HISTORY.of(state).cursor, historyRows(state));
}

/** Screens of changes that are read ahead of the visible ones. */
const SCREENS_AHEAD = 3;
const CHECKED_AT_ONCE = 20;

/** The journal, as far as the person has scrolled; the key is how many changes to read at least. */
export const JOURNAL_CHANGES = defineQuery<number, HistoryPart>({
	name: "history",
	wanted(state, { value, asked }) {
		const { wanted, cursor } = HISTORY.of(state);
		const { height } = layoutWithDetail(state.size).list;
		const count = Math.max(wanted, cursor.top + (1 + SCREENS_AHEAD) * height);
		const isEnough = value !== undefined && (value.complete || value.changes.length >= count);
		return isEnough ? asked : count;
	},
	isSame: (askedCount, wantedCount) => askedCount >= wantedCount,
	finishes: () => true,
	load: (count, { journal }) => journal.history.read(count),
	canFail: true,
	answered(state, { value }, lastAnswer): State {
		const hasOnlyGrown = lastAnswer.value?.changes.every((change, index) => value?.changes[index] === change) ?? true;
		// Something was changed: the old outlooks stay on the screen until they have been checked again.
		return hasOnlyGrown ? state : OUTLOOKS.set(state, stillShown(state, lastAnswer.value));
	},
});

interface Outlooks {
	/** By the id of a change, as far as that was checked. */
	readonly byId: ReadonlyMap<string, Outlook>;
	/** Ids of the changes whose outlook is up to date: nothing was changed since. */
	readonly checked: ReadonlySet<string>;
}

const NONE: Outlooks = { byId: new Map(), checked: new Set() };

/** Whether the changes in sight can be undone or redone; the key is the ids of some of them. */
export const OUTLOOKS = defineQuery<readonly string[], Outlooks, Outlooks["byId"]>({
	name: "outlooks of changes",
	wanted(state, { value }): readonly string[] | undefined {
		const { isLoading, isStale } = JOURNAL_CHANGES.of(state);
		const ids = isLoading || isStale ? [] : uncheckedInSight(state, value?.checked);
		return ids.length === 0 ? undefined : ids;
	},
	finishes: () => true,
	load: (ids, { journal }) => journal.outlooksOf(ids),
	merge: ({ byId, checked } = NONE, outlooks, ids) => ({
		byId: new Map([...byId, ...outlooks]),
		checked: checked.union(new Set(ids)),
	}),
});

export function outlooksIn(state: State): Outlooks["byId"] {
	return (OUTLOOKS.of(state).value ?? NONE).byId;
}

function uncheckedInSight(state: State, checked: Outlooks["checked"] | undefined): readonly string[] {
	const { top } = HISTORY.of(state).cursor;
	const ids: string[] = [];
	for (const row of historyRows(state).slice(top, top + layoutWithDetail(state.size).list.height)) {
		for (const change of changesOf(row)) {
			const mayBeReversed = change.fate !== "not-made";
			if (mayBeReversed && checked?.has(change.id) !== true) ids.push(change.id);
			if (ids.length >= CHECKED_AT_ONCE) return ids;
		}
	}
	return ids;
}

/** The outlooks of changes whose fate is the same as `before`. */
function stillShown(state: State, lastPart: HistoryPart | undefined): Outlooks {
	const fates = new Map(lastPart?.changes.map(({ id, fate }) => [id, fate]));
	const same = new Set(journalChanges(state).flatMap(({ id, fate }) => (fates.get(id) === fate ? [id] : [])));
	return { byId: new Map([...outlooksIn(state)].filter(([id]) => same.has(id))), checked: new Set() };
}
