import { widen, widenColumns } from "../../shared/columns.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { isOwnMark } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";

/**
 * The shape of a session as columns, indexed by the position of an entry in `session.entries`; -1 stands for none. Columns are
 * longer than `count` and are replaced when the session outgrows them: read them from here again after each growth.
 */
export interface OutlineColumns {
	readonly session: Session;
	readonly count: number;
	/** Index of the entry on each line of the file. */
	readonly byLine: Int32Array;
	readonly parent: Int32Array;
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
type Growing = { -readonly [Name in keyof OutlineColumns]: OutlineColumns[Name] };

/** Index of the entry with this id; -1 if there is none. */
export function indexAt({ session, byLine, count }: OutlineColumns, id: string): number {
	const index = byLine[session.lines.get(id) ?? 0] ?? -1;
	return index < count ? index : -1;
}

/** Number of entries in the subtree of the entry at this index, including itself. */
export function sizeAt({ sizes, active, grown }: OutlineColumns, index: number): number {
	return (sizes[index] ?? 0) + (active[index] === 1 ? grown : 0);
}

/** Whether the entry at this index is not on its parent's line: it is not the main child, or not the main root. */
export function isBeside({ parent, main, mainRoot }: OutlineColumns, index: number): boolean {
	const above = parent[index] ?? -1;
	return index !== (above === -1 ? mainRoot : main[above]);
}

/** Whether the entry at this index has siblings (for a root: other roots) that are more than our own marks. */
export function isForked(columns: OutlineColumns, index: number): boolean {
	const { parent, count, session } = columns;
	const above = parent[index] ?? -1;
	if (sizeAt(columns, index) === (above === -1 ? count : sizeAt(columns, above) - 1)) return false;
	const { roots, children } = session.tree;
	const siblings = above === -1 ? roots : (children.get(session.entries[above]?.id ?? "") ?? []);
	const id = session.entries[index]?.id;
	return siblings.some((sibling) => sibling.id !== id && !isOnlyMarks(columns, sibling));
}

/** Whether a branch consists of our own marks, which are only shown where everything is. */
function isOnlyMarks(columns: OutlineColumns, first: SessionEntry): boolean {
	const index = indexAt(columns, first.id);
	return isOwnMark(first) && (index === -1 || saidAt(columns, index) === 0);
}

/** Number of entries in the subtree of the entry at this index, including itself, without our own marks. */
export function saidAt(columns: OutlineColumns, index: number): number {
	const { order, place, session } = columns;
	const from = place[index] ?? 0;
	const size = sizeAt(columns, index);
	let said = size;
	for (let at = from; at < from + size; at++) if (isOwnMark(session.entries[order[at] ?? -1])) said--;
	return said;
}

/** Makes the columns of a session, in time linear in the number of its entries. */
export function* columnsOf(session: Session): Steps<OutlineColumns> {
	const count = session.entries.length;
	const columns: Growing = {
		session,
		count,
		byLine: new Int32Array((session.lines.get(session.entries.at(-1)?.id ?? "") ?? 0) + 1).fill(-1),
		parent: new Int32Array(count).fill(-1),
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
	const isInOrder = yield* findParents(columns);
	const down = isInOrder ? undefined : yield* topDown(columns);
	yield* countSizes(columns, down);
	const leaf = session.tree.leafId;
	for (let at = leaf === null ? -1 : indexAt(columns, leaf); at !== -1; at = columns.parent[at] ?? -1) {
		columns.active[at] = 1;
	}
	yield* findMain(columns);
	yield* placeAll(columns, down);
	return columns;
}

/** Adds appended entries that continue from the leaf, each from the one before it; else returns false and changes nothing. */
export function extendColumns(given: OutlineColumns, session: Session): boolean {
	// They were made here and are read-only for others only.
	const columns = given as Growing;
	const { entries, lines } = session;
	let above = columns.order[columns.count - 1] ?? -1;
	const isLeaf = columns.active[above] === 1 && columns.main[above] === -1;
	let id = entries[above]?.id ?? null;
	for (let index = columns.count; index < entries.length; index++) {
		if (!isLeaf || id === null || entries[index]?.parentId !== id) return false;
		id = entries[index]?.id ?? null;
	}
	columns.session = session;
	for (let index = columns.count; index < entries.length; index++) {
		const line = lines.get(entries[index]?.id ?? "") ?? 0;
		reserve(columns, index + 1, line + 1);
		columns.byLine[line] = index;
		columns.parent[index] = above;
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
		above = index;
	}
	return true;
}

const BY_ENTRY = ["parent", "level", "main", "active", "depth", "place", "order", "sizes"] as const;

/** Makes room for twice as much as is needed now. */
function reserve(columns: Growing, count: number, lines: number): void {
	const known = columns.byLine.length;
	columns.byLine = widen(columns.byLine, lines);
	if (columns.byLine.length > known) columns.byLine.fill(-1, known);
	widenColumns(columns, BY_ENTRY, count);
}

/** Fills in `byLine` and `parent`; returns whether each parent comes before its children in the file, as pi writes them. */
function* findParents(columns: Growing): Steps<boolean> {
	const { session, byLine, parent, count } = columns;
	const { entries, lines, tree } = session;
	// `lines` is in the order of the entries, so no id has to be looked up.
	let next = 0;
	for (const line of lines.values()) {
		if (next % ENTRIES_PER_STEP === 0) yield;
		byLine[line] = next++;
	}
	let isInOrder = true;
	for (let index = 0; index < count; index++) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const entry = entries[index];
		if (entry === undefined || entry.parentId === null) continue;
		// The usual case: the parent is the entry before. Such a link is never one where a cycle of parents was cut.
		if (index > 0 && entries[index - 1]?.id === entry.parentId) {
			parent[index] = index - 1;
			continue;
		}
		const above = tree.parentOf.get(entry.id);
		parent[index] = above === undefined ? -1 : indexAt(columns, above);
		if ((parent[index] ?? -1) > index) isInOrder = false;
	}
	return isInOrder;
}

/** All indexes, parents before their children. */
function* topDown(columns: Growing): Steps<Int32Array> {
	const indexes = new Int32Array(columns.count);
	const { roots, children } = columns.session.tree;
	const stack: SessionEntry[] = [...roots];
	let done = 0;
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		if (done % ENTRIES_PER_STEP === 0) yield;
		indexes[done++] = indexAt(columns, entry.id);
		for (const child of children.get(entry.id) ?? []) stack.push(child);
	}
	return indexes;
}

