import { homedir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { workerUrl } from "../shared/worker-url.ts";
import { openExistingIndex } from "./index/open-index.ts";
import { countRows, lastChange, readRows } from "./index/session-table.ts";
import { defaultCacheDir } from "./model/cache-dir.ts";
import type { CatalogEvent } from "./model/event.ts";
import type { SessionRow } from "./model/row.ts";
import { rootOf, type SessionRoots } from "./model/session-roots.ts";
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
	/** Whether to go on watching after the first listing. @default true */
	readonly watch?: boolean;
	/** Whether to count what the sessions hold and cost after the listing. @default true */
	readonly numbers?: boolean;
	/** Whether stored rows that no first screen shows wait until it is drawn and its tree is read. @default false */
	readonly screenFirst?: boolean;
}

/** All sessions under the given roots. */
export interface Catalog {
	/** Begins; the listener gets the stored rows at once, then what has changed since, newest first. Call it once. */
	start(listener: (event: CatalogEvent) => void): void;
	/** Resolves when the first stored rows have been told, or there are none: a screen drawn then has something on it. */
	stored(): Promise<void>;
	/** Compares all files with what is known; resolves when everything found has been told. */
	refresh(): Promise<void>;
	/** These session files were changed, made or removed, and are read at once; what is found is emitted as rows. */
	changed(paths: readonly string[]): void;
	/** The sessions that are in sight: their directories are watched, and their hits counted. */
	watchVisible(paths: readonly string[]): void;
	/** Resolves when the first complete listing has been told; rejects when the catalog fails. */
	listed(): Promise<void>;
	/**
	 * Begins a search in everything that was ever said (src/catalog/query/parse-query.ts has the language) and ends the one
	 * before. Returns what ends it. While it is not ended it goes on by itself: with sessions as they are listed, and with
	 * those that grow.
	 */
	search(query: Query, listener: (event: SearchEvent) => void): () => void;
	/** All entries of one session in which some of the query's terms are, in file order. */
	hits(query: Query, path: string): Promise<readonly Hit[]>;
	/** Resolves when all sessions listed so far have been counted; rejects when the catalog fails. */
	counted(): Promise<void>;
	/** Adds up what the sessions of these rows hold and cost, as far as they have been counted. */
	stats(rows: readonly SessionRow[]): Promise<CatalogStats>;
	/** Ends watching and reading; nothing is told afterwards. */
	close(): Promise<void>;
}

/** So many rows of the index are told first: enough for any screen. */
const FIRST_ROWS = 200;
/** The others wait this long (in ms) for the first screen to be drawn and its tree to be read, … */
const FIRST_SCREEN_MS = 150;
/** … and follow in pieces of so many. */
const MORE_ROWS = 2500;

export function openCatalog(options: CatalogOptions): Catalog {
	return new WorkerCatalog(options);
}

class WorkerCatalog implements Catalog {
	readonly #sessionRoots: SessionRoots;
	/** Before the rows that no first screen shows, in ms. */
	readonly #pause: number;
	#indexDir: string;
	readonly #worker: Worker;
	readonly #stored = Promise.withResolvers<void>();
	readonly #listed = Promise.withResolvers<void>();
	readonly #counted = Promise.withResolvers<void>();
	/** The worker is gone, whether it was closed or has failed. */
	readonly #ended = Promise.withResolvers<void>();
	readonly #search = new SearchClient();
	readonly #refreshes = new Map<number, PromiseWithResolvers<void>>();
	#requests = 0;
	#listener: ((event: CatalogEvent) => void) | undefined;
	#closed = false;

	constructor({ sessionRoots, cacheDir, watch = true, numbers = true, screenFirst = false }: CatalogOptions) {
		this.#pause = screenFirst ? FIRST_SCREEN_MS : 0;
		this.#sessionRoots = sessionRoots;
		this.#indexDir = cacheDir ?? defaultCacheDir(process.env, homedir());
		const workerData: ScanWorkerData = { sessionRoots, cacheDir: this.#indexDir, watch, numbers };
		// Parsing leaves much garbage behind: a small nursery keeps the program's memory small, at no cost that was measured.
		this.#worker = new Worker(workerUrl("scan-worker"), {
			workerData,
			// Without the arguments of this process: one like --input-type would keep the thread from starting.
			execArgv: [],
			resourceLimits: { maxYoungGenerationSizeMb: 8 },
		});
		this.#worker.on("message", (message: FromScanWorker) => this.#receive(message));
		this.#worker.on("error", (error) => this.#fail(error));
		this.#worker.on("exit", () => this.#ended.resolve());
		// Whoever does not ask for them must not be ended by them: the error event above already speaks.
		this.#listed.promise.catch(() => undefined);
		this.#counted.promise.catch(() => undefined);
	}

	start(listener: (event: CatalogEvent) => void): void {
		if (this.#listener) throw new Error("the catalog was started already");
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
		this.#listed.resolve();
		this.#counted.resolve();
	}

	/** Tells the rows of the index as they are; returns the last change that they contain. */
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
				// In pieces, so that keys are answered in between.
				await delay(1);
				this.#emit({ type: "rows", rows: readRows(db, root, { limit: MORE_ROWS, offset }) });
			}
			return seen;
		} catch {
			// Damaged: the worker will find it so too, set it aside, and say so.
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
		else if (message.type === "live") this.#emit(message);
		else {
			this.#refreshes.get(message.request)?.resolve();
			this.#refreshes.delete(message.request);
		}
	}

	#emit(event: CatalogEvent): void {
		if (this.#closed) return;
		if (event.type === "rows") this.#search.update(event.rows.map(fileOf));
		else if (event.type === "gone") this.#search.remove(event.paths);
		this.#listener?.(event);
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
		const message = `Reading the sessions failed: ${reason.message}. The list is no longer kept up to date; start again.`;
		this.#emit({ type: "problems", problems: [{ path: rootOf(this.#sessionRoots), message }] });
	}
}

function fileOf({ path, size, modified }: SessionRow): SearchFile {
	return { path, size, modified: modified.getTime() };
}
