import { setTimeout as delay } from "node:timers/promises";
import { IndexReader } from "./index/open-index.ts";
import { countRows, lastChange } from "./index/session-table.ts";
import type { CountedSessions } from "./model/counts.ts";
import type { CatalogEvent, CatalogProblem } from "./model/event.ts";
import { type LiveReport, NOTHING_LIVE } from "./model/live.ts";
import type { SessionRow } from "./model/row.ts";
import { isSessionPath, locatedRows } from "./model/run-place.ts";
import { runsIn } from "./model/session-links.ts";
import {
	defaultCacheDir,
	defaultStateDir,
	rootOf,
	type SessionRoots,
	withKnownProjects,
} from "./model/session-roots.ts";
import type { Query } from "./query/parse-query.ts";
import { type SearchEvent, type SearchFile, type SessionHits, type SessionsWith, shownTitle } from "./search/search.ts";
import { SearchClient } from "./search-thread/search-client.ts";
import { aggregateStats, type CatalogStats } from "./stats/aggregate-stats.ts";
import type { RunsByParent } from "./stats/family-cost.ts";
import { readSessions } from "./stats/numbers-table.ts";
import { NamedRuns } from "./sync/named-runs.ts";
import type { IndexerEvent } from "./sync/protocol.ts";
import { ScanClient } from "./sync/scan-client.ts";
import type { UsesEvent, UsesRequest } from "./uses/use-finder.ts";

interface CatalogOptions {
	readonly sessionRoots: SessionRoots;
	/** Directory of the index. @default `defaultCacheDir()` */
	readonly cacheDir?: string | undefined;
	/** Directory of pi-grove's notes for its other windows. @default `defaultStateDir()` */
	readonly stateDir?: string | undefined;
	/** Whether to keep watching after the first listing. @default true */
	readonly watch?: boolean;
	/** Whether to check which running programs have sessions open. @default true */
	readonly processes?: boolean;
	/** Whether to count what the sessions contain and cost after the listing. @default true */
	readonly numbers?: boolean;
	/** As in `ListOptions`. @default false */
	readonly blocking?: boolean | undefined;
	/**
	 * How many stored rows the first screen needs: the others wait until it is drawn and its tree is read. Reading 200 takes a tenth
	 * of the time until the first frame. @default they do not wait
	 */
	readonly firstRows?: number | undefined;
}

export interface Catalog {
	/** Starts: the listener first gets the stored rows, then what has changed since, newest first. Call it once. */
	start(listener: (event: CatalogEvent) => void): void;
	/** Resolves when the first stored rows have been emitted, or there are none: a screen drawn now is not empty. */
	stored(): Promise<void>;
	/**
	 * Compares all files with the index; resolves when all differences have been emitted. Restarts the listing if
	 * it has failed; rejects if it fails once more.
	 */
	refresh(): Promise<void>;
	/** Immediately reads session files that were changed, created or removed; resolves when the result has been emitted. */
	changed(paths: readonly string[]): Promise<void>;
	/** Sets the visible sessions: their directories are watched, and their hits are counted. `watched`: see `SearchEvent`. */
	watchVisible(paths: readonly string[], watched?: number): void;
	/**
	 * Checks again which sessions are in use and which processes have these sessions open; also emits the result. Never rejects, and does
	 * not wait forever: if the catalog has failed, or a disk does not answer, it resolves with what was known.
	 */
	checkUse(paths: readonly string[]): Promise<LiveReport>;
	/** Resolves when the first complete listing has been emitted; rejects when the catalog fails. */
	listed(): Promise<void>;
	/**
	 * Starts a search in everything that was ever said (src/catalog/query/parse-query.ts has the language) and ends the
	 * previous one. Returns a function that ends it. Until then it includes sessions listed later, and those that grow.
	 */
	search(query: Query, listener: (event: SearchEvent) => void): () => void;
	hits(query: Query, path: string): Promise<SessionHits>;
	/**
	 * For each query the sessions that have its words, whatever its conditions say: beside the search, which goes on. Fewer answers if that
	 * ends meanwhile.
	 */
	searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]>;
	/**
	 * Reads the prompts or the commands of sessions, and ends the previous request. The listener repeatedly gets what was found,
	 * until nothing more comes; a failure is an event, too. Returns a function that ends the request, and forgets what was found.
	 */
	askUses(question: UsesRequest, listener: (event: UsesEvent) => void): () => void;
	/** Has sessions counted, and resolves when all listed so far have been; rejects if the catalog fails. */
	counted(): Promise<void>;
	/** Sums what those sessions contain and cost that are asked for, as far as they have been counted. `all`: the rows of all. */
	stats(all: readonly SessionRow[], isAsked?: (row: SessionRow) => boolean, on?: string): Promise<CatalogStats>;
	/**
	 * Ends all reading, watching, counting and searching, and the threads that do it, until `wake`; what is known stays, except
	 * what is in use. Resolves when the threads have ended.
	 */
	rest(): Promise<void>;
	/** Continues after `rest`; resolves when all changes since have been emitted, rejects if the catalog fails. */
	wake(): Promise<void>;
	/** Stops watching and reading; nothing is emitted afterwards. */
	close(): Promise<void>;
}

