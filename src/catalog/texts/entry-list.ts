import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

interface Columns {
	/** Entry ids; "" where the file gives none (version 1). */
	readonly ids: string[];
	/** 1-based, ascending. */
	readonly lines: number[];
	/** Places of the lines' first bytes in the file. */
	readonly offsets: number[];
	/** Index of the parent; -1 for a root. */
	readonly parents: number[];
	/** What the entry's answer cost in dollars; 0 for most. */
	readonly costs: number[];
	/** What the entry's answer took in tokens; 0 for most. */
	readonly tokens: number[];
}

export interface ListedEntry {
	readonly id: unknown;
	readonly parentId: unknown;
	readonly line: number;
	readonly offset: number;
	readonly cost: number;
	readonly tokens: number;
}

/** The entries of one session in file order, as columns, because a session may have a million of them. */
export class EntryList {
	readonly columns: Columns;
	/** Parents that were not the entry just before: looked for when all entries are there. */
	readonly #open = new Map<number, string>();

	constructor(columns: Columns = { ids: [], lines: [], offsets: [], parents: [], costs: [], tokens: [] }) {
		this.columns = columns;
	}

	static unpack(packed: Uint8Array): EntryList {
		const bytes = zstdDecompressSync(packed);
		const count = bytes.readUInt32LE(0);
		const width = count * Float64Array.BYTES_PER_ELEMENT;
		const column = (index: number) => {
			// A copy, because the numbers of a view must lie at a multiple of eight.
			const part = Uint8Array.from(bytes.subarray(4 + index * width, 4 + (index + 1) * width));
			return Array.from(new Float64Array(part.buffer));
		};
		const [lines = [], offsets = [], parents = [], costs = [], tokens = []] = [0, 1, 2, 3, 4].map(column);
		// Written by `pack`.
		const ids = JSON.parse(bytes.toString("utf8", 4 + 5 * width)) as string[];
		return new EntryList({ ids, lines, offsets, parents, costs, tokens });
	}

	/** For the index; `resolve` comes first. As numbers, not as JSON, which would take several times the memory. */
	pack(): Buffer {
		const { ids, lines, offsets, parents, costs, tokens } = this.columns;
		const count = Buffer.alloc(4);
		count.writeUInt32LE(ids.length);
		const columns = [lines, offsets, parents, costs, tokens].map((column) =>
			Buffer.from(Float64Array.from(column).buffer),
		);
		return zstdCompressSync(Buffer.concat([count, ...columns, Buffer.from(JSON.stringify(ids))]));
	}

	get length(): number {
		return this.columns.ids.length;
	}

	/** Takes the next entry. Without a parent named at all (version 1) it hangs on the entry before. */
	add(entry: ListedEntry): void {
		const { ids, lines, offsets, parents, costs, tokens } = this.columns;
		const index = ids.length;
		const linear = entry.parentId === undefined || (index > 0 && entry.parentId === ids[index - 1]);
		if (!linear && typeof entry.parentId === "string") this.#open.set(index, entry.parentId);
		ids.push(typeof entry.id === "string" ? entry.id : "");
		lines.push(entry.line);
		offsets.push(entry.offset);
		parents.push(linear ? index - 1 : -1);
		costs.push(entry.cost);
		tokens.push(entry.tokens);
	}

	/** Looks for the parents that are still open. One that is not in the file leaves its child a root. */
	resolve(): void {
		if (this.#open.size === 0) return;
		const wanted = new Set(this.#open.values());
		const found = new Map<string, number>();
		// Of entries with the same id the last one counts, as in pi.
		for (const [index, id] of this.columns.ids.entries()) if (wanted.has(id)) found.set(id, index);
		for (const [index, id] of this.#open) this.columns.parents[index] = found.get(id) ?? -1;
		this.#open.clear();
	}

	/** For each entry 1 when it is on the path from a root to the leaf (the last entry), else 0. */
	activePath(): Uint8Array {
		const active = new Uint8Array(this.length);
		for (let at = this.length - 1; at >= 0 && active[at] === 0; at = this.columns.parents[at] ?? -1) active[at] = 1;
		return active;
	}

	/** Index of the entry on the line; -1 when there is none. */
	indexOfLine(line: number): number {
		const { lines } = this.columns;
		let low = 0;
		let high = lines.length - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const at = lines[middle] ?? 0;
			if (at === line) return middle;
			if (at < line) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}
}