function* countSizes({ parent, sizes, count }: Growing, down: Int32Array | undefined): Steps<void> {
	for (let step = count - 1; step >= 0; step--) {
		if (step % ENTRIES_PER_STEP === 0) yield;
		const index = down?.[step] ?? step;
		const above = parent[index] ?? -1;
		if (above !== -1) sizes[above] = (sizes[above] ?? 0) + (sizes[index] ?? 0);
	}
}

/** Finds the main children: the active one of several siblings, else the one with the most entries, the last of equals. */
function* findMain(columns: Growing): Steps<void> {
	const { main, parent, active, sizes, count, session } = columns;
	const better = (before: number, index: number) => {
		if (before === -1 || active[index] === 1) return index;
		return active[before] === 1 || (sizes[index] ?? 0) < (sizes[before] ?? 0) ? before : index;
	};
	for (let index = 0; index < count; index++) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const above = parent[index] ?? -1;
		if (above !== -1) main[above] = main[above] === -1 ? index : -2;
	}
	for (let index = 0; index < count; index++) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		if (main[index] !== -2) continue;
		const siblings = session.tree.children.get(session.entries[index]?.id ?? "") ?? [];
		main[index] = siblings.map(({ id }) => indexAt(columns, id)).reduce(better, -1);
	}
	columns.mainRoot = session.tree.roots.map(({ id }) => indexAt(columns, id)).reduce(better, -1);
}

/** Fills in where each entry is drawn: `level`, `depth`, `place` and `order`. */
function* placeAll(columns: Growing, down: Int32Array | undefined): Steps<void> {
	const { session, count, parent, level, main, mainRoot, depth, place, order, sizes } = columns;
	const placeChildren = (siblings: readonly SessionEntry[], last: number, from: number) => {
		let next = from;
		for (const { id } of siblings) {
			const index = indexAt(columns, id);
			if (index === last) continue;
			place[index] = next;
			next += sizes[index] ?? 0;
		}
		place[last] = next;
	};
	if (mainRoot !== -1) placeChildren(session.tree.roots, mainRoot, 0);
	for (let step = 0; step < count; step++) {
		if (step % ENTRIES_PER_STEP === 0) yield;
		const index = down?.[step] ?? step;
		const above = parent[index] ?? -1;
		const isOnLine = index === (above === -1 ? mainRoot : main[above]);
		level[index] = above === -1 ? 0 : (level[above] ?? 0) + 1;
		depth[index] = Math.min(255, (above === -1 ? 0 : (depth[above] ?? 0)) + (isOnLine ? 0 : 1));
		const own = place[index] ?? 0;
		order[own] = index;
		const next = main[index] ?? -1;
		if (next === -1) continue;
		if ((sizes[index] ?? 0) === (sizes[next] ?? 0) + 1) place[next] = own + 1;
		else placeChildren(session.tree.children.get(session.entries[index]?.id ?? "") ?? [], next, own + 1);
	}
}
