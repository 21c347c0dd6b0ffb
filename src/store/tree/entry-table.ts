import { MapView } from "../../shared/map-view.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { widenColumns } from "../../shared/widen.ts";
import type { SessionEntry } from "../format/schema.ts";
import { applyLabel, nameIn, type ResolvedLabel, type SessionTree, sortByTime } from "./tree.ts";

const NONE = -1;
const LINKS = ["first", "last", "next"] as const;

/**
 * The entries of a session in which nothing is odd: ids are unique, parents come before their children. One map finds all,
 * where a `SessionTree` of such a session otherwise needs four, and an array for each parent: with a hundred thousand
 * entries that was more than reading them.
 */
export class EntryTable {
	readonly entries: SessionEntry[] = [];
	readonly #indexes = new Map<string, number>();
	readonly #roots: SessionEntry[] = [];
	readonly #labels = new Map<string, ResolvedLabel>();
	#name: string | undefined;
	/** The entry that was asked for last. */
	#near = 0;
	/** Indexes of entries that are roots although they name a parent. */
	readonly #cut = new Set<number>();
	/** By index: the first and the last child, and the next child of the same parent; in file order. */
	readonly #links = { first: new Int32Array(0), last: new Int32Array(0), next: new Int32Array(0) };

	/** Adds the next entry; false, and nothing is added, where its id is taken or its parent is not there. */
	add(entry: SessionEntry): boolean {
		const parent = entry.parentId === null ? NONE : this.#parentIndex(entry.parentId);
		if (parent === undefined || this.#indexes.has(entry.id)) return false;
		this.#add(entry, parent);
		return true;
	}

	#add(entry: SessionEntry, parent: number): void {
		const index = this.entries.length;
		this.entries.push(entry);
		this.#indexes.set(entry.id, index);
		this.#link(index, parent);
		if (parent === NONE) this.#roots.push(entry);
		if (entry.type === "label") applyLabel(this.#labels, entry);
		else if (entry.type === "session_info") this.#name = nameIn(entry);
	}

	/**
	 * The table of all these entries, and those among them that are roots because their parent cannot be used: it is not
	 * there, or it is the entry itself. Undefined where ids are not unique or a parent comes after its child.
	 */
	static *of(
		entries: readonly SessionEntry[],
	): Steps<{ readonly table: EntryTable; readonly odd: readonly SessionEntry[] } | undefined> {
		const table = new EntryTable();
		const odd: SessionEntry[] = [];
		for (const [index, entry] of entries.entries()) {
			if (index % ENTRIES_PER_STEP === 0) yield;
			if (table.add(entry)) continue;
			if (table.#indexes.has(entry.id)) return undefined;
			odd.push(entry);
			table.#add(entry, NONE);
			table.#cut.add(index);
		}
		for (const { id, parentId } of odd) if (parentId !== id && table.#indexes.has(parentId ?? "")) return undefined;
		return { table, odd };
	}

	/** Mostly the parent is the entry before. */
	#parentIndex(id: string): number | undefined {
		const last = this.entries.length - 1;
		return this.entries[last]?.id === id ? last : this.#indexes.get(id);
	}

	#link(index: number, parent: number): void {
		const links = this.#links;
		widenColumns(links, LINKS, index + 1);
		links.first[index] = NONE;
		links.last[index] = NONE;
		links.next[index] = NONE;
		if (parent === NONE) return;
		const before = links.last[parent] ?? NONE;
		if (before === NONE) links.first[parent] = index;
		else links.next[before] = index;
		links.last[parent] = index;
	}

	/** The tree of the entries that are there now. Its maps show those that are added later too. */
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

	/** The line of each entry by its id, where the first entry is on this line and each further one on the next. */
	lines(first: number): ReadonlyMap<string, number> {
		return new Lookup(this, (index) => first + index);
	}

	/** The line of each entry by its id, where entries are on these lines. */
	linesOf(numbers: readonly number[]): ReadonlyMap<string, number> {
		return new Lookup(this, (index) => numbers[index]);
	}

	/** A walk along the entries asks for one after the other: with a million of them each look into the map would be slow. */
	indexOf(id: string): number | undefined {
		const near = this.#near;
		if (this.entries[near]?.id === id) return near;
		const found = this.entries[near - 1]?.id === id ? near - 1 : this.#indexes.get(id);
		if (found !== undefined) this.#near = found;
		return found;
	}

	#childrenOf(index: number): readonly SessionEntry[] | undefined {
		const { first, next } = this.#links;
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

/** Notes that the tree of a session with this list of entries is that of a table. */
export function noteTable(entries: readonly SessionEntry[], table: EntryTable): void {
	tables.set(entries, table);
}

/** The table whose tree a session has, to add to it; undefined for a tree of its own maps. */
export function tableOf({ entries }: { readonly entries: readonly SessionEntry[] }): EntryTable | undefined {
	return tables.get(entries);
}

/** What is so of the entries of a table, by their id; in file order. */
class Lookup<Value> extends MapView<string, Value> {
	readonly #table: EntryTable;
	readonly #tell: (index: number, entry: SessionEntry) => Value | undefined;

	constructor(table: EntryTable, tell: (index: number, entry: SessionEntry) => Value | undefined) {
		super();
		this.#table = table;
		this.#tell = tell;
	}

	get size(): number {
		return this.entries().reduce((count) => count + 1, 0);
	}

	get(id: string): Value | undefined {
		const index = this.#table.indexOf(id);
		const entry = index === undefined ? undefined : this.#table.entries[index];
		return index === undefined || entry === undefined ? undefined : this.#tell(index, entry);
	}

	*entries(): Generator<[string, Value], undefined> {
		for (const [index, entry] of this.#table.entries.entries()) {
			const value = this.#tell(index, entry);
			if (value !== undefined) yield [entry.id, value];
		}
	}
}
