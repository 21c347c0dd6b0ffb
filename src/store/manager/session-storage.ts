import { statSync } from "node:fs";
import { printJson } from "../../shared/json.ts";
import { dirname } from "../../shared/paths.ts";
import { cannot, type StoreError } from "../files/store-error.ts";
import { FileIds } from "../format/file-ids.ts";
import type { FileEntry, SessionEntry } from "../format/schema.ts";
import { type LineSpan, type LineSpans, type LoadedFile, loadFile, loadOutline } from "../read/load-file.ts";
import type { EntryCopy } from "../tree/branch-path.ts";
import { appendLines, migrateAndAppend } from "../write/append.ts";
import { copiedLines, lineOf } from "../write/entry-text.ts";
import { makeDirectory, modeOfCopy, writeNewFile } from "../write/new-file.ts";

const NO_SPANS: LineSpans = { get: () => undefined };

/** The file of one session: not yet made, or on disk. A method that throws leaves it as it was. */
export class SessionStorage {
	/** Absolute path. */
	readonly path: string;
	#written = false;
	/** Whether the file is of an older version; the first append then migrates it. */
	#outdated = false;
	/** Size in bytes when we last read or wrote it; if the file is shorter, another program has replaced it. */
	#size = 0;
	#spans: LineSpans = NO_SPANS;
	#ids = new FileIds();
	/** Whether the entries in memory are outlines. */
	readonly #isOutline: boolean;
	/** The last entry when the file was loaded, if it has no id there, so that the next one may follow it without naming it. */
	#unnamedLeaf: string | undefined;

	constructor(path: string, loaded?: LoadedFile) {
		this.path = path;
		this.#isOutline = loaded?.isOutline === true;
		if (loaded === undefined) return;
		this.#written = true;
		this.#outdated = loaded.migration.isOutdated;
		this.#size = loaded.size;
		this.#spans = loaded.spans;
		this.#ids = loaded.ids;
		const last = loaded.entries.at(-1);
		if (last !== undefined && last.type !== "session" && this.#ids.inFile(last.id) === undefined) {
			this.#unnamedLeaf = last.id;
		}
	}

	get isWritten(): boolean {
		return this.#written;
	}

	/** The entry's bytes in the file; undefined if it was added since the file was read. */
	spanOf(entry: SessionEntry): LineSpan | undefined {
		return this.#spans.get(entry);
	}

	/**
	 * The id to write as the parent of an entry that continues from `parent`. Nearly always that is its own id; if the file has
	 * none for it, the nearest ancestor's, because the file is not rewritten to give an entry an id. If no entry of the path
	 * has one, the new entry names no parent, as in pi, and follows the last line: see `migrateSteps`.
	 * `path`: from the root to `parent`. `isChosen`: the caller chose to continue from exactly this entry.
	 * Throws a `StoreError` if nothing can be appended there.
	 */
	parentAfter(parent: SessionEntry, path: () => readonly SessionEntry[], isChosen: boolean): string {
		if (this.#ids.canBeParent(parent.id)) return parent.id;
		const nearest = path().findLast(({ id }) => this.#ids.canBeParent(id));
		if (nearest !== undefined && !isChosen) return nearest.id;
		const isLastLine = nearest === undefined && parent.id === this.#unnamedLeaf;
		if (this.#ids.inFile(parent.id) === undefined && !isLastLine) throw this.#nameless(parent.id);
		return parent.id;
	}

	/** Throws a `StoreError` if the file has no id for the entry, so that nothing can refer to it. */
	requireId(id: string): void {
		if (this.#ids.inFile(id) === undefined) throw this.#nameless(id);
	}

	/**
	 * Makes the file, and its directory, of lines that end in `\n`; `source`: the storage of the session that they were
	 * taken from, whose mode the file gets. An existing empty file is filled.
	 */
	create(lines: Iterable<string | Uint8Array>, source?: SessionStorage): void {
		const stats = statSync(this.path, { throwIfNoEntry: false });
		if (stats?.isFile() && stats.size === 0) {
			const content = Buffer.concat([...lines].map((line) => Buffer.from(line)));
			this.#size = appendLines(this.path, [content.toString("utf8").trimEnd()]);
		} else {
			makeDirectory(dirname(this.path));
			const mode = source?.isWritten ? modeOfCopy(source.path) : undefined;
			this.#size = writeNewFile(this.path, lines, "create the session", { mode });
		}
		this.#written = true;
		if (source !== undefined) this.#ids = source.#ids.completed;
	}

	/** Appends an entry; `all`: the entries in memory before it, header first. */
	append(entry: SessionEntry, all: readonly FileEntry[]): void {
		const written = this.#ids.toFile(entry);
		const { parentId } = entry;
		if (parentId !== null && this.#ids.inFile(parentId) === undefined) delete written.parentId;
		const line = printJson(written);
		if (!this.#outdated) {
			this.#size = appendLines(this.path, [line], this.#size);
		} else {
			this.#size = migrateAndAppend(this.path, [line], parentId === null ? [] : [written.parentId]);
			this.#outdated = false;
			this.takeSpansFromFile(all);
		}
		this.#unnamedLeaf = undefined;
	}

	/** The lines of copied entries of this session, with their text in its file, then those of new entries. */
	*linesOf(copies: readonly EntryCopy[], added: readonly SessionEntry[]): Generator<string | Uint8Array> {
		if (this.#written) {
			const spans: LineSpans = { get: (entry) => this.#spans.get(entry) };
			const source = { path: this.path, spans, ids: this.#ids, isOutdated: this.#outdated };
			yield* copiedLines({ ...source, isOutline: this.#isOutline }, copies);
		} else {
			for (const { entry } of copies) yield lineOf(this.#ids.toFile(entry));
		}
		for (const entry of added) yield lineOf(this.#ids.toFile(entry));
	}

	/** The file was just written with these entries; their byte spans are read from it when they are needed. */
	takeSpansFromFile(all: readonly FileEntry[]): void {
		this.#spans = {
			get: (entry) => {
				this.#spans = this.#spansOf(all);
				return this.#spans.get(entry);
			},
		};
	}

	#nameless(id: string): StoreError {
		const reason = `the entry ${id} has no id in the file, so nothing there can refer to it; branch or fork the session into a new one, which gives its entries ids`;
		return cannot("append to the session", this.path, "no-id", reason);
	}

	#spansOf(all: readonly FileEntry[]): LineSpans {
		const loaded = this.#isOutline ? loadOutline(this.path) : loadFile(this.path);
		const spans = new Map<object, LineSpan>();
		for (const [index, entry] of (loaded?.entries ?? []).entries()) {
			const ours = all[index];
			const span = loaded?.spans.get(entry);
			if (ours !== undefined && ours.id === entry.id && span !== undefined) spans.set(ours, span);
		}
		return spans;
	}
}
