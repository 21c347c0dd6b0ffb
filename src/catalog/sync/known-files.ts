import type { KnownFile, SessionTable, StoredScan } from "../index/session-table.ts";
import type { SessionRow } from "../model/row.ts";
import type { Fingerprint } from "../scan/fingerprint.ts";
import type { Scan } from "../scan/scan-file.ts";
import type { ScanState } from "../scan/scan-state.ts";

export interface FileScan extends Scan {
	readonly path: string;
}

/** What is known about all files: their stamps in memory, everything else in the index, if there is one. */
export class KnownFiles {
	readonly #table: SessionTable | undefined;
	readonly #known: Map<string, KnownFile>;
	/** By path. */
	readonly #unstored = new Map<string, StoredScan>();

	constructor(table: SessionTable | undefined) {
		this.#table = table;
		this.#known = table?.files() ?? new Map();
	}

	get(path: string): KnownFile | undefined {
		return this.#known.get(path);
	}

	get size(): number {
		return this.#known.size;
	}

	/** Number of scans that `flush` would store. */
	get unstored(): number {
		return this.#unstored.size;
	}

	/** Whether `flush` would store a scan of this file. */
	isUnstored(path: string): boolean {
		return this.#unstored.has(path);
	}

	/** The stamps of all files, by path. */
	get stamps(): ReadonlyMap<string, KnownFile> {
		return this.#known;
	}

	all(): KnownFile[] {
		return [...this.#known.values()];
	}

	/** Where reading of a file can continue; undefined if it must be read from the start. */
	stateOf({ path, id }: KnownFile): (Fingerprint & { readonly state: ScanState }) | undefined {
		return this.#unstored.get(path) ?? (id === undefined ? undefined : this.#table?.stateOf(id));
	}

	/** The row of a file, if it is stored. */
	rowOf({ id }: KnownFile): SessionRow | undefined {
		return id === undefined ? undefined : this.#table?.rowOf(id);
	}

	/** The same files without the index, which is no longer used. */
	withoutIndex(): KnownFiles {
		const known = new KnownFiles(undefined);
		for (const [path, { id: _, ...file }] of this.#known) known.#known.set(path, file);
		return known;
	}

	/** Remembers a scan; the next `flush` stores it. */
	add(scan: FileScan): void {
		const { path, stamp, state } = scan;
		this.#known.set(path, { ...stamp, path, id: this.#known.get(path)?.id });
		// Without a state the file could not be read. Not stored, so that the next start tries again.
		// A file that was read whole is stored as that, even if it has grown since.
		const isWhole = scan.isWhole || this.#unstored.get(path)?.isWhole === true;
		if (state && this.#table) this.#unstored.set(path, { ...scan, state, isWhole });
		else this.#unstored.delete(path);
	}

	/** Stores the scans that were added since the last time. */
	flush(): void {
		if (!this.#table || this.#unstored.size === 0) return;
		const scans = [...this.#unstored.values()];
		this.#unstored.clear();
		for (const { path, id } of this.#table.store(scans)) {
			const known = this.#known.get(path);
			if (known) this.#known.set(path, { ...known, id });
		}
	}

	remove(paths: readonly string[]): void {
		if (paths.length === 0) return;
		const ids = paths.map((path) => this.#known.get(path)?.id).filter((id) => id !== undefined);
		for (const path of paths) {
			this.#known.delete(path);
			this.#unstored.delete(path);
		}
		this.#table?.remove(ids);
	}
}
