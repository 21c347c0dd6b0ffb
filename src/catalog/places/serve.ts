import type { Readable, Writable } from "node:stream";
import packageFile from "../../../package.json" with { type: "json" };
import { openFileAsync } from "../../store/files/open-file.ts";
import { explain } from "../../store/files/store-error.ts";
import { type Catalog, openCatalog } from "../catalog.ts";
import type { CountedSessions, SessionCounts } from "../model/counts.ts";
import type { CatalogEvent } from "../model/event.ts";
import type { SessionRow } from "../model/row.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";
import { unanswerable } from "../query/conditions.ts";
import { parseQuery } from "../query/parse-query.ts";
import type { SearchEvent } from "../search/search.ts";
import { PathSet } from "../sync/path-set.ts";
import { AnswerWriter } from "./answer-writer.ts";
import { indexStamp, unchangedSince } from "./index-stamp.ts";
import { readLines } from "./line-channel.ts";
import { MAX_LINE_BYTES, PROTOCOL, parseRequest, READ_BYTES, type Request, requestId } from "./protocol.ts";
import { SelectedPaths } from "./selected-paths.ts";
import { countsToWire, resultToWire, rowToWire } from "./wire.ts";
import { sumTables, totalsToWire } from "./wire-stats.ts";

export interface ServeOptions {
	readonly sessionRoots: SessionRoots;
	readonly home: string;
	readonly cacheDir: string;
	readonly stateDir: string;
}

/**
 * Answers requests about the sessions of this machine, lines of JSON (docs/protocol.md), until the input ends. Reads only: what it can
 * be asked for are the sessions that are listed here, by those who can log in anyway. Resolves when everything is closed.
 */
export async function serve(input: Readable, output: Writable, options: ServeOptions): Promise<void> {
	const server = new Server(output, options);
	server.greet();
	const ended = Promise.withResolvers<void>();
	readLines(input, MAX_LINE_BYTES, {
		onLine: (line) => server.take(line),
		onTooLong: () => {
			server.refuse("A request is longer than a line may be.");
			ended.resolve();
		},
	});
	for (const event of ["end", "close", "error"]) input.once(event, () => ended.resolve());
	// Whoever asked is gone.
	for (const event of ["close", "error"]) output.once(event, () => ended.resolve());
	await ended.promise;
	await server.close();
}

/** Something is sent at least this often, in milliseconds. */
const BUSY_MS = 2000;
/** The unit of work in such a line: processor time, in microseconds, which saying so alone does not take. */
const WORK_MICROS = 20_000;

type RequestOf<Type extends Request["type"]> = Extract<Request, { readonly type: Type }>;

class Server {
	readonly #writer: AnswerWriter;
	readonly #options: ServeOptions;
	#catalog: Catalog | undefined;
	/** What the catalog has emitted so far. */
	readonly #rows = new Map<string, SessionRow>();
	readonly #counts = new Map<string, SessionCounts>();
	#live: readonly string[] = [];
	#problems: readonly string[] = [];
	/** Requests for the list, which get all that changes. */
	readonly #lists = new Map<number, (event: CatalogEvent) => void>();
	/** Resolves when the first rows of the last such request can be sent. */
	#comparing: Promise<unknown> | undefined;
	#search: { readonly id: number; readonly stop: () => void } | undefined;
	/** Id of the last request that set what is visible. */
	#visible = 0;
	readonly #selected = new SelectedPaths();
	/** Requests that are worked on, or whose answers go on until they are canceled. */
	readonly #open = new Set<number>();
	readonly #heartbeat: NodeJS.Timeout;
	#isClosed = false;

