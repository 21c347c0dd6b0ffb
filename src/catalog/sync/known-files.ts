import { isUnreadable } from "../../store/format/diagnostic.ts";
import type { FileScan, IndexTable, KnownFile } from "../index/session-table.ts";
import type { SessionRow } from "../model/row.ts";

/** What is known about all files: their stamps in memory, everything else in the index, if there is one. */
export class KnownFiles {
	readonly #table: IndexTable | undefined;
	readonly #files: Map<string, KnownFile>;
	readonly #unstored = new Map<string, FileScan>();

	constructor(table: IndexTable | undefined) {
		this.#table = table;
		this.#files = table?.files() ?? new Map();
	}

	get files(): ReadonlyMap<string, KnownFile> {
		return this.#files;
	}

	/** The scans that `flush` would store, by path. */
	get unstored(): ReadonlyMap<string, FileScan> {
		return this.#unstored;
	}

	rowOf({ path, id }: KnownFile): SessionRow | undefined {
		return this.#unstored.get(path)?.row ?? (id === undefined ? undefined : this.#table?.rowOf(id));
	}

	/** Remembers a scan; the next `flush` stores it. */
	add(scan: FileScan): void {
		const { path, stamp, row } = scan;
		this.#files.set(path, { ...stamp, path, id: this.#files.get(path)?.id });
		// A file that could not be read is not stored, so that the next start tries again.
		if (this.#table && !isUnreadable(row.diagnostics)) this.#unstored.set(path, scan);
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
