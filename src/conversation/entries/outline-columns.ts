import { widenColumns } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { isOwnMark } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { SessionTable } from "../../store/tree/session-table.ts";

/**
 * How a session's tree is drawn, as further columns of its table (`SessionTable`); -1 stands for none. Columns are longer than
 * `count` and are replaced when the session outgrows them: read them from here again after each growth.
 */
export interface OutlineColumns {
	readonly session: Session;
	readonly table: SessionTable;
	readonly count: number;
	/** Number of ancestors. */
	readonly level: Int32Array;
	/** The main child: the one on the same line as its parent. */
	readonly main: Int32Array;
	/** The root whose line is drawn below the other roots. */
	readonly mainRoot: number;
	/** 1 for entries on the path to the leaf. */
	readonly active: Uint8Array;
	/** How many branches deep an entry is; at most the logarithm of the number of entries. */
	readonly depth: Uint8Array;
	/** Position in the drawing: children follow their parent, the main child last. */
	readonly place: Int32Array;
	/** Index of the entry at each `place`. */
	readonly order: Int32Array;
	/** Entries in the subtree, without `grown` for active ones: see `sizeAt`. */
	readonly sizes: Int32Array;
	/** Entries added below the leaf since the sizes were counted. */
	readonly grown: number;
}

/** Writable for the functions here. */
type GrowingOutline = { -readonly [Name in keyof OutlineColumns]: OutlineColumns[Name] };

/** Index of the entry with this id; -1 if there is none. */
export function indexAt({ table, count }: OutlineColumns, id: string): number {
	const index = table.indexOf(id) ?? -1;
	return index < count ? index : -1;
}

/** Number of entries in the subtree of the entry at this index, including itself. */
export function sizeAt({ sizes, active, grown }: OutlineColumns, index: number): number {
	return (sizes[index] ?? 0) + (active[index] === 1 ? grown : 0);
}

/** The entries of a line from the one at this index on, each the main child of the one before. */
export function* lineFrom({ session, main }: OutlineColumns, index: number): Generator<SessionEntry, void> {
	for (let at = index; at !== -1; at = main[at] ?? -1) {
		const entry = session.entries[at];
		if (entry !== undefined) yield entry;
	}
}

/** Whether the entry at this index is not on its parent's line: it is not the main child, or not the main root. */
export function isBeside({ table, main, mainRoot }: OutlineColumns, index: number): boolean {
	const above = table.parent[index] ?? -1;
	return index !== (above === -1 ? mainRoot : main[above]);
}

/** Whether the entry at this index has siblings (for a root: other roots) that are more than our own marks. */
export function isForked(columns: OutlineColumns, index: number): boolean {
	const { table, count } = columns;
	const above = table.parent[index] ?? -1;
	if (sizeAt(columns, index) === (above === -1 ? count : sizeAt(columns, above) - 1)) return false;
	return table.eachChildAt(above).some((sibling) => sibling !== index && !isOnlyMarks(columns, sibling));
}

/** Whether the branch that begins with the entry at this index consists of our own marks, which are only shown where everything is. */
function isOnlyMarks(columns: OutlineColumns, index: number): boolean {
	return isOwnMark(columns.session.entries[index]) && (index >= columns.count || saidAt(columns, index) === 0);
}

/** Number of entries in the subtree of the entry at this index, including itself, without our own marks. */
export function saidAt(columns: OutlineColumns, index: number): number {
	const { order, place, session } = columns;
	const from = place[index] ?? 0;
	const size = sizeAt(columns, index);
	let count = size;
	for (let at = from; at < from + size; at++) if (isOwnMark(session.entries[order[at] ?? -1])) count--;
	return count;
}

/** Makes the columns of a session, in time linear in the number of its entries. */
export function* outlineColumns(session: Session): Steps<OutlineColumns> {
	const count = session.entries.length;
	const { table, leafId } = session.tree;
	const columns: GrowingOutline = {
		session,
		table,
		count,
		level: new Int32Array(count),
		main: new Int32Array(count).fill(-1),
		mainRoot: -1,
		active: new Uint8Array(count),
		depth: new Uint8Array(count),
		place: new Int32Array(count),
		order: new Int32Array(count),
		sizes: new Int32Array(count).fill(1),
		grown: 0,
	};
	const down = table.isInOrder ? undefined : yield* topDown(columns);
	yield* countSizes(columns, down);
	for (let at = leafId === null ? -1 : indexAt(columns, leafId); at !== -1; at = table.parent[at] ?? -1) {
		columns.active[at] = 1;
	}
	yield* findMain(columns);
	yield* placeAll(columns, down);
	return columns;
}