	constructor(output: Writable, options: ServeOptions) {
		this.#writer = new AnswerWriter(output);
		this.#options = options;
		this.#heartbeat = setInterval(() => {
			// Also while nothing is asked: that nobody reads any more is only seen by writing.
			const { user, system } = process.cpuUsage();
			const done = Math.floor((user + system) / WORK_MICROS);
			for (const id of this.#open.size === 0 ? [0] : this.#open) this.#writer.send(id, { type: "busy", done });
		}, BUSY_MS);
	}

	greet(): void {
		const { sessionRoots, home } = this.#options;
		this.#writer.greet({
			type: "hello",
			protocol: PROTOCOL.newest,
			oldest: PROTOCOL.oldest,
			version: packageFile.version,
			home,
			sessions: rootOf(sessionRoots),
			now: Date.now(),
		});
	}

	/** Answers a line; one that is not understood with an error. */
	take(line: string): void {
		if (line.trim() === "") return;
		const request = parseRequest(line);
		if (request === undefined)
			this.refuse("A request was not understood; pi-grove may be older here than there.", requestId(line));
		else if (request.type === "cancel") this.#cancel(request.id);
		else void this.#answer(request);
	}

	/** Reports an error; `id` is 0 if it belongs to no request. */
	refuse(message: string, id = 0): void {
		this.#writer.send(id, { type: "error", message });
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#writer.close();
		clearInterval(this.#heartbeat);
		this.#open.clear();
		this.#lists.clear();
		await this.#catalog?.close();
	}

	async #answer(request: Exclude<Request, { readonly type: "cancel" }>): Promise<void> {
		const { id } = request;
		this.#open.add(id);
		try {
			// These go on.
			if (request.type === "list") return await this.#list(request);
			if (request.type === "search") return await this.#startSearch(request);
			if (request.type === "paths") await this.#sendPaths(request);
			else if (request.type === "read") await this.#read(request);
			else if (request.type === "stats") await this.#sendStats(request);
			else this.#show(request);
		} catch (error) {
			this.#writer.send(id, { type: "error", message: explain(error) });
		}
		this.#open.delete(id);
	}

	#show({ id, paths }: RequestOf<"visible">): void {
		this.#visible = id;
		this.#started().watchVisible(paths, id);
	}

	#cancel(id: number): void {
		this.#open.delete(id);
		this.#lists.delete(id);
		this.#selected.forget(id);
		if (this.#search?.id !== id) return;
		this.#search.stop();
		this.#search = undefined;
	}

	/** The catalog, which is started with the first request. */
	#started(): Catalog {
		if (this.#catalog !== undefined) return this.#catalog;
		const { sessionRoots, cacheDir, stateDir } = this.#options;
		const catalog = openCatalog({ sessionRoots, cacheDir, stateDir });
		this.#catalog = catalog;
		catalog.start((event) => {
			const fresh = event.type === "counts" ? { ...event, counts: event.counts.filter(this.#isNew) } : event;
			this.#remember(fresh);
			for (const send of this.#lists.values()) send(fresh);
		});
		return catalog;
	}

	/** Whether counts are others than before: those that are stored are emitted once more when counting begins. */
	readonly #isNew = ([path, counts]: CountedSessions[number]): boolean =>
		JSON.stringify(counts) !== JSON.stringify(this.#counts.get(path));

	#remember(event: CatalogEvent): void {
		if (event.type === "rows") for (const row of event.rows) this.#rows.set(row.path, row);
		else if (event.type === "counts") for (const [path, counts] of event.counts) this.#counts.set(path, counts);
		else if (event.type === "live") this.#live = [...event.report.sessions.keys()];
		else if (event.type === "problems") this.#problems = event.problems.map(({ message }) => message);
		else if (event.type === "gone")
			for (const path of event.paths) {
				this.#rows.delete(path);
				this.#counts.delete(path);
			}
	}

	async #list({ id, since }: RequestOf<"list">): Promise<void> {
		const { cacheDir, sessionRoots } = this.#options;
		const comparing = since === undefined ? undefined : unchangedSince(since, cacheDir, rootOf(sessionRoots));
		this.#comparing = comparing;
		const unchanged = (await comparing) ?? new Map<string, SessionRow>();
		if (!this.#open.has(id)) return;
		const catalog = this.#started();
		const counted = new Set(unchanged.keys());
		const send = (event: CatalogEvent): void => {
			// The first time they are those that are stored, which are there already, unless they have changed since.
			if (event.type === "rows") {
				const fresh = event.rows.filter((row) => {
					const stored = unchanged.get(row.path);
					unchanged.delete(row.path);
					const isSame = stored?.size === row.size && stored.modified.getTime() === row.modified.getTime();
					if (!isSame) counted.delete(row.path);
					return !isSame;
				});
				this.#writer.list(id, "rows", fresh.map(rowToWire));
			} else if (event.type === "counts")
				this.#sendCounts(
					id,
					event.counts.filter(([path]) => !counted.delete(path)),
				);
			else if (event.type === "gone") this.#writer.list(id, "gone", event.paths);
			else if (event.type === "live") this.#writer.send(id, { type: "live", paths: [...event.report.sessions.keys()] });
			else if (event.type === "progress")
				this.#writer.send(id, { type: "progress", done: event.read, total: event.total });
			else if (event.type === "problems")
				this.#writer.send(id, { type: "problems", problems: event.problems.map(({ message }) => message) });
		};
		send({ type: "rows", rows: [...this.#rows.values()] });
		send({ type: "counts", counts: [...this.#counts] });
		if (this.#live.length > 0) this.#writer.send(id, { type: "live", paths: [...this.#live] });
		if (this.#problems.length > 0) this.#writer.send(id, { type: "problems", problems: [...this.#problems] });
		this.#lists.set(id, send);
		await catalog.listed();
		const { signature } = new PathSet(this.#rows.keys());
		this.#writer.send(id, { type: "listed", signature });
		await catalog.counted();
		// Rows are stored behind the list; what is counted is stored.
		this.#writer.send(id, { type: "counted", stamp: await indexStamp(cacheDir) });
	}

	async #sendPaths({ id }: RequestOf<"paths">): Promise<void> {
		await this.#started().listed();
		this.#writer.list(id, "paths", [...this.#rows.keys()]);
		this.#writer.send(id, { type: "end", size: this.#rows.size });
	}

	async #startSearch({ id, query }: RequestOf<"search">): Promise<void> {
		const parsed = parseQuery(query);
		const mistake = "error" in parsed ? parsed.error : unanswerable(parsed.query);
		if ("error" in parsed || mistake !== undefined) throw new Error(`cannot read the query ${query}: ${mistake}`);
		const catalog = this.#started();
		// Earlier it would only know what is listed by then, and settle for a moment.
		await catalog.listed();
		// Its rows come before its results.
		await this.#comparing;
		if (this.#isClosed || !this.#open.has(id)) return;
		this.#search?.stop();
		this.#search = { id, stop: catalog.search(parsed.query, (event) => this.#sendSearchEvent(id, event)) };
	}

	#sendSearchEvent(id: number, event: SearchEvent): void {
		if (event.type === "results") this.#writer.list(id, "results", event.results.map(resultToWire));
		else if (event.type === "lost") this.#writer.list(id, "lost", event.paths);
		else if (event.type === "progress")
			this.#writer.send(id, { type: "progress", done: event.searched, total: event.total });
		else if (event.type === "settled") {
			const visible = event.watched === this.#visible ? this.#visible : 0;
			this.#writer.send(id, { type: "settled", visible, inForms: event.inForms });
		} else if (event.type === "error") this.#writer.send(id, { type: "error", message: event.message });
	}

	async #read({ id, path, from, to = Number.MAX_SAFE_INTEGER }: RequestOf<"read">): Promise<void> {
		if (!this.#rows.has(path)) await this.#started().listed();
		if (!this.#rows.has(path)) throw new Error("it is not a session that is listed there");
		const { handle, stats } = await openFileAsync(path);
		try {
			const end = Math.min(to, stats.size);
			const buffer = Buffer.allocUnsafe(READ_BYTES);
			for (let at = from; at < end && this.#open.has(id); ) {
				const { bytesRead } = await handle.read(buffer, 0, Math.min(READ_BYTES, end - at), at);
				if (bytesRead === 0) break;
				this.#writer.send(id, { type: "bytes", from: at, data: buffer.toString("base64", 0, bytesRead) });
				at += bytesRead;
				await this.#writer.drained();
			}
			this.#writer.send(id, { type: "end", size: stats.size });
		} finally {
			await handle.close();
		}
	}

	/** Sends the sums over the sessions that a request selects, once all of its paths have come, and everything is counted. */
	async #sendStats(request: RequestOf<"stats">): Promise<void> {
		const { id } = request;
		const isAsked = this.#selected.add(request);
		if (isAsked === undefined) return;
		const catalog = this.#started();
		await catalog.listed();
		await catalog.counted();
		const sums = await catalog.stats([...this.#rows.values()], isAsked);
		if (!this.#open.has(id)) return;
		for (const [of, lines] of sumTables(sums)) this.#writer.list(id, "lines", lines, { of });
		this.#writer.send(id, { type: "sums", sums: totalsToWire(sums) });
	}

	#sendCounts(id: number, counts: readonly (readonly [path: string, counts: SessionCounts, ...unknown[]])[]): void {
		this.#writer.list(
			id,
			"counts",
			counts.map(([path, one]) => [path, countsToWire(one)]),
		);
	}
}
