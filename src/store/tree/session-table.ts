import { widenColumns } from "../../shared/columns.ts";
import { MapView } from "../../shared/maps.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../format/schema.ts";
import { applyLabel, nameIn, type ResolvedLabel } from "./labels.ts";
import { cutCycles, sortByTime } from "./parents.ts";

const NONE = -1;
const BY_ENTRY = ["line", "parent", "next"] as const;
const BY_PARENT = ["first", "last"] as const;

/**
 * The tree that the entries of a session form. Every entry is reached exactly once from the roots.
 * Unlike in `EntryIndex`, which follows pi, cycles are cut and children sorted.
 */
export interface SessionTree {
	/** The same by the index of an entry. */
	readonly table: SessionTable;
	readonly byId: ReadonlyMap<string, SessionEntry>;
	/** By time, oldest first; entries of the same time in file order. */
	readonly roots: readonly SessionEntry[];
	/** Children by parent id, sorted like the roots; entries without children are not in it. */
	readonly children: ReadonlyMap<string, readonly SessionEntry[]>;
	/** Parent id by id, without the edges that were cut, so that walking up always ends. */
	readonly parentOf: ReadonlyMap<string, string>;
	/** Labels by the id of their target; the last one in the file counts, an empty one removes the label. */
	readonly labels: ReadonlyMap<string, ResolvedLabel>;
	/** The last entry of the file, where pi continues. Null in a session without entries. */
	readonly leafId: string | null;
	/** The last `session_info` name, trimmed; undefined when never set or cleared. */
	readonly name: string | undefined;
}

/** Why an entry that names a parent is a root anyway. */
export type ParentOddity = "missing-parent" | "self-parent" | "parent-cycle";

/** A table, and those of its entries whose parents cannot be used. */
interface BuiltTable {
	readonly table: SessionTable;
	readonly oddities: readonly (readonly [oddity: ParentOddity, index: number])[];
}

/**
 * The tree of a session as columns by the index of an entry in file order; -1 stands for none. Ids are unique, and walking up
 * always ends: where parents form a cycle, the first of its entries is a root. It grows as entries are appended; columns are
 * replaced when it outgrows them.
 */