/** Longest time to wait for a check of what is in use, in milliseconds: much more than it takes on a busy machine. */
const CHECK_USE_MS = 5_000;
/** How long the other rows wait for the first screen to be drawn and its tree to be read, in milliseconds. */
const FIRST_SCREEN_MS = 150;
/** Largest number of stored rows in an event. */
const MOST_ROWS = 2000;

export function openCatalog(options: CatalogOptions): Catalog {
	return new WorkerCatalog(options);
}

class WorkerCatalog implements Catalog {
	#sessionRoots: SessionRoots;
	readonly #firstRows: number | undefined;
	readonly #cacheDir: string;
	readonly #blocking: boolean;
	readonly #scan: ScanClient;
	readonly #stored = Promise.withResolvers<void>();
	#listed = Promise.withResolvers<void>();
	readonly #counted = Promise.withResolvers<void>();
	readonly #search = new SearchClient();
	/** The paths of all rows that were emitted. */
	readonly #paths = new Set<string>();
	readonly #named = new NamedRuns();
	/** Files that sessions name as those of runs, and that were not listed by then. Once all is listed, those still missing are looked for. */
	readonly #unsought = new Set<string>();
	/** Number of requests to look for some of them. */
	#seeking = 0;
	/** Whether the scan thread has listed everything once. */
	#isListed = false;
	/** The last change of the index that is known to have been emitted. */
	#seen = -1;
	#searching: "none" | "running" | "done" = "none";
	#searches = 0;
	/** Whether the scan thread was asked to make a new index, because this one lacked sessions, and whether it has done so. */
	#rebuild: "none" | "asked" | "done" = "none";
	#problems: readonly CatalogProblem[] = [];
	#failure: CatalogProblem | undefined;
	#live = NOTHING_LIVE;
	#listener: ((event: CatalogEvent) => void) | undefined;
	#closed = false;

