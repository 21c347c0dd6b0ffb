import { availableParallelism } from "node:os";
import type { ThreadPort } from "../../shared/channel.ts";
import { dirname } from "../../shared/paths.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { sameStamp } from "../../store/files/file-system.ts";
import { explain } from "../../store/files/store-error.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { rowToJson } from "../index/row-json.ts";
import { type KnownFile, lastChange, rowsSince, storedCwds } from "../index/session-table.ts";
import type { GrownFile } from "../live/growth.ts";
import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import { readProjectDirs, writeProjectDirs } from "../model/project-dirs.ts";
import { isSessionPath } from "../model/run-place.ts";
import {
	archiveCounterpart,
	isInSessionDir,
	rootOf,
	type SessionRoots,
	withKnownProjects,
} from "../model/session-roots.ts";
import { ProjectDirs } from "../scan/project-dirs.ts";
import { completeState, NOT_SCANNED, type Scan, scanFile } from "../scan/scan-file.ts";
import { isUnchanged, type ScanStamp, UNVERIFIED } from "../scan/scan-stamp.ts";
import { SessionsElsewhere } from "../scan/session-elsewhere.ts";
import { type FoundFiles, findSessionFiles, type SessionFile, stampAt } from "../scan/session-files.ts";
import type { PendingSession } from "../stats/numbers-table.ts";
import { EventBatcher } from "./event-batcher.ts";
import type { FileScan, KnownFiles } from "./known-files.ts";
import { TooMuchToRead } from "./protocol.ts";
import { ScanIndex } from "./scan-index.ts";
import { SharedReading } from "./shared-reading.ts";

interface ScannerOptions {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	readonly emit: (event: CatalogEvent) => void;
	/** Called for each file that was read because it changed. */
	readonly onRead: (read: GrownFile) => void;
	/** With more bytes in files that have changed, `refresh` rejects with a `TooMuchToRead`. @default any number */
	readonly mostBytes?: number;
	/** The index was found to be damaged, and is no longer used; the listing goes on. Call `replaceIndex`. */
	readonly onDamage: () => void;
	/** Starts a second thread, which reads some of the files when there are many new ones. @default this one reads all */
	readonly startSecond?: (() => ThreadPort) | undefined;
	/** Called when more directories of projects are known, before the rows of their sessions. */
	readonly onProjects?: (sessionRoots: SessionRoots) => void;
}

/** With more bytes to read or to count, starting a thread takes less time than the work. */
export const MIN_BYTES = 64 * 1024 * 1024;
/** Rows stored in one transaction; the rest is stored at the end of a comparison. */
const MAX_UNSTORED = 5000;
/** Of a larger file that grows while it is watched, only the ends are checked until the next comparison. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024;

/**
 * Corrections of rows that are listed already wait for each other this long, in ms: every event has the list arranged again, which
 * takes 0.1 s with 50,000 rows. With 50 ms between events the screen's thread had no time for keys until all were counted.
 */
const MAX_CORRECTION_WAIT_MS = 2000;

/**
 * Keeps the list of sessions up to date: compares the disk with what is known, and reads what is new.
 *
 * Once opened it is at rest, or compares: one comparison at a time (`#running`), and at most one that waits for it (`#next`). Files that
 * change meanwhile are read at once (`readNow`) and noted (`#rechecked`), since the comparison may have passed them or be about to take
 * an older reading of them; of many new files, a second thread reads some (`#shared`). Once closed (`#closed`), a comparison ends at its
 * next turn. What was read is known at once, listed with the next event, and in the index after `index.store` or `flush`.
 */
