import { explain } from "../../store/files/store-error.ts";
import { countsWithRuns } from "../index/counted-runs.ts";
import { newestFiles, type RecentFile } from "../index/session-table.ts";
import { isDamage } from "../index/sqlite.ts";
import { LiveSessions, liveSources } from "../live/live-sessions.ts";
import type { CatalogProblem } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import { runAt } from "../model/run-place.ts";
import { rootOf } from "../model/session-roots.ts";
import { aggregateStats, type StatsSums } from "../stats/aggregate-stats.ts";
import { NumbersPass } from "../stats/numbers-pass.ts";
import { countedNumbers, NumbersTable } from "../stats/numbers-table.ts";
import type { SessionNumbers } from "../stats/session-numbers.ts";
import type { FileScan } from "./known-files.ts";
import {
	type IndexerCalls,
	type IndexerData,
	type IndexerEvent,
	type StatsFiles,
	startScanThread,
	TooMuchToRead,
} from "./protocol.ts";
import { MIN_BYTES, Scanner } from "./scanner.ts";
import { Watch } from "./watch.ts";

/** How often everything is compared, in milliseconds. Even where watching works, only some directories are watched. */
const COMPARE_MS = { watched: 30_000, unwatched: 3_000 };
/** How often running pi processes are looked for, in milliseconds. */
const LIVE_MS = 5_000;
/** How often to check whether known pi processes have ended, in milliseconds. */
const ENDED_MS = 1_000;
/** The directories of this many of the newest sessions are watched from the start. */
const RECENT = 16;

interface IndexerOutput {
	readonly emit: (event: IndexerEvent) => void;
	/** A bug has ended the work, or there is more to read than this thread may: start another indexer. */
	readonly onFailure: (error: unknown) => void;
	/** Everything is stored, and nothing is emitted any more. */
	readonly onClosed: () => void;
}

/** Finds, reads, counts and watches sessions, and keeps the index up to date: in a thread of its own, or in that of a command. */
export class Indexer implements IndexerCalls {
	readonly #data: IndexerData;
	readonly #output: IndexerOutput;
	readonly #root: string;
	readonly #live: LiveSessions;
	readonly #scanner: Scanner;
	#numbers: NumbersPass | undefined;
	#watch: Watch | undefined;
	#compareTimer: NodeJS.Timeout | undefined;
	#liveTimer: NodeJS.Timeout | undefined;
	#endedTimer: NodeJS.Timeout | undefined;
	#visible: readonly string[] = [];
	#paused = false;
	/** Whether what the sessions contain and cost is counted. */
	#counts: boolean;
	#counting = false;
	#closed = false;
	/** Whether the first listing is done: earlier changes were not watched. */
	#listed = false;
	/** Number of replacements of the index in progress: until they end, what is known is incomplete. */
	#rebuilding = 0;
	/** Sessions that could not be counted because of a bug. */
	readonly #uncounted = new Map<string, CatalogProblem>();

