import { widenColumns } from "../../shared/columns.ts";
import { MapView } from "../../shared/maps.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../format/schema.ts";
import { applyLabel, nameIn, type ResolvedLabel, type SessionTree, sortByTime } from "./tree.ts";

const NONE = -1;
const BY_ENTRY = ["line", "first", "last", "next"] as const;

/**
 * The entries of a session without oddities: ids are unique, parents come before their children. It needs one map, where a
 * `SessionTree` of such a session otherwise needs four, and an array for each parent: with a hundred thousand entries,
 * building those took longer than reading the file.
 */
export class EntryTable {
	readonly entries: SessionEntry[] = [];
	readonly #indexes = new Map<string, number>();
	readonly #roots: SessionEntry[] = [];
	readonly #labels = new Map<string, ResolvedLabel>();
	#name: string | undefined;
	/** Index of the last lookup. */
	#near = 0;
	/** Indexes of entries that are roots although they name a parent. */
	readonly #cut = new Set<number>();
	readonly #columns = {
		/** 1-based. */
		line: new Int32Array(0),
		/** The first and the last child, and the next child of the same parent, in file order. */
		first: new Int32Array(0),
		last: new Int32Array(0),
		next: new Int32Array(0),
	};

	/** Adds the next entry, which is on this line. False, and nothing is added, if its id is taken or its parent does not exist. */
	add(entry: SessionEntry, line: number): boolean {
		const parent = entry.parentId === null ? NONE : this.#parentIndex(entry.parentId);
		if (parent === undefined || this.#indexes.has(entry.id)) return false;
		this.#add(entry, line, parent);
		return true;
	}

	#add(entry: SessionEntry, line: number, parent: number): void {
		const index = this.entries.length;
		this.entries.push(entry);
		this.#indexes.set(entry.id, index);
		this.#link(index, parent);
		this.#columns.line[index] = line;
		if (parent === NONE) this.#roots.push(entry);
		if (entry.type === "label") applyLabel(this.#labels, entry);
		else if (entry.type === "session_info") this.#name = nameIn(entry);
	}

	/**
	 * The table of all these entries, which are on these lines, and those of them that are roots because their parent is missing
	 * or is the entry itself. Undefined if ids are not unique or a parent comes after its child.
	 */
	static *of(
		entries: readonly SessionEntry[],
		lines: readonly number[],
	): Steps<{ readonly table: EntryTable; readonly odd: readonly SessionEntry[] } | undefined> {
		const table = new EntryTable();
		const odd: SessionEntry[] = [];
		for (const [index, entry] of entries.entries()) {
			if (index % ENTRIES_PER_STEP === 0) yield;
			const line = lines[index] ?? 0;
			if (table.add(entry, line)) continue;
			if (table.#indexes.has(entry.id)) return undefined;
			odd.push(entry);
			table.#add(entry, line, NONE);
			table.#cut.add(index);
		}
		for (const { id, parentId } of odd) if (parentId !== id && table.#indexes.has(parentId ?? "")) return undefined;
		return { table, odd };
	}

	/** Usually the parent is the entry before. */
	#parentIndex(id: string): number | undefined {
		const last = this.entries.length - 1;
		return this.entries[last]?.id === id ? last : this.#indexes.get(id);
	}

	#link(index: number, parent: number): void {
		const columns = this.#columns;
		widenColumns(columns, BY_ENTRY, index + 1);
		columns.first[index] = NONE;
		columns.last[index] = NONE;
		columns.next[index] = NONE;
		if (parent === NONE) return;
		const before = columns.last[parent] ?? NONE;
		if (before === NONE) columns.first[parent] = index;
		else columns.next[before] = index;
		columns.last[parent] = index;
	}

	/** The tree of the present entries. Its maps include entries that are added later. */
	tree(): SessionTree {
		sortByTime(this.#roots);
		return {
			byId: new Lookup(this, (_, entry) => entry),
			roots: this.#roots,
			children: new Lookup(this, (index) => this.#childrenOf(index)),
			parentOf: new Lookup(this, (index, { parentId }) => (this.#cut.has(index) ? undefined : (parentId ?? undefined))),
			labels: this.#labels,
			leafId: this.entries.at(-1)?.id ?? null,
			name: this.#name,
		};
	}

	/** The line of each entry by its id. */
	lines(): ReadonlyMap<string, number> {
		return new Lookup(this, (index) => this.#columns.line[index]);
	}

	/**
	 * Fast for neighbors of the last lookup: walks ask for one entry after the other, and a map lookup is slow among a million.
	 */
	indexOf(id: string): number | undefined {
		const near = this.#near;
		if (this.entries[near]?.id === id) return near;
		const found = this.entries[near - 1]?.id === id ? near - 1 : this.#indexes.get(id);
		if (found !== undefined) this.#near = found;
		return found;
	}

	#childrenOf(index: number): readonly SessionEntry[] | undefined {
		const { first, next } = this.#columns;
		const children: SessionEntry[] = [];
		for (let at = first[index] ?? NONE; at !== NONE; at = next[at] ?? NONE) {
			const entry = this.entries[at];
			if (entry !== undefined) children.push(entry);
		}
		if (children.length > 1) sortByTime(children);
		return children.length === 0 ? undefined : children;
	}
}

const tables = new WeakMap<readonly SessionEntry[], EntryTable>();

/** Registers the table behind the tree of the session with this array of entries. */
export function noteTable(entries: readonly SessionEntry[], table: EntryTable): void {
	tables.set(entries, table);
}

/** The table behind a session's tree, for adding to it; undefined for a tree with maps of its own. */
export function tableOf({ entries }: { readonly entries: readonly SessionEntry[] }): EntryTable | undefined {
	return tables.get(entries);
}

/** A value computed for each entry of a table, by id; in file order. */
class Lookup<Value> extends MapView<string, Value> {
	readonly #table: EntryTable;
	readonly #compute: (index: number, entry: SessionEntry) => Value | undefined;

	constructor(table: EntryTable, compute: (index: number, entry: SessionEntry) => Value | undefined) {
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
