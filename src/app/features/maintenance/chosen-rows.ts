import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import {
	isFolding,
	isSessionLike,
	type MaintenanceRow,
	type RowOf,
	type SessionLike,
	selectAllRows,
	selectedMaintenanceRow,
} from "./maintenance-rows.ts";
import { MAINTENANCE } from "./maintenance-state.ts";

/** Keys of the sessions that a row stands for; a heading stands for those below it. */
export function keysOf(state: State, row: MaintenanceRow): readonly string[] {
	return isSessionLike(row) ? [row.key] : (membersIn(selectAllRows(state)).get(row.key) ?? []);
}

/** Each drawn heading asks for its members, while anything is marked. */
const membersIn = memoLast((all: readonly MaintenanceRow[]): ReadonlyMap<string, readonly string[]> => {
	const members = new Map<string, string[]>();
	const parents = new Map<string, string | undefined>();
	for (const row of all) {
		// Sessions removed by an undo do not count as deleted ones.
		if (isFolding(row) && row.type !== "damaged") parents.set(row.key, row.type === "undone" ? undefined : row.parent);
		if (!isSessionLike(row)) continue;
		for (let key = row.parent; key !== undefined; key = parents.get(key)) {
			const keys = members.get(key);
			if (keys === undefined) members.set(key, [row.key]);
			else keys.push(row.key);
		}
	}
	return members;
});

/** The marked sessions, in the order of the rows. */
export function selectMarked(state: State): readonly SessionLike[] {
	const { marked } = MAINTENANCE.of(state).marks;
	return marked.size === 0
		? []
		: selectAllRows(state)
				.filter(isSessionLike)
				.filter(({ key }) => marked.has(key));
}

/** The marked sessions of these types, otherwise the one under the cursor, if it is of one of them. */
function chosenOf<Type extends SessionLike["type"]>(state: State, ...types: readonly Type[]): readonly RowOf<Type>[] {
	const isOfTypes = (row: MaintenanceRow | undefined): row is RowOf<Type> => types.some((type) => type === row?.type);
	const marked = selectMarked(state).filter(isOfTypes);
	const here = selectedMaintenanceRow(state);
	return marked.length > 0 || !isOfTypes(here) ? marked : [here];
}

export function chosenSessions(state: State): readonly SessionRow[] {
	return [...new Set(chosenOf(state, "session", "damaged").map(({ row }) => row))];
}

export function chosenItems(state: State): readonly TrashItem[] {
	return chosenOf(state, "trashed").map(({ item }) => item);
}

export function chosenDamaged(state: State): readonly SessionRow[] {
	return chosenOf(state, "damaged").map(({ row }) => row);
}

/** The sessions of missing directories to fork elsewhere: the marked ones, otherwise those of the directory under the cursor. */
export function chosenGone(state: State): readonly SessionRow[] {
	const marked = selectMarked(state).flatMap((row) => (row.type === "session" && row.isGone ? [row.row] : []));
	const here = selectedMaintenanceRow(state);
	return marked.length > 0 || here?.type !== "directory" ? marked : here.directory.rows;
}
