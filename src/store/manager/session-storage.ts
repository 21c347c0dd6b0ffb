import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { storeError } from "../files/store-error.ts";
import type { FileEntry, SessionEntry } from "../format/schema.ts";
import type { Span, Spans } from "../read/byte-spans.ts";
import { type LoadedFile, loadFile } from "../read/load-file.ts";
import { appendLines } from "../write/append.ts";
import { type Copy, copiedLines, lineOf } from "../write/entry-text.ts";
import { migrateAndAppend } from "../write/migrate-file.ts";
import { writeNewFile } from "../write/new-file.ts";

const NO_SPANS: Spans = { get: () => undefined };

/** The file of one session: not yet made, or on disk. A method that throws leaves it as it was. */
export class SessionStorage {
	/** Absolute path. */
	readonly path: string;
	#written = false;
	/** The file is of an older version; the first append migrates it. */
	#outdated = false;
	/** Size in bytes when we last read or wrote it; a shorter file has been replaced by another program. */
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

	/** Makes the file, and its directory, of lines that end in `\n`. An empty file that already exists is filled. */
	create(lines: Iterable<string | Uint8Array>): void {
		if (isEmptyFile(this.path)) {
			const content = Buffer.concat([...lines].map((line) => Buffer.from(line)));
			this.#size = appendLines(this.path, [content.toString("utf8").trimEnd()]);
		} else {
			makeDirectory(dirname(this.path));
			this.#size = writeNewFile(this.path, lines, "create the session");
		}
		this.#written = true;
	}

	/** Appends an entry; `all`: the entries in memory before it, header first. */
	append(entry: SessionEntry, all: readonly FileEntry[]): void {
		const line = JSON.stringify(entry);
		if (!this.#outdated) {
			this.#size = appendLines(this.path, [line], this.#size);
			return;
		}
		this.#size = migrateAndAppend(this.path, [line], entry.parentId === null ? [] : [entry.parentId]);
		this.#outdated = false;
		this.takeSpansFromFile(all);
	}

	/** The lines of copied entries of this session, as they are written in its file. */
	linesOf(copies: readonly Copy[]): Iterable<string | Uint8Array> {
		return this.#written
			? copiedLines(this.path, copies, { get: (entry) => this.#spans.get(entry) }, this.#outdated)
			: copies.map(({ entry }) => lineOf(entry));
	}

	/** The file has just been written with these entries: their byte spans are read from it when they are needed. */
	takeSpansFromFile(all: readonly FileEntry[]): void {
		this.#spans = {
			get: (entry) => {
				this.#spans = this.#spansOf(all);
				return this.#spans.get(entry);
			},
		};
	}

	#spansOf(all: readonly FileEntry[]): Spans {
		const loaded = loadFile(this.path);
		const spans = new Map<object, Span>();
		for (const [index, entry] of (loaded?.entries ?? []).entries()) {
			const ours = all[index];
			const span = loaded?.spans.get(entry);
			if (ours !== undefined && ours.id === entry.id && span !== undefined) spans.set(ours, span);
		}
		return spans;
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
