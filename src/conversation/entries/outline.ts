import { runToEnd, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { extendColumns, indexAt, isBeside, type OutlineColumns, outlineColumns, sizeAt } from "./outline-columns.ts";

/** By the list of a session's entries, which stays the same list when the session grows. */
const outlines = new WeakMap<readonly SessionEntry[], Outline>();

/** The outline of a session, cached. If the session has grown by entries that continue from its leaf, it is extended. */
export function outlineOf(session: Session): Outline {
	return runToEnd(outlineSteps(session));
}

/** The same in steps, for a session that may be large and not cached. */
export function* outlineSteps(session: Session): Steps<Outline> {
	const { entries } = session;
	const earlier = outlines.get(entries);
	if (earlier !== undefined && extendColumns(earlier.columns, session)) return earlier;
	const outline = new Outline(yield* outlineColumns(session));
	outlines.set(entries, outline);
	return outline;
}

interface Path {
	readonly entries: readonly SessionEntry[];
	/** From this index on each entry is the main child of the one before, so that the path is the same through all of these. */
	readonly tail: number;
}

/**
 * The shape of a session, before any filter: which of several children continues the line, how large subtrees are, and in
 * which order entries are drawn. It changes as its session grows: keep its answers, not the outline.
 */
export class Outline {
	/** The same facts by index, for loops over all entries. */
	readonly columns: OutlineColumns;
	#path: Path = { entries: [], tail: 0 };

	constructor(columns: OutlineColumns) {
		this.columns = columns;
	}

	/** Number of ancestors, which is the entry's index in every path from its root; -1 if there is no entry with this id. */
	level(id: string): number {
		const index = indexAt(this.columns, id);
		return index === -1 ? -1 : (this.columns.level[index] ?? -1);
	}

	/** Whether an entry is on the path from its root to the leaf. */
	isActive(id: string): boolean {
		return this.columns.active[indexAt(this.columns, id)] === 1;
	}

	/** Number of entries in the subtree, including the entry itself; 0 if there is no entry with this id. */
	size(id: string): number {
		return sizeAt(this.columns, indexAt(this.columns, id));
	}

	/** Whether an entry begins a branch beside the line of its parent: at a fork, or as one of several roots. */
	isBranch(id: string): boolean {
		const index = indexAt(this.columns, id);
		return index !== -1 && isBeside(this.columns, index);
	}

	/**
	 * The path through an entry: from its root to it, and on along main children to the end. The same list as long as the path
	 * is the same, also for other entries on it.
	 */
	pathThrough(id: string): readonly SessionEntry[] {
		const index = indexAt(this.columns, id);
		if (index === -1) return [];
		if (!this.#isOnPath(index)) this.#path = this.#findPath(index);
		return this.#path.entries;
	}

	/** Whether the cached path is also the one through this entry. */
	#isOnPath(index: number): boolean {
		const { entries, tail } = this.#path;
		const level = this.columns.level[index] ?? 0;
		if (level < tail || entries[level] !== this.#entry(index)) return false;
		const last = entries.at(-1);
		return last !== undefined && this.columns.main[indexAt(this.columns, last.id)] === -1;
	}

	#findPath(index: number): Path {
		const { columns } = this;
		const path: SessionEntry[] = [];
		const add = (at: number) => {
			const entry = this.#entry(at);
			if (entry !== undefined) path.push(entry);
		};
		let tail = -1;
		for (let at = index; at !== -1; at = columns.table.parent[at] ?? -1) {
			if (tail === -1 && isBeside(columns, at)) tail = columns.level[at] ?? 0;
			add(at);
		}
		path.reverse();
		for (let at = columns.main[index] ?? -1; at !== -1; at = columns.main[at] ?? -1) add(at);
		return { entries: path, tail };
	}

	#entry(index: number): SessionEntry | undefined {
		return this.columns.session.entries[index];
	}
}
