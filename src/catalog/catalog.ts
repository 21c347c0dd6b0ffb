import { homedir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { workerUrl } from "../shared/worker-url.ts";
import { openExistingIndex } from "./index/open-index.ts";
import { countRows, lastChange, readRows } from "./index/session-table.ts";
import { defaultCacheDir } from "./model/cache-dir.ts";
import type { CatalogEvent } from "./model/event.ts";
import { type LiveReport, NOTHING_LIVE } from "./model/live.ts";
import type { SessionRow } from "./model/row.ts";
import { rootOf, type SessionRoots } from "./model/session-roots.ts";
import { defaultStateDir } from "./model/state-dir.ts";
import type { Query } from "./query/parse-query.ts";
import type { Hit, SearchEvent, SearchFile } from "./search/search.ts";
import { SearchClient } from "./search/search-client.ts";
import type { CatalogStats } from "./stats/aggregate-stats.ts";
import { readStats } from "./stats/read-stats.ts";
import type { FromScanWorker, ScanWorkerData, ToScanWorker } from "./sync/protocol.ts";

export interface CatalogOptions {
	readonly sessionRoots: SessionRoots;
	/** Directory of the index. @default `defaultCacheDir()` */
	readonly cacheDir?: string | undefined;
	/** Directory of what pi-grove notes for its other windows. @default `defaultStateDir()` */
	readonly stateDir?: string | undefined;
	/** Whether to keep watching after the first listing. @default true */
	readonly watch?: boolean;
	/** Whether to count what the sessions contain and cost after the listing. @default true */
	readonly numbers?: boolean;
	/** Whether stored rows below the first screen wait until it is drawn and its tree is read. @default false */
	readonly screenFirst?: boolean;
}

/** All sessions under the given roots. */
export interface Catalog {
	/** Starts: the listener gets the stored rows at once, then what has changed since, newest first. Call it once. */
	start(listener: (event: CatalogEvent) => void): void;
	/** Resolves when the first stored rows have been emitted, or there are none: a screen drawn now is not empty. */
	stored(): Promise<void>;
	/** Compares all files with what is known; resolves when everything found has been emitted. */
	refresh(): Promise<void>;
	/** Reads session files that were changed, created or removed at once, and emits what it finds as rows. */
	changed(paths: readonly string[]): void;
	/**
	 * Looks anew at what is in use and at who has this session open; also emits that. Never rejects: a catalog that has
	 * failed answers with what it knew.
	 */
	look(path: string): Promise<LiveReport>;
	/** Sets the visible sessions: their directories are watched, and their hits are counted. */
	watchVisible(paths: readonly string[]): void;
	/** Resolves when the first complete listing has been emitted; rejects when the catalog fails. */
	listed(): Promise<void>;
	/**
	 * Starts a search in everything that was ever said (src/catalog/query/parse-query.ts has the language) and ends the
	 * one before. Returns a function that ends it. Until then it includes sessions listed later, and those that grow.
	 */
	search(query: Query, listener: (event: SearchEvent) => void): () => void;
	/** All entries of one session that contain some of the query's terms, in file order. */
	hits(query: Query, path: string): Promise<readonly Hit[]>;
	/** Resolves when all sessions listed so far have been counted; rejects when the catalog fails. */
	counted(): Promise<void>;
	/** Sums what the sessions of these rows contain and cost, as far as they have been counted. */
	stats(rows: readonly SessionRow[]): Promise<CatalogStats>;
	/** Stops watching and reading; nothing is emitted afterwards. */
	close(): Promise<void>;
}

/** Rows of the index that are emitted first: enough for any screen. */
const FIRST_ROWS = 200;
/** How long the other rows wait for the first screen to be drawn and its tree to be read, in milliseconds. */
const FIRST_SCREEN_MS = 150;
/** Most rows in each of the events that follow. */
const MORE_ROWS = 2500;

export function openCatalog(options: CatalogOptions): Catalog {
	return new WorkerCatalog(options);
}

class WorkerCatalog implements Catalog {
	readonly #sessionRoots: SessionRoots;
	/** The wait before the rows below the first screen, in milliseconds. */
	readonly #pause: number;
	#indexDir: string;
	readonly #worker: Worker;
	readonly #stored = Promise.withResolvers<void>();
	readonly #listed = Promise.withResolvers<void>();
	readonly #counted = Promise.withResolvers<void>();
	/** Resolves when the worker is gone, whether it was closed or has failed. */
	readonly #ended = Promise.withResolvers<void>();
	readonly #search = new SearchClient();
	readonly #refreshes = new Map<number, PromiseWithResolvers<void>>();
	readonly #looks = new Map<number, (report: LiveReport) => void>();
	/** The last report. */
	#live = NOTHING_LIVE;
	#requests = 0;
	#failed = false;
	#listener: ((event: CatalogEvent) => void) | undefined;
	#closed = false;

	constructor(options: CatalogOptions) {
		const { sessionRoots, cacheDir, watch = true, numbers = true, screenFirst = false } = options;
		const stateDir = options.stateDir ?? defaultStateDir(process.env, homedir());
		this.#pause = screenFirst ? FIRST_SCREEN_MS : 0;
		this.#sessionRoots = sessionRoots;
		this.#indexDir = cacheDir ?? defaultCacheDir(process.env, homedir());
		const workerData: ScanWorkerData = { sessionRoots, cacheDir: this.#indexDir, stateDir, watch, numbers };
		// Parsing creates much garbage. A small nursery saves memory, at no cost that could be measured.
		this.#worker = new Worker(workerUrl("scan-worker"), {
			workerData,
			// Without this process's arguments: one like --input-type would keep the thread from starting.
			execArgv: [],
			resourceLimits: { maxYoungGenerationSizeMb: 8 },
		});
		this.#worker.on("message", (message: FromScanWorker) => this.#receive(message));
		this.#worker.on("error", (error) => this.#fail(error));
		this.#worker.on("exit", () => this.#ended.resolve());
		// Avoids unhandled rejections when nothing awaits these; the "error" handler above reports the failure.
		this.#listed.promise.catch(() => undefined);
		this.#counted.promise.catch(() => undefined);
	}

	start(listener: (event: CatalogEvent) => void): void {
		if (this.#listener) throw new Error("the catalog has already been started");
		this.#listener = listener;
		this.#emitStored()
			.finally(() => this.#stored.resolve())
			.then(
				(seen) => this.#send({ type: "start", seen }),
				(error: unknown) => this.#fail(error),
			);
	}

	stored(): Promise<void> {
		return this.#stored.promise;
	}

	refresh(): Promise<void> {
		const request = this.#requests++;
		const done = Promise.withResolvers<void>();
		this.#refreshes.set(request, done);
		this.#send({ type: "refresh", request });
		return done.promise;
	}

	changed(paths: readonly string[]): void {
		this.#send({ type: "changed", paths });
	}

	look(path: string): Promise<LiveReport> {
		if (this.#failed || this.#closed) return Promise.resolve(this.#live);
		const request = this.#requests++;
		const { promise, resolve } = Promise.withResolvers<LiveReport>();
		this.#looks.set(request, resolve);
		this.#send({ type: "look", request, path });
		return promise;
	}

	watchVisible(paths: readonly string[]): void {
		this.#send({ type: "watch-visible", paths });
		this.#search.watchVisible(paths);
	}

	listed(): Promise<void> {
		return this.#listed.promise;
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#send({ type: "pause", paused: true });
		const stop = this.#search.search(query, (event) => {
			const isDone = event.type === "error" || (event.type === "progress" && event.searched === event.total);
			if (isDone) this.#send({ type: "pause", paused: false });
			listener(event);
		});
		return () => {
			stop();
			this.#send({ type: "pause", paused: false });
		};
	}

	hits(query: Query, path: string): Promise<readonly Hit[]> {
		return this.#search.hits(query, path);
	}

	stats(rows: readonly SessionRow[]): Promise<CatalogStats> {
		return readStats(this.#indexDir, rootOf(this.#sessionRoots), rows);
	}

	counted(): Promise<void> {
		return this.#counted.promise;
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#search.close();
		this.#worker.postMessage({ type: "close" } satisfies ToScanWorker);
		await this.#ended.promise;
		for (const done of this.#refreshes.values()) done.resolve();
		this.#endLooks();
		this.#listed.resolve();
		this.#counted.resolve();
	}

	/** Emits the rows of the index as they are; returns the last change that they contain. */
	async #emitStored(): Promise<number> {
		const db = await openExistingIndex(this.#indexDir);
		if (!db) return -1;
		try {
			const root = rootOf(this.#sessionRoots);
			const seen = lastChange(db);
			const count = countRows(db, root);
			this.#emit({ type: "known", count });
			this.#emit({ type: "rows", rows: readRows(db, root, { limit: FIRST_ROWS }) });
			this.#stored.resolve();
			if (count > FIRST_ROWS && this.#pause > 0) await delay(this.#pause);
			for (let offset = FIRST_ROWS; offset < count; offset += MORE_ROWS) {
				// In batches, so that keys are handled in between.
				await delay(1);
				this.#emit({ type: "rows", rows: readRows(db, root, { limit: MORE_ROWS, offset }) });
			}
			return seen;
		} catch {
			// Damaged: the worker will find that too, set the index aside and report it.
			return -1;
		} finally {
			db.close();
		}
	}

	#receive(message: FromScanWorker): void {
		if (message.type === "event") this.#emit(message.event);
		else if (message.type === "listed") this.#listed.resolve();
		else if (message.type === "counted") this.#counted.resolve();
		else if (message.type === "moved") this.#indexDir = message.indexDir;
		else if (message.type === "looked") {
			this.#emit({ type: "live", report: message.report });
			this.#looks.get(message.request)?.(message.report);
			this.#looks.delete(message.request);
		} else {
			this.#refreshes.get(message.request)?.resolve();
			this.#refreshes.delete(message.request);
		}
	}

	#emit(event: CatalogEvent): void {
		if (this.#closed) return;
		if (event.type === "rows") this.#search.update(event.rows.map(fileOf));
		else if (event.type === "live") this.#live = event.report;
		else if (event.type === "gone") this.#search.remove(event.paths);
		this.#listener?.(event);
	}

	#endLooks(): void {
		for (const resolve of this.#looks.values()) resolve(this.#live);
		this.#looks.clear();
	}

	#send(message: ToScanWorker): void {
		if (!this.#closed) this.#worker.postMessage(message);
	}

	#fail(error: unknown): void {
		const reason = error instanceof Error ? error : new Error(String(error));
		this.#listed.reject(reason);
		this.#counted.reject(reason);
		for (const done of this.#refreshes.values()) done.reject(reason);
		this.#refreshes.clear();
		this.#failed = true;
		this.#endLooks();
		const message = `Reading the sessions failed: ${reason.message}. The list is no longer kept up to date; start again.`;
		this.#emit({ type: "problems", problems: [{ path: rootOf(this.#sessionRoots), message }] });
	}
}

function fileOf({ path, size, modified }: SessionRow): SearchFile {
	return { path, size, modified: modified.getTime() };
}
