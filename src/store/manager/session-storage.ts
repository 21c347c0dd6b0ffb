import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { runSteps, type Steps } from "../../shared/steps.ts";
import { storeError } from "../files/store-error.ts";
import type { FileEntry, SessionEntry } from "../format/schema.ts";
import type { Span, Spans } from "../read/byte-spans.ts";
import { type LoadedFile, loadFile } from "../read/load-file.ts";
import { appendLines } from "../write/append.ts";
import { type Copy, copiedLines, lineOf } from "../write/entry-text.ts";
import { migrateAndAppend } from "../write/migrate-file.ts";
import { newFileSteps } from "../write/new-file.ts";

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
		runSteps(this.createSteps(entries.map(lineOf)));
	}

	/** The same in steps, from lines that end in `\n`. */
	*createSteps(lines: Iterable<string | Uint8Array>): Steps<void> {
		if (isEmptyFile(this.path)) {
			const content = Buffer.concat([...lines].map((line) => Buffer.from(line)));
			this.#size = appendLines(this.path, [content.toString("utf8").trimEnd()]);
		} else {
			makeDirectory(dirname(this.path));
			this.#size = yield* newFileSteps(this.path, lines, "create the session");
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
		this.takeSpansFromFile(all);
	}

	/** The lines of copies of this session's entries, as they are written in its file. */
	linesOf(copies: readonly Copy[]): Iterable<string | Uint8Array> {
		return this.#written
			? copiedLines(this.path, copies, { get: (entry) => this.#spans.get(entry) }, this.#outdated)
			: copies.map(({ entry }) => lineOf(entry));
	}

	/** The file was just written with these entries: where they stand in it is looked up when it is needed. */
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
		const sessionRoots = new Map<object, Span>();
		for (const [index, entry] of (loaded?.entries ?? []).entries()) {
			const ours = all[index];
			const span = loaded?.spans.get(entry);
			if (ours !== undefined && ours.id === entry.id && span !== undefined) sessionRoots.set(ours, span);
		}
		return sessionRoots;
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
