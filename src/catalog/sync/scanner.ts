import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { TimeSlice } from "../../shared/time-slice.ts";
import type { FileStamp } from "../../store/files/file-stamp.ts";
import { explain } from "../../store/files/store-error.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { type IndexFile, indexPath, type OpenedIndex, openIndex, openInMemory, setAside } from "../index/open-index.ts";
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
import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";
import { scanFile } from "../scan/scan-file.ts";
import { isUnchanged, type ScanStamp } from "../scan/scan-stamp.ts";
import { type FoundFiles, findSessionFiles, lookAt, type SessionFile } from "../scan/session-files.ts";
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
	/** The index was found to be damaged, and is not used any more; the listing goes on. Call `replaceIndex`. */
	readonly onDamage: () => void;
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
/** Of a larger file that grows while it is watched, only the ends are compared until the next comparison. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024;
/** An index that is damaged again so many times is replaced by one in memory. */
const MAX_REPLACED = 2;

/** Keeps the list of sessions up to date: compares the disk with what is known, and reads what is new. */
export class Scanner {
	readonly #sessionRoots: SessionRoots;
	readonly #cacheDir: string;
	readonly #onRead: (read: ReadFile) => void;
	readonly #events: EventBatcher;
	readonly #onDamage: () => void;
	readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	readonly #timeSlice = new TimeSlice();
	#known = new KnownFiles(undefined);
	#db: DatabaseSync | undefined;
	#indexFile: IndexFile | undefined;
	/** How often a damaged index was replaced. */
	#replaced = 0;
	/** Whether the last write to the index succeeded. */
	#storing = true;
	#closed = false;
	/** Files that could not be looked at when they changed, until the next comparison. */
	readonly #unseen = new Map<string, CatalogProblem>();
	/** The files of the last comparison. */
	#queue: ReadQueue | undefined;
	#running: Promise<FoundFiles> | undefined;
	#next: Promise<FoundFiles> | undefined;

	constructor(options: ScannerOptions) {
		this.#sessionRoots = options.sessionRoots;
		this.#cacheDir = options.cacheDir;
		this.#onRead = options.onRead;
		this.#events = new EventBatcher(options.emit);
		this.#onDamage = options.onDamage;
	}

	/** Shared by everything that works in this thread. */
	get timeSlice(): TimeSlice {
		return this.#timeSlice;
	}

	get events(): EventBatcher {
		return this.#events;
	}

	/** The open index; undefined before `open` and while a damaged one is being replaced. */
	get db(): DatabaseSync | undefined {
		return this.#db;
	}

	/** The paths of all files that were read; all of their rows have been emitted. */
	paths(): string[] {
		this.#events.flush();
		return this.#known.all().map(({ path }) => path);
	}