export class SessionTable {
	/** In file order. */
	readonly entries: SessionEntry[] = [];
	readonly #indexes = new Map<string, number>();
	readonly #labels = new Map<string, ResolvedLabel>();
	#name: string | undefined;
	/** Parents that are not in the file. */
	readonly #missing = new Set<string>();
	#isInOrder = true;
	/** Index of the last lookup. */
	#near = 0;
	readonly #columns = {
		/** 1-based. */
		line: new Int32Array(0),
		parent: new Int32Array(0),
		/** The next child of the same parent, in file order. */
		next: new Int32Array(0),
		/** The first and the last child, by the index of the parent plus 1: those of 0 are roots. */
		first: new Int32Array(1).fill(NONE),
		last: new Int32Array(1).fill(NONE),
	};

	/** The table of all these entries, which are on these lines. Of several with the same id only the last is in it. */
	static *of(entries: readonly SessionEntry[], lines: readonly number[]): Steps<BuiltTable> {
		const table = new SessionTable();
		const orphans: number[] = [];
		for (const [index, entry] of entries.entries()) {
			if (index % ENTRIES_PER_STEP === 0) yield;
			const line = lines[index] ?? 0;
			if (table.add(entry, line)) continue;
			if (table.#indexes.has(entry.id)) return yield* SessionTable.#ofLast(entries, lines);
			orphans.push(index);
			table.#push(entry, line, NONE);
		}
		return { table, oddities: yield* table.#adopt(orphans) };
	}

	static *#ofLast(entries: readonly SessionEntry[], lines: readonly number[]): Steps<BuiltTable> {
		const lastOf = new Map(entries.map(({ id }, index) => [id, index]));
		const indexes = [...entries.keys()].filter((index) => lastOf.get(entries[index]?.id ?? "") === index);
		const lasts = indexes.flatMap((index) => entries[index] ?? []);
		return yield* SessionTable.of(
			lasts,
			indexes.map((index) => lines[index] ?? 0),
		);
	}

	/** Links entries to parents that came after them; returns those that stay roots. */
	*#adopt(orphans: readonly number[]): Steps<BuiltTable["oddities"]> {
		const oddities: [ParentOddity, number][] = [];
		for (const index of orphans) {
			const parentId = this.entries[index]?.parentId ?? "";
			const parent = this.#indexes.get(parentId);
			if (parent === undefined) this.#missing.add(parentId);
			if (parent === undefined || parent === index)
				oddities.push([parent === index ? "self-parent" : "missing-parent", index]);
			else {
				this.#columns.parent[index] = parent;
				this.#isInOrder = false;
			}
		}
		if (this.#isInOrder) return oddities;
		for (const index of yield* cutCycles(this.#columns.parent, this.entries.length))
			oddities.push(["parent-cycle", index]);
		this.#columns.first.fill(NONE);
		this.#columns.last.fill(NONE);
		for (const index of this.entries.keys()) {
			if (index % ENTRIES_PER_STEP === 0) yield;
			this.#link(index, this.#columns.parent[index] ?? NONE);
		}
		return oddities;
	}

	/** Adds the next entry, which is on this line. False, and nothing is added, if its id is taken or its parent does not exist. */
	add(entry: SessionEntry, line: number): boolean {
		const parent = this.#parentIndex(entry.parentId);
		if (parent === undefined || this.#indexes.has(entry.id)) return false;
		this.#push(entry, line, parent);
		return true;
	}

	/** Whether an entry can be appended behind others with these ids, and no earlier entry has been waiting for it as its parent. */
	takes({ id, parentId }: SessionEntry, ids: ReadonlySet<string>): boolean {
		const hasParent = this.#parentIndex(parentId) !== undefined || ids.has(parentId ?? "");
		return hasParent && !this.#indexes.has(id) && !this.#missing.has(id);
	}

	#push(entry: SessionEntry, line: number, parent: number): void {
		const index = this.entries.length;
		const columns = this.#columns;
		widenColumns(columns, BY_ENTRY, index + 1);
		widenColumns(columns, BY_PARENT, index + 2);
		this.entries.push(entry);
		this.#indexes.set(entry.id, index);
		columns.line[index] = line;
		columns.first[index + 1] = NONE;
		columns.last[index + 1] = NONE;
		this.#link(index, parent);
		if (entry.type === "label") applyLabel(this.#labels, entry);
		else if (entry.type === "session_info") this.#name = nameIn(entry);
	}

	#link(index: number, parent: number): void {
		const { parent: parents, first, last, next } = this.#columns;
		parents[index] = parent;
		next[index] = NONE;
		const sibling = last[parent + 1] ?? NONE;
		if (sibling === NONE) first[parent + 1] = index;
		else next[sibling] = index;
		last[parent + 1] = index;
	}

	/** Usually the parent is the entry before. */
	#parentIndex(id: string | null): number | undefined {
		if (id === null) return NONE;
		const last = this.entries.length - 1;
		return this.entries[last]?.id === id ? last : this.#indexes.get(id);
	}

	/** By the index of an entry, that of its parent. */
	get parent(): Int32Array {
		return this.#columns.parent;
	}

	/** Whether each parent comes before its children in the file, as pi writes them. */
	get isInOrder(): boolean {
		return this.#isInOrder;
	}

	/**
	 * Fast for neighbors of the last lookup: walks ask for one entry after the other, and a map lookup is slow among a million.
	 */
	indexOf(id: string): number | undefined {
		const near = this.#near;
		if (this.entries[near]?.id === id) return near;
		const index = this.entries[near - 1]?.id === id ? near - 1 : this.#indexes.get(id);
		if (index !== undefined) this.#near = index;
		return index;
	}

	/** The children of the entry at an index, or the roots of -1, one after the other in file order: there may be very many. */
	*eachChildAt(index: number): Generator<number, void, undefined> {
		const { first, next } = this.#columns;
		for (let at = first[index + 1] ?? NONE; at !== NONE; at = next[at] ?? NONE) yield at;
	}

	/** All of them by time, oldest first. */
	childrenAt(index: number): readonly number[] {
		const { first, next } = this.#columns;
		const children: number[] = [];
		for (let at = first[index + 1] ?? NONE; at !== NONE; at = next[at] ?? NONE) children.push(at);
		if (children.length > 1) sortByTime(children, (at) => this.entries[at]?.timestamp);
		return children;
	}

	/** The entries from the one with this id up to its root; none for null, or where there is no such entry. */
	*pathUp(id: string | null): Generator<SessionEntry, void, undefined> {
		const start = id === null ? undefined : this.indexOf(id);
		for (let at = start ?? NONE; at !== NONE; at = this.#columns.parent[at] ?? NONE) {
			const entry = this.entries[at];
			if (entry !== undefined) yield entry;
		}
	}

	/** Index of the last entry that is not behind this line of the file. */
	upToLine(line: number): number {
		let [low, high] = [0, this.entries.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#columns.line[middle] ?? 0) <= line) low = middle + 1;
			else high = middle;
		}
		return low - 1;
	}

	/** The line of each entry by its id. */
	lines(): ReadonlyMap<string, number> {
		return new Lookup(this, (index) => this.#columns.line[index]);
	}

	/** The tree of the present entries. Its maps include entries that are added later. */
	tree(): SessionTree {
		const entriesAt = (indexes: readonly number[]) => indexes.flatMap((index) => this.entries[index] ?? []);
		return {
			table: this,
			byId: new Lookup(this, (_, entry) => entry),
			roots: entriesAt(this.childrenAt(NONE)),
			children: new Lookup(this, (index) =>
				this.#columns.first[index + 1] === NONE ? undefined : entriesAt(this.childrenAt(index)),
			),
			parentOf: new Lookup(this, (index) => this.entries[this.#columns.parent[index] ?? NONE]?.id),
			labels: this.#labels,
			leafId: this.entries.at(-1)?.id ?? null,
			name: this.#name,
		};
	}
}

/** Builds the tree in one go. Of several entries with the same id the last counts, as in pi. */
export function buildTree(entries: readonly SessionEntry[]): SessionTree {
	return runToEnd(SessionTable.of(entries, [])).table.tree();
}

/** The entries from the root to the one with this id; empty when there is none. */
export function pathTo({ table }: SessionTree, id: string): SessionEntry[] {
	return [...table.pathUp(id)].reverse();
}

/** A value computed for each entry of a table, by id; in file order. */
class Lookup<Value> extends MapView<string, Value> {
	readonly #table: SessionTable;
	readonly #compute: (index: number, entry: SessionEntry) => Value | undefined;

	constructor(table: SessionTable, compute: (index: number, entry: SessionEntry) => Value | undefined) {
		super();
		this.#table = table;
		this.#compute = compute;
	}

	get size(): number {
		return this.entries().reduce((count) => count + 1, 0);
	}

	get(id: string): Value | undefined {
		const index = this.#table.indexOf(id);
		const entry = index === undefined ? undefined : this.#table.entries[index];
		return index === undefined || entry === undefined ? undefined : this.#compute(index, entry);
	}

	*entries(): Generator<[string, Value], undefined> {
		for (const [index, entry] of this.#table.entries.entries()) {
			const value = this.#compute(index, entry);
			if (value !== undefined) yield [entry.id, value];
		}
	}
}
