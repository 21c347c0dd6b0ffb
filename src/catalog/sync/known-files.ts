import type { IndexTable, KnownFile, StoredScan } from "../index/session-table.ts";
import type { SessionRow } from "../model/row.ts";
import type { Fingerprint } from "../scan/fingerprint.ts";
import type { Scan } from "../scan/scan-file.ts";
import type { ScanState } from "../scan/scan-state.ts";

export interface FileScan extends Scan {
	readonly path: string;
}

/** What is known about all files: their stamps in memory, everything else in the index, if there is one. */
export class KnownFiles {
	readonly #table: IndexTable | undefined;
	readonly #files: Map<string, KnownFile>;
	readonly #unstored = new Map<string, StoredScan>();

	constructor(table: IndexTable | undefined) {
		this.#table = table;
		this.#files = table?.files() ?? new Map();
	}

	get files(): ReadonlyMap<string, KnownFile> {
		return this.#files;
	}

	/** The scans that `flush` would store, by path. */
	get unstored(): ReadonlyMap<string, StoredScan> {
		return this.#unstored;
	}

	/** Where reading of a file can continue; undefined if it must be read from the start. */
	stateOf({ path, id }: KnownFile): (Fingerprint & { readonly state: ScanState }) | undefined {
		return this.#unstored.get(path) ?? (id === undefined ? undefined : this.#table?.stateOf(id));
	}

	rowOf({ id }: KnownFile): SessionRow | undefined {
		return id === undefined ? undefined : this.#table?.rowOf(id);
	}

	/** The same files without the index, which is no longer used. */
	withoutIndex(): KnownFiles {
		const copy = new KnownFiles(undefined);
		for (const [path, { id: _, ...file }] of this.#files) copy.#files.set(path, file);
		return copy;
	}

	/** Remembers a scan; the next `flush` stores it. */
	add(scan: FileScan): void {
		const { path, stamp, state } = scan;
		this.#files.set(path, { ...stamp, path, id: this.#files.get(path)?.id });
		// A file that was read whole is stored as that, even if it has grown since.
		const isWhole = scan.isWhole || this.#unstored.get(path)?.isWhole === true;
		// Without a state the file could not be read. Not stored, so that the next start tries again.
		if (state && this.#table) this.#unstored.set(path, { ...scan, state, isWhole });
		else this.#unstored.delete(path);
	}

	flush(): void {
		if (!this.#table || this.#unstored.size === 0) return;
		const scans = [...this.#unstored.values()];
		this.#unstored.clear();
		for (const { path, id } of this.#table.store(scans)) {
			const file = this.#files.get(path);
			if (file) this.#files.set(path, { ...file, id });
		}
	}

	remove(paths: readonly string[]): void {
		if (paths.length === 0) return;
		const ids = paths.map((path) => this.#files.get(path)?.id).filter((id) => id !== undefined);
		for (const path of paths) {
			this.#files.delete(path);
			this.#unstored.delete(path);
		}
		this.#table?.remove(ids);
	}
}