	/** Opens the index and emits the rows that were written to it after the change `seen`. */
	async open(seen: number): Promise<void> {
		this.#events.problems("roots", this.#sessionRoots.problems);
		this.#use(await openIndex(this.#cacheDir));
		this.#withIndex((db) => {
			if (lastChange(db) <= seen) return;
			for (const row of readRows(db, rootOf(this.#sessionRoots), { since: seen }))
				if (this.#events.add(row)) this.#events.flush();
		});
		this.#events.flush();
	}

	/** Stores what has been emitted. Separate from `refresh`, so that the list does not wait for the index. */
	store(): void {
		this.#write(() => this.#known.flush());
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
		const helped = new Set<string>();
		const take = (scans: readonly FileScan[]) => {
			for (const scan of scans) {
				helped.add(scan.path);
				this.#add(scan);
			}
			read += scans.length;
			this.#events.progress(read, total);
		};
		this.#queue = new ReadQueue(take);
		const found = await this.#timeSlice.run(findSessionFiles(this.#sessionRoots, this.#expect(this.#queue)));
		this.#events.problems("files", found.problems);
		this.#unseen.clear();
		this.#events.problems("changed", []);
		this.#forget(found);
		const changed = found.files.filter((file) => !isUnchanged(this.#known.get(file.path), file));
		total = found.files.length;
		read = total - changed.length;
		this.#events.progress(read, total);
		this.#queue.begin(changed);
		const own = new Set<string>();
		for (let path = this.#queue.take(); path !== undefined; path = this.#queue.take()) {
			own.add(path);
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
		if (!(await this.#queue.ended())) {
			// The helper has failed, which may be the fault of one file: here each file fails on its own.
			for (const { path } of changed) if (!own.has(path) && !helped.has(path)) this.#read(path);
			read = total;
		}
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
			const stamp = this.#lookAt(path);
			if (stamp === "gone" || stamp === "no file") {
				if (this.#known.get(path)) gone.push(path);
			} else if (typeof stamp === "object" && !isUnchanged(this.#known.get(path), stamp)) {
				this.#read(path, stamp);
			}
		}
		this.#events.problems("changed", [...this.#unseen.values()]);
		this.#flush();
		this.#remove(gone);
		this.#events.progress(this.#known.size, this.#known.size);
	}

	/** What is at the path; undefined when that cannot be found out now, which is a problem. */
	#lookAt(path: string): ReturnType<typeof lookAt> | undefined {
		try {
			const found = lookAt(path);
			this.#unseen.delete(path);
			return found;
		} catch (error) {
			this.#unseen.set(path, { path, message: `Cannot look at the session ${path}: ${explain(error)}.` });
			return undefined;
		}
	}

	/** The most recently written sessions, newest first. */
	newest(): RecentFile[] {
		return this.#withIndex((db) => newestFiles(db, rootOf(this.#sessionRoots))) ?? [];
	}

	/** Corrects a row by what was found when every line was parsed, if the file is still the same. */
	correctRow(path: string, { size, mtimeMs, row, state }: CheckedRow): void {
		const known = this.#known.get(path);
		if (known?.size !== size || known.mtimeMs !== mtimeMs) return;
		this.#write(() => this.#known.flush());
		const shown = this.#withIndex(() => this.#known.rowOf(known));
		if (!shown || rowToJson(shown) === rowToJson(row)) return;
		const fingerprint = this.#withIndex(() => this.#known.stateOf(known))?.fingerprint ?? "";
		this.#known.add({ path, stamp: known, row, state, fingerprint, isWhole: false });
		this.#events.add(row);
		this.#flush();
	}

	/** The index is damaged: from now on the listing works without it. Calls `onDamage`. */
	abandonIndex(): void {
		if (!this.#db) return;
		closeQuietly(this.#db);
		this.#db = undefined;
		this.#known = this.#known.withoutIndex();
		this.#onDamage();
	}

	/** Sets an abandoned index aside, starts a new one, and reads all files for it. */
	async replaceIndex(): Promise<void> {
		await Promise.allSettled([this.#running, this.#next]);
		if (this.#closed || this.#db) return;
		this.#replaced += 1;
		this.#use(await this.#newIndex());
		await this.refresh();
		this.store();
	}

	async #newIndex(): Promise<OpenedIndex> {
		const path = indexPath(this.#cacheDir);
		try {
			if (this.#replaced <= MAX_REPLACED) {
				const problem = this.#indexFile && setAside(this.#cacheDir, this.#indexFile);
				const opened = await openIndex(this.#cacheDir);
				return { ...opened, problems: [...(problem ? [problem] : []), ...opened.problems] };
			}
		} catch (error) {
			const message = `The index ${path} is damaged and cannot be set aside: ${explain(error)}. Delete it; all sessions are read anew until then.`;
			return openInMemory([{ path, message }]);
		}
		const message = `The index ${path} was damaged again and again; all sessions are read anew at every start. Check the disk.`;
		return openInMemory([{ path, message }]);
	}

	#use({ db, file, problems }: OpenedIndex): void {
		this.#events.problems("index", problems);
		this.#db = db;
		this.#indexFile = file;
		const root = rootOf(this.#sessionRoots);
		this.#known = this.#withIndex(() => new KnownFiles(new SessionTable(db, root))) ?? new KnownFiles(undefined);
	}

	/** Ends a running comparison at its next turn, stores what has been read, and closes the index. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#queue?.stop();
		await Promise.allSettled([this.#running, this.#next]);
		this.#flush();
		this.#db?.close();
		this.#db = undefined;
	}

	/** `stamp`: of a file that has changed just now. */
	#read(path: string, stamp?: ScanStamp): void {
		try {
			const known = this.#known.get(path);
			const earlier = known && this.#withIndex(() => this.#known.stateOf(known));
			const hasty = stamp !== undefined && known !== undefined && this.#mayBeHasty(known, stamp);
			const scan = scanFile(path, earlier && { ...earlier, hasty }, this.#buffer);
			this.#add({ path, ...scan });
			const isSame = !scan.isWhole && known?.ino === scan.stamp.ino && known.dev === scan.stamp.dev;
			const from = isSame && known.size <= scan.stamp.size ? known.size : undefined;
			this.#onRead({ path, cwd: scan.row.cwd, from, stamp: scan.stamp });
		} catch (error) {
			const message = `Cannot list the session ${path}: ${explain(error)}.`;
			this.#unseen.set(path, { path, message });
			this.#events.problems("changed", [...this.#unseen.values()]);
		}
	}

	/** Whether it is enough to compare the ends for now, because reading all of a large file takes long. */
	#mayBeHasty(known: KnownFile, { dev, ino, size }: ScanStamp): boolean {
		const isSameFile = known.dev === dev && known.ino === ino;
		return isSameFile && known.size > MAX_CHECKED_BYTES && size > known.size && this.#known.isRecent(known);
	}

	#add(scan: FileScan): void {
		this.#known.add(scan);
		if (this.#events.add(scan.row)) this.#events.flush();
	}

	#remove(paths: readonly string[]): void {
		if (this.#db) this.#write(() => this.#known.remove(paths));
		else this.#known.remove(paths);
		this.#events.gone(paths);
	}

	#flush(): void {
		// Emitted first and stored afterwards: the screen does not wait for the index.
		this.#events.flush();
		this.#write(() => this.#known.flush());
	}

	/** Uses the index; undefined when there is none, or it turns out to be damaged. */
	#withIndex<Result>(use: (db: DatabaseSync) => Result): Result | undefined {
		if (!this.#db) return undefined;
		try {
			return use(this.#db);
		} catch (error) {
			if (!isDamage(error)) {
				if (!isSqliteError(error)) throw error;
				this.#cannotStore(error);
				return undefined;
			}
			this.abandonIndex();
			return undefined;
		}
	}

	/** Writes to the index. When the disk is full or another browser locks it too long, the list goes on without it. */
	#write(write: () => void): void {
		this.#withIndex(() => {
			write();
			if (this.#storing) return;
			this.#storing = true;
			this.#events.problems("storing", []);
		});
	}

	#cannotStore(error: Error): void {
		this.#storing = false;
		const path = indexPath(this.#cacheDir);
		const message = `Cannot use the index ${path}: ${error.message}. What it lacks is read again at the next start.`;
		this.#events.problems("storing", [{ path, message }]);
	}

	/** Forgets files that were not found, unless their directory could not be read. */
	#forget({ files, unsure }: FoundFiles): void {
		const there = new Set(files.map((file: SessionFile) => file.path));
		if (unsure.has(rootOf(this.#sessionRoots))) return;
		const isGone = ({ path }: KnownFile) => !there.has(path) && !unsure.has(path) && !unsure.has(dirname(path));
		const gone = this.#known
			.all()
			.filter(isGone)
			.map(({ path }) => path);
		this.#remove(gone);
	}
}

function closeQuietly(db: DatabaseSync): void {
	try {
		db.close();
	} catch {
		// It is damaged: whatever cannot be written any more is read again.
	}
}