	constructor(data: IndexerData, output: IndexerOutput) {
		const { sessionRoots, cacheDir, stateDir, processes, numbers, here } = data;
		this.#data = data;
		this.#output = output;
		this.#root = rootOf(sessionRoots);
		this.#counts = numbers;
		this.#live = new LiveSessions({
			...liveSources(stateDir, processes, sessionRoots),
			isRun: (path) => runAt(path, this.#scanner.sessionRoots) !== undefined,
		});
		this.#scanner = new Scanner({
			sessionRoots,
			cacheDir,
			...(here ? { mostBytes: MIN_BYTES } : { startSecond: () => startScanThread(data) }),
			emit: output.emit,
			onDamage: () => this.#run(() => this.#rebuild()),
			onRead: (read) => this.#listed && this.#live.changed(read),
			onProjects: (roots) => output.emit({ type: "roots", sessionRoots: roots }),
		});
	}

	/**
	 * A problem with one file, one directory or the index is handled where it occurs. Any other failure is a bug: it ends the
	 * work, and so reaches the catalog, which begins it again.
	 */
	#run(action: () => Promise<void>): void {
		action().catch((error: unknown) => this.#output.onFailure(error));
	}

	async refresh(): Promise<true> {
		await this.#scanner.refresh();
		await this.#scanner.refreshProjects({ all: true });
		this.#afterAnswer(() => {
			this.#scanner.index.store();
			this.#count();
		});
		return true;
	}

	scan(paths: readonly string[]): readonly FileScan[] {
		return this.#scanner.scanNew(paths);
	}

	rebuild(): void {
		this.#scanner.index.abandon();
	}

	changed(paths: readonly string[]): void {
		this.#scanner.readNow(paths);
		this.#afterAnswer(() => this.#count());
	}

	/** Whoever waits for what was found does not wait for this, and learns afterwards that all is counted. */
	#afterAnswer(work: () => void): void {
		setImmediate(() => {
			if (!this.#closed) this.#run(async () => work());
		});
	}

	watchVisible(paths: readonly string[]): void {
		this.#visible = paths;
		this.#watch?.watchVisible(paths);
	}

	count(): void {
		this.#counts = true;
		if (this.#listed) this.#startNumbers();
	}

	pause(paused: boolean): void {
		this.#paused = paused;
		this.#numbers?.pause(paused);
	}

	async start(lastSeen: number): Promise<void> {
		const { watch } = this.#data;
		await this.#scanner.open(lastSeen);
		if (this.#closed) return;
		// Counting tells as much.
		const counts = this.#counts ? [] : this.#scanner.index.use((db) => countsWithRuns(db, this.#root));
		if (counts !== undefined && counts.length > 0) this.#output.emit({ type: "counts", counts });
		const { files } = await this.#scanner.refresh();
		// Whoever lists only once wants all of them; a screen does not wait for these.
		if (!watch) await this.#scanner.refreshProjects({ all: false });
		this.#listed = true;
		this.#reportListed();
		if (this.#closed) return;
		this.#scanner.index.store();
		if (watch) await this.#scanner.refreshProjects({ all: true });
		if (this.#closed) return;
		if (watch) await this.#startWatch(files.slice(0, RECENT).map((file) => file.path));
		this.#startNumbers();
	}

	#reportListed(): void {
		// During a rebuild, it is reported at the end.
		if (this.#rebuilding === 0) this.#output.emit({ type: "listed", paths: this.#scanner.paths() });
	}

	#startNumbers(): void {
		const { here } = this.#data;
		if (!this.#counts || this.#closed || this.#numbers) return;
		// Unknown while the index is locked, or its disk is full: the pass then tries again later.
		const pending =
			(here ? this.#scanner.index.use((db) => new NumbersTable(db, this.#root).pending()) : undefined) ?? [];
		const { db } = this.#scanner.index;
		// Without an index, one is being made, and this is called again.
		if (!db) return;
		if (pending.reduce((sum, { size }) => sum + size, 0) > MIN_BYTES) throw new TooMuchToRead();
		this.#numbers = new NumbersPass({
			db,
			root: this.#root,
			timeSlice: this.#scanner.timeSlice,
			onChecked: (session, diagnostics) => this.#scanner.correctRow(session, diagnostics),
			onCounts: (counts) => {
				this.#scanner.flush();
				this.#output.emit({ type: "counts", counts });
			},
			onDue: () => this.#count(),
			onProgress: (counted, total) => this.#output.emit({ type: "counting", counted, total }),
			onProblem: (path, error) => {
				const message = `Cannot count the session ${path}: ${explain(error)}. Its tokens and costs are not in the sums.`;
				this.#uncounted.set(path, { path, message });
				this.#scanner.events.problems("counting", [...this.#uncounted.values()]);
			},
			onDone: () => {
				this.#scanner.flush();
				this.#output.emit({ type: "counted" });
			},
		});
		this.#numbers.pause(this.#paused);
		this.#count();
	}

	/** Counts what is missing. Nothing awaits this, so it may take long, and longer while a search is running. */
	#count(): void {
		if (this.#counting || this.#closed) return;
		this.#counting = true;
		const { db } = this.#scanner.index;
		this.#run(async () => {
			try {
				await this.#numbers?.run();
			} catch (error) {
				// If the index was abandoned meanwhile, the next one is counted instead.
				if (isDamage(error)) this.#scanner.index.abandon();
				else if (this.#scanner.index.db === db) throw error;
			} finally {
				this.#counting = false;
			}
		});
	}

	/** Summed up here: transferring the numbers of all sessions would take the screen's thread too long. */
	stats({ paths, cwds, sizes, runs, on }: StatsFiles): StatsSums {
		let counted: ReadonlyMap<string, SessionNumbers> = new Map();
		try {
			if (this.#scanner.index.db) counted = countedNumbers(this.#scanner.index.db, this.#root);
		} catch (error) {
			if (isDamage(error)) this.#scanner.index.abandon();
			else {
				const message = `Cannot read what was counted: ${explain(error)}. Try again.`;
				this.#scanner.events.problems("counting", [{ path: this.#data.cacheDir, message }]);
			}
		}
		return aggregateStats(
			paths.map((path, index) => ({ path, cwd: cwds[index] ?? "", size: sizes[index] ?? 0 })),
			counted,
			runs,
			on,
		);
	}

	async #startWatch(recent: readonly string[]): Promise<void> {
		const { events } = this.#scanner;
		this.#watch = new Watch({
			sessionRoots: this.#data.sessionRoots,
			isListed: (path) => this.#scanner.isListed(path),
			onFiles: (paths) => this.#run(async () => this.#readWatched(paths)),
			onOther: () => this.#run(() => this.#compare()),
			onProblems: (problems) => {
				events.problems("watch", problems);
				// The next comparison was planned for a watch that works.
				this.#scheduleCompare();
			},
		});
		try {
			await this.#watch.start(recent);
			this.#watch.watchVisible(this.#visible);
		} catch (error) {
			const message = `Changes are noticed a few seconds late: ${this.#root} cannot be watched: ${explain(error)}.`;
			events.problems("watch", [{ path: this.#root, message }]);
			this.#watch = undefined;
		}
		this.#scheduleCompare();
		this.#reportLive();
		this.#liveTimer = setInterval(() => this.#reportLive(), LIVE_MS);
		this.#endedTimer = setInterval(() => this.#live.hasEnded() && this.#reportLive(), ENDED_MS);
	}

	#readWatched(paths: readonly string[]): void {
		this.#scanner.readNow(paths);
		this.#reportLive();
		this.#count();
	}

	#newest(): readonly RecentFile[] {
		return this.#scanner.index.use((db) => newestFiles(db, this.#root)) ?? [];
	}

	#reportLive(): void {
		const report = this.#live.changes(() => this.#newest());
		if (report) this.#output.emit({ type: "live", report });
	}

	/** Checks some sessions and all processes, to answer a question now. */
	checkUse(paths: readonly string[]): LiveReport {
		this.#readWatched(paths);
		return this.#live.report(() => this.#newest(), paths);
	}

	/** Compares everything, watches the directories of the newest sessions, and counts what is missing. */
	async #compare(): Promise<void> {
		const { files } = await this.#scanner.refresh();
		if (this.#closed) return;
		this.#reportLive();
		this.#scanner.index.store();
		await this.#scanner.refreshProjects({ all: true });
		if (this.#closed) return;
		this.#scanner.index.store();
		this.#watch?.watchVisible([...files.slice(0, RECENT).map((file) => file.path), ...this.#visible]);
		this.#count();
	}

	#scheduleCompare(): void {
		clearTimeout(this.#compareTimer);
		if (this.#closed) return;
		const wait = this.#watch?.works ? COMPARE_MS.watched : COMPARE_MS.unwatched;
		this.#compareTimer = setTimeout(
			() => this.#run(() => this.#compare().finally(() => this.#scheduleCompare())),
			wait,
		);
	}

	/** Makes a new index in place of a damaged one, and reads and counts all sessions again. */
	async #rebuild(): Promise<void> {
		const damaged = this.#numbers;
		this.#rebuilding += 1;
		// Cleared first, so that nothing is counted there while it closes.
		this.#numbers = undefined;
		await damaged?.close();
		await this.#scanner.replaceIndex();
		this.#rebuilding -= 1;
		// If the new one was damaged too, it is already being replaced.
		if (this.#closed || !this.#scanner.index.db) return;
		this.#reportListed();
		this.#startNumbers();
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#compareTimer);
		clearInterval(this.#liveTimer);
		clearInterval(this.#endedTimer);
		await this.#watch?.close();
		await this.#numbers?.close();
		await this.#scanner.close();
		this.#output.onClosed();
	}
}
