import { runToEnd, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { columnsOf, extendColumns, indexAt, isBeside, type OutlineColumns, sizeAt } from "./outline-columns.ts";

/**
 * The shape of a session, before any filter: which of several children the conversation goes on with, how much there is
 * below an entry, and in which order all entries are drawn. It grows with its session: keep what it says, not the outline.
 */
export interface Outline {
	/** The same facts by index, for what goes through all entries. */
	readonly columns: OutlineColumns;
	/** How many ancestors an entry has: its index in every path from its root; -1 when there is none with this id. */
	level(id: string): number;
	/** Whether an entry is on the path from the leaf to its root. */
	isActive(id: string): boolean;
	/** Entries in the subtree, the entry itself included; 0 when there is none with this id. */
	size(id: string): number;
	/** The child that goes on straight below: the active one, else the one with the most entries. Without an id: of the roots. */
	mainChild(id: string | undefined): SessionEntry | undefined;
	/** Whether an entry begins a branch beside the line of its parent: a child of a fork, or one of several roots. */
	isBranch(id: string): boolean;
	/** The first entry of the line that an entry is on: where its branch begins, or the root. */
	lineStart(id: string): SessionEntry | undefined;
	/**
	 * The path through an entry: from its root to it, and on along main children to the end. The same list while it stays so,
	 * and for every entry from which it goes on alike.
	 */
	pathThrough(id: string): readonly SessionEntry[];
}

/** By the list of a session's entries, which stays the same list when the session grows. */
const outlines = new WeakMap<readonly SessionEntry[], KnownOutline>();

/** The outline of a session, remembered. Where the session grows by entries that go on from its leaf, it is extended. */
export function outlineOf(session: Session): Outline {
	return runToEnd(outlineSteps(session));
}

/** The same in steps, for a session that may be large and was not asked for before. */
export function* outlineSteps(session: Session): Steps<Outline> {
	const { entries } = session;
	const known = outlines.get(entries);
	if (known !== undefined && extendColumns(known.columns, session)) return known;
	const outline = new KnownOutline(yield* columnsOf(session));
	outlines.set(entries, outline);
	return outline;
}

interface Path {
	readonly entries: readonly SessionEntry[];
	/** From this place on each entry is the main child of the one before: the path is the same through all of these. */
	readonly tail: number;
}

class KnownOutline implements Outline {
	readonly columns: OutlineColumns;
	#path: Path = { entries: [], tail: 0 };

	constructor(columns: OutlineColumns) {
		this.columns = columns;
	}

	level(id: string): number {
		const index = indexAt(this.columns, id);
		return index === -1 ? -1 : (this.columns.level[index] ?? -1);
	}

	isActive(id: string): boolean {
		return this.columns.active[indexAt(this.columns, id)] === 1;
	}

	size(id: string): number {
		return sizeAt(this.columns, indexAt(this.columns, id));
	}

	mainChild(id: string | undefined): SessionEntry | undefined {
		const { main, mainRoot } = this.columns;
		return this.#entry(id === undefined ? mainRoot : (main[indexAt(this.columns, id)] ?? -1));
	}

	isBranch(id: string): boolean {
		const index = indexAt(this.columns, id);
		return index !== -1 && isBeside(this.columns, index);
	}

	lineStart(id: string): SessionEntry | undefined {
		const { columns } = this;
		let at = indexAt(columns, id);
		for (let above = at; above !== -1 && !isBeside(columns, at); above = columns.parent[at] ?? -1) at = above;
		return this.#entry(at);
	}

	pathThrough(id: string): readonly SessionEntry[] {
		const index = indexAt(this.columns, id);
		if (index === -1) return [];
		if (!this.#isOnPath(index)) this.#path = this.#findPath(index);
		return this.#path.entries;
	}

	/** Whether the path that was found last goes through this entry, on along main children, to its end. */
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
		for (let at = index; at !== -1; at = columns.parent[at] ?? -1) {
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
