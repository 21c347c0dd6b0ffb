import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { IdColumn } from "./id-column.ts";
import { NumberColumn, PART_NUMBERS } from "./number-column.ts";

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
	/** Entry ids; "" where the file gives none (version 1). */
	readonly ids = new IdColumn();
	/** 1-based, ascending. */
	readonly lines = new NumberColumn();
	/** Places of the lines' first bytes in the file. */
	readonly offsets = new NumberColumn();
	/** Index of the parent; -1 for a root. */
	readonly parents = new NumberColumn();
	/** What the entry's answer cost in dollars; 0 for most. */
	readonly costs = new NumberColumn();
	/** What the entry's answer took in tokens; 0 for most. */
	readonly tokens = new NumberColumn();
	/** Parents that were not the entry just before: looked for when all entries are there. */
	readonly #open = new Map<number, string>();

	static unpack(packed: Uint8Array): EntryList {
		const list = new EntryList();
		const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
		for (let start = 4; start < packed.length; ) {
			const end = start + view.getUint32(start - 4, true);
			list.#unpackPart(zstdDecompressSync(packed.subarray(start, end)));
			start = end + 4;
		}
		return list;
	}

	/**
	 * For the index; `resolve` comes first. Part by part, each with its packed length before it, so that a long list is
	 * never there a second time.
	 */
	pack(): Buffer {
		const packed: Buffer[] = [];
		for (let part = 0; part * PART_NUMBERS < this.length; part++) {
			const bytes = zstdCompressSync(this.#packPart(part));
			const length = Buffer.alloc(4);
			length.writeUInt32LE(bytes.length);
			packed.push(length, bytes);
		}
		return Buffer.concat(packed);
	}

	get length(): number {
		return this.lines.length;
	}

	/** Takes the next entry. Without a parent named at all (version 1) it hangs on the entry before. */
	add(entry: ListedEntry): void {
		const index = this.length;
		const linear = entry.parentId === undefined || (index > 0 && entry.parentId === this.ids.at(index - 1));
		if (!linear && typeof entry.parentId === "string") this.#open.set(index, entry.parentId);
		this.ids.push(typeof entry.id === "string" ? entry.id : "");
		this.lines.push(entry.line);
		this.offsets.push(entry.offset);
		this.parents.push(linear ? index - 1 : -1);
		this.costs.push(entry.cost);
		this.tokens.push(entry.tokens);
	}

	/** Looks for the parents that are still open. One that is not in the file leaves its child a root. */
	resolve(): void {
		if (this.#open.size === 0) return;
		const wanted = new Set(this.#open.values());
		const found = new Map<string, number>();
		// Of entries with the same id the last one counts, as in pi.
		for (let index = 0; index < this.length; index++) {
			const id = this.ids.at(index);
			if (wanted.has(id)) found.set(id, index);
		}
		for (const [index, id] of this.#open) this.parents.set(index, found.get(id) ?? -1);
		this.#open.clear();
	}

	/** For each entry 1 when it is on the path from a root to the leaf (the last entry), else 0. */
	activePath(): Uint8Array {
		const active = new Uint8Array(this.length);
		for (let at = this.length - 1; at >= 0 && active[at] === 0; at = this.parents.at(at)) active[at] = 1;
		return active;
	}

	/** Index of the entry on the line; -1 when there is none. */
	indexOfLine(line: number): number {
		let low = 0;
		let high = this.length - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const at = this.lines.at(middle);
			if (at === line) return middle;
			if (at < line) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}

	get #numbers(): readonly NumberColumn[] {
		return [this.lines, this.offsets, this.parents, this.costs, this.tokens, this.ids.numbers];
	}

	/** How many entries, the columns one after the other, then the ids that are texts as JSON. */
	#packPart(part: number): Buffer {
		const start = part * PART_NUMBERS;
		const columns = this.#numbers.map((column) => column.part(part));
		const count = columns[0]?.length ?? 0;
		const texts: [number, string][] = [];
		for (let index = start; index < start + count && this.ids.texts.size > 0; index++) {
			const text = this.ids.texts.get(index);
			if (text !== undefined) texts.push([index, text]);
		}
		const head = Buffer.alloc(4);
		head.writeUInt32LE(count);
		const numbers = columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength));
		return Buffer.concat([head, ...numbers, Buffer.from(JSON.stringify(texts))]);
	}

	#unpackPart(bytes: Buffer): void {
		const width = bytes.readUInt32LE(0) * Float64Array.BYTES_PER_ELEMENT;
		let at = 4;
		for (const column of this.#numbers) {
			// A copy, because the numbers of a view must lie at a multiple of eight.
			column.addPart(new Float64Array(Uint8Array.from(bytes.subarray(at, at + width)).buffer));
			at += width;
		}
		// Written by `#packPart`.
		for (const [index, id] of JSON.parse(bytes.toString("utf8", at)) as [number, string][])
			this.ids.texts.set(index, id);
	}
}
