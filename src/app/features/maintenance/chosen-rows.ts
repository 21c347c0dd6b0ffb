import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import {
	isFolding,
	isSessionLike,
	listedRow,
	type MaintenanceRow,
	type SessionLike,
	selectAllRows,
	selectedRow,
} from "./maintenance-rows.ts";
import { MAINTENANCE } from "./maintenance-state.ts";

/** Keys of the sessions that a row stands for; a heading stands for those below it. */
export function keysOf(state: State, row: MaintenanceRow): readonly string[] {
	return isSessionLike(row) ? [row.key] : (membersIn(selectAllRows(state)).get(row.key) ?? []);
}

const membersIn = memoLast((all: readonly MaintenanceRow[]): ReadonlyMap<string, readonly string[]> => {
	const members = new Map<string, string[]>();
	const parents = new Map<string, string | undefined>();
	for (const row of all) {
		// Sessions removed by an undo do not count as deleted ones.
		if (isFolding(row) && row.type !== "damaged") parents.set(row.key, row.type === "undone" ? undefined : row.parent);
		if (!isSessionLike(row)) continue;
		for (let key = row.parent; key !== undefined; key = parents.get(key)) {
			const before = members.get(key);
			if (before === undefined) members.set(key, [row.key]);
			else before.push(row.key);
		}
	}
	return members;
});

/** The number of marked sessions below each heading. */
export function selectMarkedCounts(state: State): ReadonlyMap<string, number> {
	const { marked } = MAINTENANCE.of(state).marks;
	return marked.size === 0 ? NONE : countsOf(marked, membersIn(selectAllRows(state)));
}

const NONE: ReadonlyMap<string, number> = new Map();
const NO_ROWS: readonly SessionLike[] = [];

const countsOf = memoLast(
	(marked: ReadonlySet<string>, members: ReadonlyMap<string, readonly string[]>) =>
		new Map([...members].map(([key, each]) => [key, each.filter((one) => marked.has(one)).length])),
);

/** The marked sessions, in the order of the rows. */
export function selectMarked(state: State): readonly SessionLike[] {
	if (MAINTENANCE.of(state).marks.marked.size === 0) return NO_ROWS;
	return markedIn(selectAllRows(state), MAINTENANCE.of(state).marks.marked);
}

const markedIn = memoLast((all: readonly MaintenanceRow[], marked: ReadonlySet<string>): readonly SessionLike[] =>
	all.filter(isSessionLike).filter(({ key }) => marked.has(key)),
);

/** The sessions to delete or archive: the marked ones that are not in the trash, otherwise the one under the cursor. */
export function chosenSessions(state: State): readonly SessionRow[] {
	const rows = chosenOf(state, (row) => row.type !== "trashed").flatMap((row) => listedRow(row) ?? []);
	return [...new Map(rows.map((row) => [row.path, row])).values()];
}

/** The sessions to restore: the marked ones in the trash, otherwise the one under the cursor. */
export function chosenItems(state: State): readonly TrashItem[] {
	return chosenOf(state, (row) => row.type === "trashed").flatMap((row) => (row.type === "trashed" ? [row.item] : []));
}

/** The sessions of missing directories to fork elsewhere: the marked ones, otherwise those of the directory under the cursor. */
export function chosenGone(state: State): readonly SessionRow[] {
	const marked = selectMarked(state).flatMap((row) => (row.type === "session" && row.isGone ? [row.row] : []));
	const here = selectedRow(state);
	return marked.length > 0 || here?.type !== "directory" ? marked : here.directory.rows;
}

function chosenOf(state: State, test: (row: SessionLike) => boolean): readonly SessionLike[] {
	const marked = selectMarked(state).filter(test);
	const here = selectedRow(state);
	return marked.length > 0 || !isSessionLike(here) || !test(here) ? marked : [here];
}

/** The sessions to repair: the marked ones with findings, otherwise the one under the cursor. */
export function chosenDamaged(state: State): readonly SessionRow[] {
	return chosenOf(state, (row) => row.type === "damaged").flatMap((row) => listedRow(row) ?? []);
}
