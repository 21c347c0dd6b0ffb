import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import type { Branch, Branches } from "../../../conversation/branches/branch.ts";
import { type BranchSort, filterTree, orderBranches } from "../../../conversation/branches/branch-order.ts";
import { type BranchRow, branchRows } from "../../../conversation/branches/branch-rows.ts";
import { gatherBranches, growBranches } from "../../../conversation/branches/gather-branches.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { memoLast } from "../../../shared/memo.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { BOOKKEEPING } from "../../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { nearestIndex } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../effects/define-query.ts";
import type { State } from "../state/state.ts";
import { currentEntry } from "./select-reader.ts";
import { isLarge, selectedEntry } from "./select-tree.ts";

/** The branches of the opened session; undefined until they have been gathered. */
export function selectBranches(state: State): Branches | undefined {
	const session = state.detail.session;
	if (session === undefined) return undefined;
	if (!isGatheredOutside(session)) return gatherSmall(session, state.environment.home);
	const { value: gathered } = GATHERED.of(state);
	return gathered?.session.path === session.path ? gathered : undefined;
}

/** The branches of a large session, while they have the focus. */
export const GATHERED = defineQuery<Session, Branches>({
	name: "branches",
	wanted({ focus, detail }, { asked }) {
		const session = detail.session;
		if (session === undefined || !isGatheredOutside(session)) return undefined;
		return focus === "branches" ? session : asked?.path === session.path ? asked : undefined;
	},
	// Entries appended during a gathering are added after it.
	finishes: (askedSession, wantedSession) => askedSession.entries === wantedSession.entries,
	derive: ({ environment }, session, { value }) =>
		value && growBranches(value, session, placeOf(session, environment.home)),
	load: (session, { disk, slice }) => slice.run(gatherBranches(session, placeOf(session, disk.home))),
	forgets: true,
});

/** Whether gathering the branches of a session would delay the screen, so that it is done outside of `update`. */
function isGatheredOutside(session: Session): boolean {
	return isLarge(session, NO_QUERY);
}

/** The last gathered branches of a small session. */
let last: { readonly branches: Branches; readonly home: string } | undefined;

function gatherSmall(session: Session, home: string): Branches {
	if (last?.branches.session === session && last.home === home) return last.branches;
	const place = placeOf(session, home);
	const grown = last?.home === home ? growBranches(last.branches, session, place) : undefined;
	last = { branches: grown ?? runToEnd(gatherBranches(session, place)), home };
	return last.branches;
}

export interface ShownBranches {
	readonly branches: Branches;
	readonly rows: readonly BranchRow[];
	/** Index of a branch → index of its row. */
	readonly rowOf: ReadonlyMap<number, number>;
	/** Number of ends of the conversation among them. */
	readonly ends: number;
}

/** The rows for a state; the same object while what they show does not change. */
export function selectShownBranches(state: State): ShownBranches | undefined {
	const branches = selectBranches(state);
	return branches && showBranches(branches, state.branches.sort, state.branches.query.text);
}

/** Asked for several times a frame: by the pane, its keys, and those that act on the branch under the cursor. */
const showBranches = memoLast((branches: Branches, sort: BranchSort, typed: string): ShownBranches => {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	const holds = (index: number): boolean => words.every((word) => branches.list[index]?.words.includes(word));
	const all = orderBranches(branches, sort);
	const rows = branchRows(words.length === 0 ? all : filterTree(all, holds));
	const rowOf = new Map<number, number>();
	let ends = 0;
	for (const [index, row] of rows.entries()) {
		if (row.kind !== "branch") continue;
		rowOf.set(row.branch, index);
		if (branches.list[row.branch]?.kind !== "trunk") ends += 1;
	}
	return { branches, rows, rowOf, ends };
});

/** Index of the row under the cursor: the selected branch, else the first one shown; -1 if there is none. */
export function selectedBranchRow(state: State, { branches, rows, rowOf }: ShownBranches): number {
	const index = branchOfEntry(branches, state.branches.selected);
	const row = index === undefined ? undefined : rowOf.get(index);
	return row ?? rows.findIndex(({ kind }) => kind === "branch");
}

export function selectedBranch(state: State): Branch | undefined {
	const overview = selectShownBranches(state);
	const row = overview?.rows[selectedBranchRow(state, overview)];
	return row?.kind === "branch" ? overview?.branches.list[row.branch] : undefined;
}

/** Index of the branch that ends with an entry, or that has continued from it; without an id, of the active one. */
export function branchOfEntry({ session, list, indexes }: Branches, id: string | undefined): number | undefined {
	if (id === undefined) return list.findIndex(({ kind }) => kind === "active");
	const { children, parentOf } = session.tree;
	let last = id;
	for (let at: string | undefined = id; at !== undefined; at = children.get(at)?.at(-1)?.id) {
		const index = indexes.get(at);
		if (index !== undefined) return index;
		last = at;
	}
	// The end of a branch comes before trailing bookkeeping entries.
	for (let at: string | undefined = last; at !== undefined; at = parentOf.get(at)) {
		const index = indexes.get(at);
		if (index !== undefined) return index;
	}
	return undefined;
}

/** Moves the cursor to the branch at a row, or to the next one in a direction, else in the other direction. */
export function selectBranchNear(state: State, { branches, rows }: ShownBranches, index: number, step: 1 | -1): State {
	const row = rows[nearestIndex(rows, index, step, ({ kind }) => kind === "branch")];
	const branch = row?.kind === "branch" ? branches.list[row.branch] : undefined;
	if (branch === undefined) return state;
	// The cursor follows the active branch as it grows.
	const selected = branch.kind === "active" ? undefined : branch.id;
	return { ...state, branches: { ...state.branches, selected } };
}

/**
 * The entry that keys act on: the one under the tree's cursor; in the reader the one being read; in the branches the last
 * entry of the conversation in the branch under the cursor.
 */
export function entryUnderCursor(state: State): SessionEntry | undefined {
	if (state.focus === "reader") return currentEntry(state) ?? selectedEntry(state);
	if (state.focus !== "branches") return selectedEntry(state);
	const path = selectedBranch(state)?.path;
	return path?.findLast(({ type }) => !BOOKKEEPING.has(type)) ?? path?.at(-1);
}