	constructor(options: CatalogOptions) {
		const { sessionRoots, cacheDir = defaultCacheDir(), stateDir = defaultStateDir(), firstRows } = options;
		const { watch = true, numbers = true, processes = true, blocking = false } = options;
		this.#blocking = blocking;
		this.#firstRows = firstRows;
		this.#cacheDir = cacheDir;
		this.#sessionRoots = withKnownProjects(sessionRoots, cacheDir);
		this.#scan = new ScanClient({
			data: { sessionRoots, cacheDir, stateDir, watch, numbers, processes, here: blocking },
			onEvent: (event) => this.#receive(event),
			onFailure: (error, isOver) => this.#fail(error, isOver),
		});
		// Avoids unhandled rejections when nothing awaits these; `#fail` reports the failure.
		this.#listed.promise.catch(() => undefined);
		this.#counted.promise.catch(() => undefined);
	}

	start(listener: (event: CatalogEvent) => void): void {
		if (this.#listener) throw new Error("the catalog has already been started");
		this.#listener = listener;
		// What has no screen gets the stored rows from the scan, which reads them in any case.
		const emitted = this.#blocking ? Promise.resolve(-1) : this.#emitStored();
		emitted
			.finally(() => this.#stored.resolve())
			.then(
				(lastSeen) => {
					this.#seen = lastSeen;
					if (!this.#closed) this.#scan.start(lastSeen);
				},
				(error: unknown) => this.#fail(error instanceof Error ? error : new Error(String(error)), true),
			);
	}

	stored(): Promise<void> {
		return this.#stored.promise;
	}

	async refresh(): Promise<void> {
		const answer = await this.#scan.ask("refresh");
		if (!answer && !this.#closed) throw new Error(this.#failure?.message ?? "the listing has ended");
		if (!this.#failure) return;
		this.#failure = undefined;
		this.#report(this.#problems, undefined);
	}

	async changed(paths: readonly string[]): Promise<void> {
		await this.#scan.ask("changed", paths);
	}

	async checkUse(paths: readonly string[]): Promise<LiveReport> {
		const late = Promise.withResolvers<undefined>();
		const timer = setTimeout(() => late.resolve(undefined), CHECK_USE_MS);
		const report = await Promise.race([this.#scan.ask("checkUse", paths), late.promise]);
		clearTimeout(timer);
		if (report !== undefined) this.#emit({ type: "live", report });
		return this.#live;
	}

	watchVisible(paths: readonly string[], watched = 0): void {
		this.#scan.watchVisible(paths);
		this.#search.watchVisible(paths, watched);
	}

	listed(): Promise<void> {
		return this.#listed.promise;
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#scan.pause(true);
		const stop = this.#search.search(query, (event) => {
			const isDone =
				event.type === "error" ||
				event.type === "settled" ||
				(event.type === "progress" && event.searched === event.total);
			if (isDone) this.#scan.pause(false);
			this.#searching = isDone ? "done" : "running";
			listener(event);
		});
		this.#searching = "running";
		const search = ++this.#searches;
		return () => {
			stop();
			// A later search may have begun.
			if (search !== this.#searches) return;
			this.#searching = "none";
			this.#scan.pause(false);
		};
	}

	hits(query: Query, path: string): Promise<SessionHits> {
		return this.#search.hits(query, path);
	}

	searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		return this.#search.searchEach(queries);
	}

	askUses(question: UsesRequest, listener: (event: UsesEvent) => void): () => void {
		return this.#search.askUses(question, (event) => !this.#closed && listener(event));
	}

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow) => true, on = ""): Promise<CatalogStats> {
		const rows = all.filter(isAsked);
		const files = {
			paths: rows.map(({ path }) => path),
			cwds: rows.map(({ cwd }) => cwd),
			sizes: rows.map(({ size }) => size),
			runs: runSessionsIn(all),
			on,
		};
		// Without the thread nothing is known about the content of the files.
		return (await this.#scan.ask("stats", files)) ?? aggregateStats(rows, new Map(), files.runs, on);
	}

	async rest(): Promise<void> {
		// A thread that has searched everything is idle, and its results stay valid.
		if (this.#searching !== "done") this.#search.rest();
		await this.#scan.rest();
		this.#emit({ type: "live", report: NOTHING_LIVE });
	}

	wake(): Promise<void> {
		this.#search.wake();
		if (!this.#scan.wake(this.#seen)) return Promise.resolve();
		// Waiting for a listing that `rest` interrupted means waiting for the next one.
		const interrupted = this.#listed;
		this.#listed = Promise.withResolvers();
		this.#listed.promise.then(interrupted.resolve, interrupted.reject);
		return this.#listed.promise;
	}

	counted(): Promise<void> {
		this.#scan.count();
		return this.#counted.promise;
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await Promise.all([this.#search.close(), this.#scan.close()]);
		this.#listed.resolve();
		this.#counted.resolve();
	}

	/** Emits the stored rows; returns the last change of the index that they include. */
	async #emitStored(): Promise<number> {
		const root = rootOf(this.#sessionRoots);
		const index = await IndexReader.open(this.#cacheDir);
		try {
			// All pages are of one state: a row that another window takes away would move those behind it.
			index.read((db) => db.exec("BEGIN"));
			const stored = index.read((db) => ({ seen: lastChange(db), count: countRows(db, root) }));
			// If it is damaged, the scan thread finds that, too, sets it aside and reports it.
			if (stored === undefined) return -1;
			this.#emit({ type: "known", count: stored.count });
			for (let offset = 0; offset < stored.count; ) {
				const limit = (offset === 0 ? this.#firstRows : undefined) ?? MOST_ROWS;
				const page = index.read((db) => readSessions(db, root, { limit, offset }));
				if (page === undefined) return -1;
				this.#emit({ type: "rows", rows: page.rows });
				if (page.counts.length > 0) this.#emit({ type: "counts", counts: page.counts });
				this.#stored.resolve();
				if (offset + limit >= stored.count) break;
				// In batches, so that keys are handled in between.
				await delay(offset === 0 && this.#firstRows !== undefined ? FIRST_SCREEN_MS : 1);
				offset += limit;
			}
			return stored.seen;
		} finally {
			index.close();
		}
	}

	#receive(event: IndexerEvent): void {
		switch (event.type) {
			case "roots":
				this.#sessionRoots = event.sessionRoots;
				return;
			case "counted":
				if (this.#rebuild !== "asked" && this.#seeking === 0) this.#counted.resolve();
				return;
			case "listed":
				this.#isListed = true;
				this.#seek();
				this.#compare(new Set(event.paths));
				return;
			case "problems":
				this.#report(event.problems, undefined);
				return;
			default:
				this.#emit(event);
		}
	}

	/**
	 * Corrects what was emitted by a complete listing. Rows of a damaged index may belong to no session; and if the damage has
	 * hidden some, another listing follows, once.
	 */
	#compare(listed: ReadonlySet<string>): void {
		const wrong = [...this.#paths].filter((path) => !listed.has(path));
		if (wrong.length > 0) this.#emit({ type: "gone", paths: wrong });
		const isWhole = listed.size === this.#paths.size;
		this.#rebuild = this.#rebuild === "none" ? (isWhole ? "none" : "asked") : "done";
		if (this.#rebuild === "asked") this.#scan.rebuild();
		else this.#listed.resolve();
	}

	#emit(event: CatalogEvent): void {
		if (this.#closed) return;
		if (event.type === "live") this.#live = event.report;
		if (event.type === "rows") {
			for (const { path } of event.rows) this.#paths.add(path);
			this.#search.update(event.rows.map(fileOf));
			const rows = this.#named.marked(locatedRows(event.rows, this.#sessionRoots));
			this.#listener?.({ type: "rows", rows });
			return;
		}
		if (event.type === "gone") {
			for (const path of event.paths) this.#paths.delete(path);
			this.#search.remove(event.paths);
			this.#named.forget(event.paths);
		}
		this.#listener?.(event);
		if (event.type === "counts") this.#emitRuns(event.counts);
	}

	/** Emits the rows of the sessions that are known to be runs now, and looks for those that are reported and not listed. */
	#emitRuns(counts: CountedSessions): void {
		const { rows, files } = this.#named.learn(counts);
		if (rows.length > 0) this.#listener?.({ type: "rows", rows });
		for (const path of files) this.#unsought.add(path);
		this.#seek();
	}

	#seek(): void {
		if (!this.#isListed || this.#unsought.size === 0) return;
		// Nearly all have been listed since, which is the cheapest to ask. What a searched directory lacks is not there.
		const paths = [...this.#unsought].filter(
			(path) => !this.#paths.has(path) && !isSessionPath(path, this.#sessionRoots),
		);
		this.#unsought.clear();
		if (paths.length === 0) return;
		this.#seeking += 1;
		// It counts what it finds, and then reports that everything is counted, in any case.
		void this.changed(paths).finally(() => {
			this.#seeking -= 1;
		});
	}

	#report(problems: readonly CatalogProblem[], failure: CatalogProblem | undefined): void {
		this.#problems = problems;
		this.#failure = failure ?? this.#failure;
		const failures = this.#failure ? [this.#failure] : [];
		this.#emit({ type: "problems", problems: [...failures, ...problems] });
	}

	#fail(error: Error, isOver: boolean): void {
		const then = isOver
			? "The list is no longer kept up to date; start pi-grove again to try again."
			: "It was started again; please report this if it comes back.";
		const message = `Reading the sessions failed: ${error.message}. ${then}`;
		this.#report(isOver ? this.#problems : [], { path: rootOf(this.#sessionRoots), message });
		if (!isOver) return;
		this.#listed.reject(error);
		this.#counted.reject(error);
	}
}

/** The sessions of runs, with no more than what recognizes them: the rest would be copied for the thread. */
function runSessionsIn(rows: readonly SessionRow[]): RunsByParent {
	const brief = ({ path, id, name, created, run }: SessionRow) => ({ path, id, name, created, run });
	return new Map([...runsIn(rows)].map(([parent, runs]) => [parent, runs.map(brief)]));
}

function fileOf(row: SessionRow): SearchFile {
	const { path, size, modified, id } = row;
	return { path, size, modified: modified.getTime(), aliases: [path, id], title: shownTitle(row) };
}