export class Scanner {
	readonly events: EventBatcher;
	readonly timeSlice = new TimeSlice();
	readonly index: ScanIndex;
	readonly #options: ScannerOptions;
	readonly #root: string;
	/** Where sessions are, with the directories of projects that are known by now. */
	#sessionRoots: SessionRoots;
	readonly #cwds = new Set<string>();
	/** Whether those of the stored sessions are among them. */
	#knowsCwds = false;
	readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	#closed = false;
	/** Files that could not be checked when they changed, until the next comparison. */
	readonly #unreadable = new Map<string, CatalogProblem>();
	/** The new files of the running comparison, if a second thread reads some of them. */
	#shared: SharedReading | undefined;
	#running: Promise<FoundFiles> | undefined;
	/** Files that `readNow` has checked during the comparison, which may have passed them before they changed. */
	readonly #rechecked = new Set<string>();
	#next: Promise<FoundFiles> | undefined;
	/** Looks at the files outside of the session directories that are checked together. */
	#elsewhere: SessionsElsewhere | undefined;

	constructor(options: ScannerOptions) {
		this.#options = options;
		this.#root = rootOf(options.sessionRoots);
		this.#sessionRoots = options.sessionRoots;
		this.events = new EventBatcher(options.emit);
		const { cacheDir, onDamage } = options;
		this.index = new ScanIndex({ cacheDir, root: this.#root, events: this.events, onDamage });
	}

	/** The paths of all files that were read; all of their rows have been emitted. */
	paths(): string[] {
		this.events.flush();
		return [...this.#known.files.keys()];
	}

	get #known(): KnownFiles {
		return this.index.known;
	}

	get sessionRoots(): SessionRoots {
		return this.#sessionRoots;
	}

	/** Whether a path is that of a session, or listed although it is in no directory that is searched. */
	isListed(path: string): boolean {
		return this.#known.files.has(path) || isSessionPath(path, this.#sessionRoots);
	}

	/** Opens the index and emits the rows that were written to it after the change `lastSeen`. */
	async open(lastSeen: number): Promise<void> {
		this.#addProjects(withKnownProjects(this.#sessionRoots, this.#options.cacheDir).projectDirs ?? []);
		this.events.problems("roots", this.#sessionRoots.problems);
		await this.index.open();
		if (this.#closed) return this.index.close();
		this.index.use((db) => {
			if (lastChange(db) <= lastSeen) return;
			for (const row of rowsSince(db, this.#root, lastSeen)) if (this.events.add(row)) this.events.flush();
		});
		this.events.flush();
	}

	/**
	 * Looks whether the projects of the listed sessions keep sessions in directories of their own, and lists what is there. `all`: also
	 * the projects of sessions that were not read since this was opened. Call it after `refresh`.
	 */
	async refreshProjects({ all }: { readonly all: boolean }): Promise<void> {
		if (this.#sessionRoots.projectDirs === undefined || this.#closed) return;
		const isFirst = readProjectDirs(this.#options.cacheDir, this.#root) === undefined;
		if (all || isFirst) this.#recallCwds();
		const dirs = await this.timeSlice.run(new ProjectDirs(this.#sessionRoots).of(this.#cwds));
		const isNew = this.#addProjects(dirs);
		if (isNew || isFirst) this.#noteProjects();
		if (isNew) await this.refresh();
	}

	#recallCwds(): void {
		if (this.#knowsCwds) return;
		this.index.use((db) => {
			for (const cwd of storedCwds(db, this.#root)) this.#cwds.add(cwd);
			this.#knowsCwds = true;
		});
	}

	/** Adds directories of projects; returns whether one of them was not known. */
	#addProjects(dirs: Iterable<string>): boolean {
		const { projectDirs = [] } = this.#sessionRoots;
		const merged = [...new Set([...projectDirs, ...dirs])];
		if (merged.length === projectDirs.length) return false;
		this.#sessionRoots = { ...this.#sessionRoots, projectDirs: merged };
		this.#options.onProjects?.(this.#sessionRoots);
		return true;
	}

	#noteProjects(): void {
		writeProjectDirs(this.#options.cacheDir, this.#root, this.#sessionRoots.projectDirs ?? []);
	}

	/**
	 * Compares all files with what is known, and reads and emits what differs, newest first; call `index.store` afterwards: the list does
	 * not wait for the index.
	 * Calls made during a comparison share the next one, because the running one may have passed the changed files.
	 */
	refresh(): Promise<FoundFiles> {
		if (this.#running) {
			this.#next ??= this.#running.then(() => this.refresh());
			return this.#next;
		}
		this.#next = undefined;
		this.#running = this.#refresh().finally(() => {
			this.#shared?.end();
			this.#shared = undefined;
			this.#running = undefined;
		});
		return this.#running;
	}

	/** Reads files for the first time, for the scanner of another thread. */
	scanNew(paths: readonly string[]): readonly FileScan[] {
		return paths.map((path) => ({ path, ...scanFile(path, undefined, this.#buffer) }));
	}

	async #refresh(): Promise<FoundFiles> {
		this.#rechecked.clear();
		const foundFiles = await this.timeSlice.run(findSessionFiles(this.#sessionRoots, this.#known.files));
		this.events.problems("files", foundFiles.problems);
		this.#unreadable.clear();
		this.events.problems("changed", []);
		this.#forget(foundFiles);
		const { mostBytes = Number.POSITIVE_INFINITY } = this.#options;
		const changed = foundFiles.files.filter((file) => !isUnchanged(this.#known.files.get(file.path), file));
		if (changed.reduce((sum, { size }) => sum + size, 0) > mostBytes) throw new TooMuchToRead();
		const total = foundFiles.files.length;
		let read = total - changed.length;
		this.events.progress(read, total);
		this.#shared = this.#shareNew(changed, (scans) => {
			for (const { path, ...scan } of scans) if (!this.#rechecked.has(path)) this.#take(path, scan);
			read += scans.length;
			this.events.progress(read, total);
		});
		const readAll = async (paths: Iterable<string>): Promise<void> => {
			for (const path of paths) {
				if (this.#closed) break;
				if (!this.#rechecked.has(path)) this.#read(path);
				read += 1;
				if (this.timeSlice.shouldYield()) {
					this.events.progress(read, total);
					await this.timeSlice.yieldToEventLoop();
				}
				// Rarely: the list does not wait for the index, and a few large transactions cost less than many small ones.
				if (this.#known.unstored.size >= MAX_UNSTORED) this.flush();
			}
		};
		const paths = changed.values().map(({ path }) => path);
		await readAll(paths.filter((path) => this.#shared?.take(path) ?? true));
		if (this.#shared && !this.#closed) await readAll(await this.#shared.unread());
		// They may have changed once more since.
		if (this.#rechecked.size > 0) this.#readChanged([...this.#rechecked]);
		this.events.flush();
		this.events.progress(read, total);
		return foundFiles;
	}

	/** The other thread knows nothing about earlier scans. */
	#shareNew(changed: readonly SessionFile[], onScans: (scans: readonly FileScan[]) => void): SharedReading | undefined {
		const { startSecond } = this.#options;
		const newFiles = changed.filter(({ path }) => !this.#known.files.has(path));
		const isWorthIt = newFiles.reduce((sum, { size }) => sum + size, 0) > MIN_BYTES && availableParallelism() > 1;
		return startSecond && isWorthIt ? new SharedReading(newFiles, startSecond(), onScans) : undefined;
	}

	/**
	 * Reads these files if they differ from what is known, and reports those that no longer exist as gone. A file that has
	 * appeared or disappeared may have been moved out of the archive or into it, so its other path is checked too.
	 */
	readNow(paths: readonly string[]): void {
		this.#readChanged(paths);
		// A running comparison reports its own progress.
		if (!this.#running) this.events.progress(this.#known.files.size, this.#known.files.size);
	}

	#readChanged(paths: readonly string[]): void {
		const lostPaths = new Set<string>();
		// Kept for all of them: a session may name thousands of files that are gone.
		this.#elsewhere = undefined;
		const moved = paths.filter((path) => {
			const wasThere = this.#known.files.get(path) !== undefined;
			return this.#readIfChanged(path, lostPaths) !== wasThere;
		});
		for (const path of moved)
			if (isInSessionDir(path, this.#sessionRoots))
				this.#readIfChanged(archiveCounterpart(path, this.#sessionRoots), lostPaths);
		this.events.problems("changed", [...this.#unreadable.values()]);
		this.flush();
		this.#remove([...lostPaths]);
	}

	/** Returns whether there is a session; if that cannot be determined now, whether there was one. */
	#readIfChanged(path: string, lostPaths: Set<string>): boolean {
		const file = this.#known.files.get(path);
		const isElsewhere = !isSessionPath(path, this.#sessionRoots);
		if (isElsewhere && file === undefined) {
			if (!this.#isNewElsewhere(path)) return false;
			this.#learnProject(path);
		}
		const stamp = this.#stampAt(path);
		if (this.#running && stamp !== undefined && stamp !== "link") this.#rechecked.add(path);
		if (stamp === "gone" || stamp === "no file") {
			if (file) lostPaths.add(path);
			return false;
		}
		if (typeof stamp !== "object") return file !== undefined;
		if (!this.#isAsRead(file, stamp)) this.#read(path, stamp);
		return true;
	}

	/** Whether there is a session at a path that a session names, which is not listed under another path. */
	#isNewElsewhere(path: string): boolean {
		this.#elsewhere ??= new SessionsElsewhere(this.#root);
		if (!this.#elsewhere.isSession(path)) return false;
		const stamp = this.#stampAt(path);
		if (typeof stamp !== "object") return false;
		return !this.#known.files.values().some(({ dev, ino }) => dev === stamp.dev && ino === stamp.ino);
	}

	/** A session elsewhere may be the first one in the directory of its project, and not that of a run. */
	#learnProject(path: string): void {
		if (this.#sessionRoots.projectDirs === undefined) return;
		const cwd = readHeader(path)?.cwd;
		const dirs = typeof cwd === "string" ? new ProjectDirs(this.#sessionRoots).ofProject(cwd) : [];
		if (dirs.includes(dirname(path)) && this.#addProjects(dirs)) this.#noteProjects();
	}

	/** What is at the path; undefined, and reported as a problem, if that cannot be determined now. */
	#stampAt(path: string): ReturnType<typeof stampAt> | undefined {
		try {
			const stamp = stampAt(path);
			this.#unreadable.delete(path);
			return stamp;
		} catch (error) {
			this.#unreadable.set(path, { path, message: `Cannot check the session ${path}: ${explain(error)}.` });
			return undefined;
		}
	}

	/**
	 * Has a row say all oddities that were found when every line was parsed, if the file is unchanged. It is emitted and stored together
	 * with others, by `flush` at the latest: one by one, tens of thousands would keep the screen's thread busy for minutes.
	 */
	correctRow({ path, size, mtimeMs }: PendingSession, diagnostics: readonly Diagnostic[]): void {
		const file = this.#known.files.get(path);
		if (file?.size !== size || file.mtimeMs !== mtimeMs) return;
		if (this.#known.unstored.has(path)) this.flush();
		const storedRow = this.index.use(() => this.#known.rowOf(file));
		const row = storedRow && { ...storedRow, diagnostics };
		if (!row || rowToJson(storedRow) === rowToJson(row)) return;
		const stored = this.index.use(() => this.#known.stateOf(file));
		if (!stored) return;
		const state = completeState(stored.state, diagnostics);
		this.#known.add({ ...stored, path, stamp: file, row, state, isWhole: false, hasGrown: true });
		if (this.events.add(row, MAX_CORRECTION_WAIT_MS)) this.flush();
	}

	/** Sets an abandoned index aside, starts a new one, and reads all files for it. */
	async replaceIndex(): Promise<void> {
		await Promise.allSettled([this.#running, this.#next]);
		if (this.#closed || this.index.db) return;
		await this.index.replace();
		if (this.#closed) return this.index.close();
		await this.refresh();
		this.index.store();
	}

	/** Ends a running comparison at its next turn, stores what has been read, and closes the index. */
	async close(): Promise<void> {
		this.#closed = true;
		this.#shared?.end();
		await Promise.allSettled([this.#running, this.#next]);
		this.flush();
		this.index.close();
	}

	/** `stamp`: of a file that has just changed. */
	#read(path: string, stamp?: ScanStamp): void {
		try {
			const file = this.#known.files.get(path);
			const earlier = file && this.index.use(() => this.#known.stateOf(file));
			const hasty = stamp !== undefined && file !== undefined && this.#mayBeHasty(file, stamp);
			// One that has just appeared is likely to grow, and the others have all to be read.
			const earlierScan = earlier ?? (stamp && NOT_SCANNED);
			this.#take(path, scanFile(path, earlierScan && { ...earlierScan, hasty }, this.#buffer));
		} catch (error) {
			const message = `Cannot list the session ${path}: ${explain(error)}.`;
			this.#unreadable.set(path, { path, message });
			this.events.problems("changed", [...this.#unreadable.values()]);
		}
	}

	#take(path: string, scan: Scan): void {
		const file = this.#known.files.get(path);
		this.#add({ path, ...scan });
		const isSame = scan.hasGrown && file?.ino === scan.stamp.ino && file.dev === scan.stamp.dev;
		const from = isSame && file.size <= scan.stamp.size ? file.size : undefined;
		this.#options.onRead({ path, cwd: scan.row.cwd, from, stamp: scan.stamp });
	}

	/**
	 * Whether a file is as it was read; for a large one of which only the ends were checked, the next comparison checks the
	 * rest.
	 */
	#isAsRead(file: KnownFile | undefined, stamp: ScanStamp): boolean {
		if (file === undefined || isUnchanged(file, stamp)) return file !== undefined;
		return file.ctimeMs === UNVERIFIED && file.size > MAX_CHECKED_BYTES && sameStamp(file, stamp);
	}

	/** Whether checking the ends suffices for now, because reading all of a large file takes long. */
	#mayBeHasty(file: KnownFile, { dev, ino, size }: ScanStamp): boolean {
		const isSameFile = file.dev === dev && file.ino === ino;
		return isSameFile && file.size > MAX_CHECKED_BYTES && size > file.size;
	}

	#add(scan: FileScan): void {
		if (scan.row.cwd !== "") this.#cwds.add(scan.row.cwd);
		this.#known.add(scan);
		if (this.events.add(scan.row)) this.events.flush();
	}

	#remove(paths: readonly string[]): void {
		if (this.index.db) this.index.write(() => this.#known.remove(paths));
		else this.#known.remove(paths);
		this.events.gone(paths);
	}

	/** Emits and stores all rows that were not yet. */
	flush(): void {
		// Emitted first and stored afterwards: the screen does not wait for the index.
		this.events.flush();
		this.index.write(() => this.#known.flush());
	}

	/** Forgets files that were not found, unless their directory could not be read. */
	#forget({ files, unsure }: FoundFiles): void {
		const there = new Set(files.map((file: SessionFile) => file.path));
		if (unsure.has(this.#root)) return;
		const isGone = ({ path }: KnownFile) => !there.has(path) && !this.#rechecked.has(path) && !isBelow(path, unsure);
		this.#remove([...this.#known.files.values().filter(isGone)].map(({ path }) => path));
	}
}

function isBelow(path: string, places: ReadonlySet<string>): boolean {
	if (places.size === 0) return false;
	for (let place = path; ; place = dirname(place)) {
		if (places.has(place)) return true;
		if (dirname(place) === place) return false;
	}
}
