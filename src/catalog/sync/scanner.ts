import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { TimeSlice } from "../../shared/time-slice.ts";
import { type FileStamp, sameStamp } from "../../store/files/file-stamp.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { indexPath, openIndex, setAside } from "../index/open-index.ts";
import { rowToJson } from "../index/row-json.ts";
import {
	type KnownFile,
	lastChange,
	newestFiles,
	type RecentFile,
	readRows,
	SessionTable,
} from "../index/session-table.ts";
import { isDamage, isSqliteError } from "../index/sqlite-error.ts";
import type { CatalogEvent } from "../model/event.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";
import { scanFile } from "../scan/scan-file.ts";
import { type FoundFiles, findSessionFiles, type SessionFile } from "../scan/session-files.ts";
import type { CheckedRow } from "../stats/row-check.ts";
import { EventBatcher } from "./event-batcher.ts";
import { type FileScan, KnownFiles } from "./known-files.ts";
import { ReadQueue } from "./read-queue.ts";

export interface ScannerOptions {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	readonly emit: (event: CatalogEvent) => void;
	/** Called for each file that has been read because it has changed, but for those that a helper reads. */
	readonly onRead: (read: ReadFile) => void;
}

/** A file that was read because it has changed. */
export interface ReadFile {
	readonly path: string;
	/** The session's directory. */
	readonly cwd: string;
	/** Its size before, when the rest was only appended or it is the same; undefined when it is new or another one. */
	readonly from: number | undefined;
	readonly stamp: FileStamp;
}

/** Rows stored in one transaction; what is left is stored at the end of a comparison. */
const MAX_UNSTORED = 5000;

/** Keeps the list of sessions up to date: compares the disk with what is known, and reads what is new. */
export class Scanner {
	readonly #sessionRoots: SessionRoots;
	readonly #cacheDir: string;
	readonly #onRead: (read: ReadFile) => void;
	readonly #events: EventBatcher;
	readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	readonly #timeSlice = new TimeSlice();
	#known = new KnownFiles(undefined);
	#db: DatabaseSync | undefined;
	#temporary: string | undefined;
	/** Whether the last write to the index succeeded. */
	#storing = true;
	#closed = false;
	/** The files of the last comparison. */
	#queue: ReadQueue | undefined;
	#running: Promise<FoundFiles> | undefined;
	#next: Promise<FoundFiles> | undefined;

	constructor(options: ScannerOptions) {
		this.#sessionRoots = options.sessionRoots;
		this.#cacheDir = options.cacheDir;
		this.#onRead = options.onRead;
		this.#events = new EventBatcher(options.emit);
	}

	/** Shared by everything that works in this thread. */
	get timeSlice(): TimeSlice {
		return this.#timeSlice;
	}

	get events(): EventBatcher {
		return this.#events;
	}

	/** The open index; undefined when there is none. */
	get db(): DatabaseSync | undefined {
		return this.#db;
	}

