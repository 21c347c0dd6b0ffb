import type { HistoryPart } from "../../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow, selectHistoryRows } from "../../../changes/journal/history-rows.ts";
import { type Change, pathOf } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { FIRST_CURSOR, type PageCursor, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { layoutWithDetail } from "../../world/page/page.ts";
import { defineSlice, type State, type Transition, transition } from "../../world/state/state.ts";

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

/** Path of the session that a change is about; undefined if it is about none. */
export function sessionOf({ plan, undo }: Change): string | undefined {
	return undo === undefined ? plan?.path : pathOf(undo);
}

/** The row under the cursor. */
export function selectedHistoryRow(history: HistoryState): HistoryRow | undefined {
	return rowAtCursor(history.cursor, selectHistoryRows(history));
}

/** Screens of changes that are read ahead of the visible ones. */
const SCREENS_AHEAD = 3;
/** Changes checked with one effect. */
const CHECKED_AT_ONCE = 20;

/** Requests the journal as far as the person has scrolled, and checks whether the changes in sight can be undone. */
export function syncHistory(state: State): Transition {
	const [reading, read] = readOn(state);
	const [checking, check] = checkInSight(reading);
	return [checking, [...read, ...check]];
}

function readOn(state: State): Transition {
	const history = HISTORY.of(state);
	if (history.reading || history.error !== undefined) return transition(state);
	const { height } = layoutWithDetail(state.size).list;
	const wanted = Math.max(history.wanted, history.cursor.top + (1 + SCREENS_AHEAD) * height);
	const hasMore = !history.complete && history.changes.length < wanted;
	if (!hasMore && !history.stale) return transition(state);
	const request = history.request + 1;
	const next = { ...history, request, reading: true, stale: false };
	return transition(HISTORY.with(state, next), { type: "read-history", request, wanted });
}

function checkInSight(state: State): Transition {
	const history = HISTORY.of(state);
	if (history.checking.length > 0 || history.stale || history.reading) return transition(state);
	const { height } = layoutWithDetail(state.size).list;
	const rows = selectHistoryRows(history).slice(history.cursor.top, history.cursor.top + height);
	const ids = unchecked(rows, history).slice(0, CHECKED_AT_ONCE);
	if (ids.length === 0) return transition(state);
	return transition(HISTORY.with(state, { checking: ids }), { type: "check-history", ids });
}

function unchecked(rows: readonly HistoryRow[], { checked }: HistoryState): string[] {
	const wanted: string[] = [];
	for (const row of rows) {
		for (const change of changesOf(row)) {
			if (isReversible(change) && !checked.has(change.id)) wanted.push(change.id);
			if (wanted.length >= CHECKED_AT_ONCE) return wanted;
		}
	}
	return wanted;
}

/** Whether a change may be undone or redone; one that was not made cannot. */
function isReversible({ fate }: Change): boolean {
	return fate !== "not-made" && fate !== "given-up";
}

/** Stores what was read from the journal. */
export function applyHistory(state: State, request: number, read: HistoryPart | { readonly error: string }): State {
	const history = HISTORY.of(state);
	if (history.request !== request) return state;
	if ("error" in read) return HISTORY.with(state, { reading: false, error: read.error });
	const { changes, complete } = read;
	const next = { ...history, reading: false, changes, complete };
	const hasOnlyGrown = history.changes.every((change, index) => changes[index] === change);
	if (hasOnlyGrown) return HISTORY.with(state, next);
	// Something was changed: the old outlooks stay on the screen until they have been checked again.
	return HISTORY.with(state, { ...next, outlooks: stillShown(history, changes), checked: new Set(), checking: [] });
}

/** The outlooks of changes whose fate is the same as before. */
function stillShown({ changes, outlooks }: HistoryState, after: readonly Change[]): ReadonlyMap<string, Outlook> {
	const before = new Map(changes.map(({ id, fate }) => [id, fate]));
	const same = after.filter(({ id, fate }) => before.get(id) === fate);
	return new Map(
		same.flatMap(({ id }): [string, Outlook][] => {
			const outlook = outlooks.get(id);
			return outlook === undefined ? [] : [[id, outlook]];
		}),
	);
}

/** Stores whether the checked changes can be undone or redone. */
export function applyOutlooks(state: State, ids: readonly string[], found: ReadonlyMap<string, Outlook>): State {
	const history = HISTORY.of(state);
	if (history.checking !== ids) return state;
	const outlooks = new Map([...history.outlooks, ...found]);
	const checked = history.checked.union(new Set(ids));
	return HISTORY.with(state, { outlooks, checked, checking: [] });
}
