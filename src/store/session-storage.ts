import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { appendLines } from "./append.ts";
import { type Copy, copiedLines, lineOf } from "./entry-text.ts";
import { type LoadedFile, loadFile, type Spans } from "./load-file.ts";
import { migrateAndAppend } from "./migrate-file.ts";
import { writeNewFile } from "./new-file.ts";
import type { FileEntry, SessionEntry } from "./schema.ts";
import { storeError } from "./store-error.ts";

const NO_SPANS: Spans = { get: () => undefined };

/** The file of one session: not yet made, or on disk. Every method leaves it as it was when it throws. */
export class SessionStorage {
	/** Absolute path. */
	readonly path: string;
	#written = false;
	/** The file is of an older version; it is brought up to date with the first append. */
	#outdated = false;
	/** Bytes after our last look; a shorter file was replaced by someone. */
	#size = 0;
	#spans: Spans = NO_SPANS;

	constructor(path: string, loaded?: LoadedFile) {
		this.path = path;
		if (loaded === undefined) return;
		this.#written = true;
		this.#outdated = loaded.migration.changed;
		this.#size = loaded.size;
		this.#spans = loaded.spans;
	}

	/** Whether the session is in its file. */
	get isWritten(): boolean {
		return this.#written;
	}

	/** Makes the file, directory included, with all its entries. An empty file that is there already is filled. */
	create(entries: readonly FileEntry[]): void {
		this.createFrom(entries.map(lineOf));
	}

	/** The same from lines that end in `\n`. */
	createFrom(lines: Iterable<string>): void {
		if (isEmptyFile(this.path)) {
			this.#size = appendLines(
				this.path,
				[...lines].map((line) => line.slice(0, -1)),
			);
		} else {
			makeDirectory(dirname(this.path));
			this.#size = writeNewFile(this.path, lines, "create the session");
		}
		this.#written = true;
	}

	/** Appends an entry; `all` are the entries in memory before it, header first. */
	append(entry: SessionEntry, all: readonly FileEntry[]): void {
		const line = JSON.stringify(entry);
		if (!this.#outdated) {
			this.#size = appendLines(this.path, [line], this.#size);
			return;
		}
		this.#size = migrateAndAppend(this.path, [line], entry.parentId === null ? [] : [entry.parentId]);
		this.#outdated = false;
		this.refreshSpans(all);
	}

	/** The lines of copies of this session's entries, as they are written in its file. */
	linesOf(copies: readonly Copy[]): Iterable<string> {
		return this.#written ? copiedLines(this.path, copies, this.#spans) : copies.map(({ entry }) => lineOf(entry));
	}

	/** Notes where the entries in memory stand in the file that was just written. */
	refreshSpans(all: readonly FileEntry[]): void {
		const loaded = loadFile(this.path);
		const places = new WeakMap<object, NonNullable<ReturnType<Spans["get"]>>>();
		for (const [index, entry] of (loaded?.entries ?? []).entries()) {
			const ours = all[index];
			const span = loaded?.spans.get(entry);
			if (ours !== undefined && ours.id === entry.id && span !== undefined) places.set(ours, span);
		}
		this.#spans = places;
	}
}

function isEmptyFile(path: string): boolean {
	const stats = statSync(path, { throwIfNoEntry: false });
	return stats?.isFile() === true && stats.size === 0;
}

function makeDirectory(dir: string): void {
	try {
		mkdirSync(dir, { recursive: true });
	} catch (error) {
		throw storeError(dir, "make the session directory", error);
	}
}