	/**
	 * Opens the index and emits the rows that were written to it after the change `seen`. Returns the directory of the
	 * index: a temporary one if the cache cannot be written.
	 */
	async open(seen: number): Promise<string> {
		this.#events.problems("roots", this.#sessionRoots.problems);
		let { db, problems } = await openIndex(this.#cacheDir);
		this.#events.problems("index", problems);
		if (!db) {
			this.#temporary = mkdtempSync(join(tmpdir(), "pi-grove-index-"));
			({ db, problems } = await openIndex(this.#temporary));
		}
		const indexDir = this.#temporary ?? this.#cacheDir;
		this.#db = db;
		if (!db) return indexDir;
		this.#known = new KnownFiles(new SessionTable(db, rootOf(this.#sessionRoots)));
		if (lastChange(db) > seen) {
			for (const row of readRows(db, rootOf(this.#sessionRoots), { since: seen }))
				if (this.#events.add(row)) this.#events.flush();
			this.#events.flush();
		}
		return indexDir;
	}

	/** Stores what has been emitted. Separate from `refresh`, so that the list does not wait for the index. */
	store(): void {
		this.#attempt(() => this.#known.flush());
	}

	/**
	 * Compares all files with what is known, and reads and emits what differs, newest first; call `store` afterwards.
	 * Calls made during a comparison share the next one, because the running one may have passed the changed files.
	 */
	refresh(): Promise<FoundFiles> {
		if (this.#running) {
			this.#next ??= this.#running.then(() => this.refresh());
			return this.#next;
		}
		this.#next = undefined;
		this.#running = this.#refresh().finally(async () => {
			// Otherwise the helper would read on when this thread has failed.
			await this.#queue?.stop();
			this.#running = undefined;
		});
		return this.#running;
	}

	async #refresh(): Promise<FoundFiles> {
		let read = 0;
		let total = 0;
		const take = (scans: readonly FileScan[]) => {
			for (const scan of scans) this.#add(scan);
			read += scans.length;
			this.#events.progress(read, total);
		};
		this.#queue = new ReadQueue(take);
		const found = await this.#timeSlice.run(findSessionFiles(this.#sessionRoots, this.#expect(this.#queue)));
		this.#events.problems("files", found.problems);
		this.#forget(found);
		const changed = found.files.filter((file) => !sameStamp(this.#known.get(file.path), file));
		total = found.files.length;
		read = total - changed.length;
		this.#events.progress(read, total);
		this.#queue.begin(changed);
		for (let path = this.#queue.take(); path !== undefined; path = this.#queue.take()) {
			this.#read(path);
			read += 1;
			if (this.#closed) break;
			if (this.#timeSlice.shouldYield()) {
				this.#events.progress(read, total);
				await this.#timeSlice.yieldToEventLoop();
			}
			// Rarely: the list does not wait for the index, and a few large transactions cost less than many small ones.
			if (this.#known.unstored >= MAX_UNSTORED) this.#flush();
		}
		// `close` may have been called before the helper was started.
		if (this.#closed) await this.#queue.stop();
		await this.#queue.ended();
		this.#events.flush();
		this.#events.progress(read, total);
		return found;
	}

	/** A helper knows nothing about earlier scans, so only the first listing uses one. */
	#expect(queue: ReadQueue): (file: SessionFile) => void {
		return this.#known.size > 0 ? () => undefined : ({ size }) => queue.expect(size);
	}

	/** Reads these files if they differ from what is known, and reports those that no longer exist as gone. */
	readNow(paths: readonly string[]): void {
		const gone: string[] = [];
		for (const path of paths) {
			// A link may lead to a session that is listed under its own path; the next comparison finds out.
			const stats = lstatSync(path, { throwIfNoEntry: false });
			if (!stats) {
				if (this.#known.get(path)) gone.push(path);
			} else if (stats.isFile() && !sameStamp(this.#known.get(path), stats)) {
				this.#read(path);
			}
		}
		this.#flush();
		this.#attempt(() => this.#known.remove(gone));
		this.#events.gone(gone);
		this.#events.progress(this.#known.size, this.#known.size);
	}

	/** The most recently written sessions, newest first. */
	newest(): RecentFile[] {
		return this.#db ? newestFiles(this.#db, rootOf(this.#sessionRoots)) : [];
	}

	/** Corrects a row by what was found when every line was parsed, if the file is still the same. */
	correctRow(path: string, { size, mtimeMs, row, state }: CheckedRow): void {
		const known = this.#known.get(path);
		if (known?.size !== size || known.mtimeMs !== mtimeMs) return;
		this.#known.flush();
		const shown = this.#known.rowOf(known);
		if (!shown || rowToJson(shown) === rowToJson(row)) return;
		const fingerprint = this.#known.stateOf(known)?.fingerprint ?? "";
		this.#known.add({ path, stamp: known, row, state, fingerprint });
		this.#events.add(row);
		this.#flush();
	}

	/** Called when damage is found in the middle of work: sets the index aside and starts a new one. */
	async recover(): Promise<void> {
		this.#db?.close();
		this.#db = undefined;
		this.#known = new KnownFiles(undefined);
		const problem = setAside(this.#temporary ?? this.#cacheDir);
		await this.open(-1);
		this.#events.problems("index", [problem]);
		await this.refresh();
		this.store();
	}

	/** Ends a running comparison at its next turn, stores what has been read, and closes the index. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#queue?.stop();
		await this.#running;
		await this.#next;
		this.#flush();
		this.#db?.close();
		this.#db = undefined;
		if (this.#temporary) rmSync(this.#temporary, { recursive: true, force: true });
	}

	#read(path: string): void {
		const known = this.#known.get(path);
		const scan = scanFile(path, known && this.#known.stateOf(known), this.#buffer);
		const { continued, ...rest } = scan;
		this.#add({ path, ...rest });
		const { stamp, row } = scan;
		const isSame = continued && known?.ino === stamp.ino && known.dev === stamp.dev && known.size <= stamp.size;
		this.#onRead({ path, cwd: row.cwd, from: isSame ? known.size : undefined, stamp });
	}

	#add(scan: FileScan): void {
		this.#known.add(scan);
		if (this.#events.add(scan.row)) this.#events.flush();
	}

	#flush(): void {
		// Emitted first and stored afterwards: the screen does not wait for the index.
		this.#events.flush();
		this.#attempt(() => this.#known.flush());
	}

	/** Writes to the index. When the disk is full or another browser locks it too long, the list goes on without it. */
	#attempt(write: () => void): void {
		try {
			write();
			if (this.#storing) return;
			this.#storing = true;
			this.#events.problems("storing", []);
		} catch (error) {
			if (!isSqliteError(error) || isDamage(error)) throw error;
			this.#storing = false;
			const path = indexPath(this.#temporary ?? this.#cacheDir);
			const message = `Cannot write to the index ${path}: ${error.message}. What it lacks is read again at the next start.`;
			this.#events.problems("storing", [{ path, message }]);
		}
	}

	/** Forgets files that were not found, unless their directory could not be read. */
	#forget(found: FoundFiles): void {
		const there = new Set(found.files.map((file: SessionFile) => file.path));
		const unsure = new Set(found.problems.map((problem) => problem.path));
		if (unsure.has(rootOf(this.#sessionRoots))) return;
		const isGone = ({ path }: KnownFile) => !there.has(path) && !unsure.has(path) && !unsure.has(dirname(path));
		const gone = this.#known
			.all()
			.filter(isGone)
			.map(({ path }) => path);
		this.#attempt(() => this.#known.remove(gone));
		this.#events.gone(gone);
	}
}