/** Adds appended entries that continue from the leaf, each from the one before it; else returns false and changes nothing. */
export function extendColumns(given: OutlineColumns, session: Session): boolean {
	// They were made here and are read-only for others only.
	const columns = given as GrowingOutline;
	const { length } = session.entries;
	const { parent } = session.tree.table;
	const last = columns.order[columns.count - 1] ?? -1;
	const isLeaf = columns.active[last] === 1 && columns.main[last] === -1;
	for (let index = columns.count; index < length; index++)
		if (!isLeaf || parent[index] !== (index === columns.count ? last : index - 1)) return false;
	columns.session = session;
	for (let index = columns.count; index < length; index++) {
		const above = parent[index] ?? -1;
		widenColumns(columns, BY_ENTRY, index + 1);
		columns.level[index] = (columns.level[above] ?? 0) + 1;
		columns.main[index] = -1;
		columns.main[above] = index;
		columns.active[index] = 1;
		columns.depth[index] = 0;
		columns.place[index] = index;
		columns.order[index] = index;
		columns.grown += 1;
		columns.sizes[index] = 1 - columns.grown;
		columns.count = index + 1;
	}
	return true;
}

const BY_ENTRY = ["level", "main", "active", "depth", "place", "order", "sizes"] as const;

/** All indexes, parents before their children. */
function* topDown({ table, count }: GrowingOutline): Steps<Int32Array> {
	const indexes = new Int32Array(count);
	const stack = [...table.childrenAt(-1)];
	let done = 0;
	for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
		if (done % ENTRIES_PER_STEP === 0) yield;
		indexes[done++] = index;
		for (const child of table.childrenAt(index)) stack.push(child);
	}
	return indexes;
}

function* countSizes({ table, sizes, count }: GrowingOutline, down: Int32Array | undefined): Steps<void> {
	for (let step = count - 1; step >= 0; step--) {
		if (step % ENTRIES_PER_STEP === 0) yield;
		const index = down?.[step] ?? step;
		const above = table.parent[index] ?? -1;
		if (above !== -1) sizes[above] = (sizes[above] ?? 0) + (sizes[index] ?? 0);
	}
}

/** Finds the main children: the active one of several siblings, else the one with the most entries, the last of equals. */
function* findMain(columns: GrowingOutline): Steps<void> {
	const { main, table, active, sizes, count } = columns;
	const better = (best: number, index: number) => {
		if (best === -1 || active[index] === 1) return index;
		return active[best] === 1 || (sizes[index] ?? 0) < (sizes[best] ?? 0) ? best : index;
	};
	for (let index = 0; index < count; index++) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const above = table.parent[index] ?? -1;
		if (above !== -1) main[above] = main[above] === -1 ? index : -2;
	}
	for (let index = 0; index < count; index++) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (main[index] === -2) main[index] = childrenIn(columns, index).reduce(better, -1);
	}
	columns.mainRoot = childrenIn(columns, -1).reduce(better, -1);
}

/** Fills in where each entry is drawn: `level`, `depth`, `place` and `order`. */
function* placeAll(columns: GrowingOutline, down: Int32Array | undefined): Steps<void> {
	const { count, table, level, main, mainRoot, depth, place, order, sizes } = columns;
	const placeChildren = (parent: number, last: number, from: number) => {
		let next = from;
		for (const index of childrenIn(columns, parent)) {
			if (index === last) continue;
			place[index] = next;
			next += sizes[index] ?? 0;
		}
		place[last] = next;
	};
	if (mainRoot !== -1) placeChildren(-1, mainRoot, 0);
	for (let step = 0; step < count; step++) {
		if (step % ENTRIES_PER_STEP === 0) yield;
		const index = down?.[step] ?? step;
		const above = table.parent[index] ?? -1;
		const isOnLine = index === (above === -1 ? mainRoot : main[above]);
		level[index] = above === -1 ? 0 : (level[above] ?? 0) + 1;
		depth[index] = Math.min(255, (above === -1 ? 0 : (depth[above] ?? 0)) + (isOnLine ? 0 : 1));
		const ownPlace = place[index] ?? 0;
		order[ownPlace] = index;
		const next = main[index] ?? -1;
		if (next === -1) continue;
		if ((sizes[index] ?? 0) === (sizes[next] ?? 0) + 1) place[next] = ownPlace + 1;
		else placeChildren(index, next, ownPlace + 1);
	}
}

/** The children of the entry at an index, or the roots of -1, by time, without those that were appended meanwhile. */
function childrenIn({ table, count }: GrowingOutline, index: number): readonly number[] {
	return table.childrenAt(index).filter((child) => child < count);
}
