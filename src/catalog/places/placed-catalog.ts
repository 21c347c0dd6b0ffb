import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { explain } from "../../store/files/store-error.ts";
import { openCatalog } from "../catalog.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { CatalogEvent, CatalogProblem, PlaceState } from "../model/event.ts";
import { NOTHING_LIVE } from "../model/live.ts";
import type { SessionRow } from "../model/row.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import type { Query } from "../query/parse-query.ts";
import type { SearchEvent } from "../search/search.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { HostCatalog, type HostCatalogOptions, type PlaceCatalog } from "./host-catalog.ts";
import { type DirectoryPlace, type Place, PlaceError, placedPath, splitPlaced, unaskedState } from "./place.ts";
import { atHome, type Homes, rowOfPlace } from "./placed-rows.ts";

export interface PlaceOptions extends HostCatalogOptions {
	readonly home: string;
	readonly stateDir: string;
	/** Whether a directory is watched, and directories in the home of another machine are called as they would be here. @default true */
	readonly isBrowsed?: boolean;
}

/**
 * The catalog of a place, with its sessions called as they are among those of all places: "mini:/path". A directory is read by this
 * machine's own catalog, a host by `HostCatalog`. It is opened when somebody wants to see it; what has failed is opened anew.
 */
export class PlacedCatalog {
	readonly place: Place;
	readonly #options: PlaceOptions;
	readonly #listener: (event: CatalogEvent) => void;
	/** The sessions that are known, by their paths there. */
	readonly #own = new Map<string, SessionRow>();
	/** The same, and their counts, by the paths by which they are called here. */
	readonly rows = new Map<string, SessionRow>();
	readonly counts = new Map<string, SessionCounts>();
	/** Paths of those in use there, as they are called here. */
	live: readonly string[] = [];
	problems: readonly CatalogProblem[] = [];
	#state: Pick<PlaceState, "phase" | "asOfMs" | "reason"> = { phase: "unasked" };
	/** The catalog while it is open, or being opened. */
	#opening: Promise<PlaceCatalog> | undefined;
	#listing: Promise<void> = Promise.resolve();
	#host: HostCatalog | undefined;
	/** Home directory of a host, also after it was closed. */
	#home: string | undefined;
	/** Resolves when what was closed has ended. */
	#closing: Promise<unknown> = Promise.resolve();

	/** `listener`: gets what changes, and the state of the place as an event of the type "places". */
	constructor(place: Place, options: PlaceOptions, listener: (event: CatalogEvent) => void) {
		this.place = place;
		this.#options = options;
		this.#listener = listener;
	}

	get state(): PlaceState {
		return { ...unaskedState(this.place), count: this.rows.size, ...this.#state };
	}

	get isOpen(): boolean {
		return this.#opening !== undefined;
	}

	/** Home directory there; undefined if it is not known yet. */
	get home(): string | undefined {
		return this.place.kind === "dir" ? this.#options.home : this.#home;
	}

	/** What a host says of itself, once it has answered; undefined for a directory. */
	get hello(): HostCatalog["hello"] | undefined {
		return this.#host?.hello;
	}

	/** Opens and lists the place, unless it is open. Resolves when it is listed; rejects with a `PlaceError`. */
	reach(): Promise<void> {
		if (this.#opening !== undefined) return this.#listing;
		this.#setState({ phase: "asking", asOfMs: this.#state.asOfMs });
		const opening = this.#closing.then(() => this.#open());
		this.#opening = opening;
		this.#listing = this.#list(opening).catch((error: unknown) => {
			if (this.#opening === opening) this.#fail(`${error instanceof PlaceError ? error.message : explain(error)}`);
			throw error;
		});
		this.#listing.catch(() => undefined);
		return this.#listing;
	}

	/** Lists a host again that is listed, `now` or when that is little work for it; a directory is watched. */
	async refreshHost(now: boolean): Promise<void> {
		if (this.#state.phase === "listed") await (now ? this.#host?.refresh() : this.#host?.follow());
	}

	/** Closes it; its rows stay. Resolves when its process or threads have ended. */
	rest(): Promise<unknown> {
		if (this.#opening !== undefined) this.#close({ phase: "unasked", asOfMs: this.#asOf() });
		return this.#closing;
	}

	/** Resolves when all sessions are counted. */
	async counted(): Promise<void> {
		await (await this.#opening)?.counted();
	}

	/** Searches the place; its state says why it cannot. Returns what ends that. */
	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		let isStopped = false;
		let stop = (): void => undefined;
		const take = (event: SearchEvent): void => {
			if (isStopped) return;
			const reason = event.type === "error" ? event.message : undefined;
			if (event.type !== "results" && this.#state.reason !== reason) this.#setState({ ...this.#state, reason });
			listener(this.#placedEvent(event));
		};
		const begin = (catalog: PlaceCatalog): void => {
			if (!isStopped) stop = catalog.search(query, take);
		};
		this.#opening?.then(begin, () => undefined);
		return () => {
			isStopped = true;
			stop();
		};
	}

	/** Sets the visible sessions of all places. */
	watchVisible(all: readonly string[], watched: number): void {
		const paths = all.flatMap((path) => this.#ownPath(path) ?? []);
		this.#opening?.then(
			(catalog) => catalog.watchVisible(paths, watched),
			() => undefined,
		);
	}

	/** Sums over the sessions that are asked for, counted there. Rejects with a `PlaceError`. */
	async stats(isAsked: (row: SessionRow) => boolean): Promise<StatsSums> {
		const catalog = await this.#opening;
		if (catalog === undefined) throw new PlaceError(`${this.place.name}: it is not connected`);
		await catalog.counted();
		const { name } = this.place;
		const sums = await catalog.stats([...this.#own.values()], ({ path }) => {
			const row = this.rows.get(placedPath(name, path));
			return row !== undefined && isAsked(row);
		});
		const homes = this.#homes;
		if (homes === undefined) return sums;
		return { ...sums, projects: sums.projects.map((line) => ({ ...line, key: atHome(line.key, homes) })) };
	}

	/** A file of this machine with what a session has now. Rejects with a `PlaceError`, or the signal's reason. */
	async fileOf(path: string, signal: AbortSignal): Promise<string> {
		const own = this.#ownPath(path) ?? "";
		if (this.place.kind === "ssh") await this.reach();
		const row = this.#own.get(own);
		if (row === undefined) throw new PlaceError(`${this.place.name}: the session is no longer listed there`);
		return this.#host === undefined ? own : this.#host.fileOf(row, signal);
	}

	/** The path there of a session of this place; undefined for any other one. */
	#ownPath(path: string): string | undefined {
		const { place, rest } = splitPlaced(path) ?? {};
		return place === this.place.name ? rest : undefined;
	}

	async #open(): Promise<PlaceCatalog> {
		const { place } = this;
		if (place.kind === "dir") {
			const { cacheDir, stateDir, isBrowsed = true } = this.#options;
			const sessionRoots = await directoryRoots(place);
			return openCatalog({ sessionRoots, cacheDir, stateDir, watch: isBrowsed });
		}
		this.#host = new HostCatalog(place, this.#options);
		return this.#host;
	}

	async #list(opening: Promise<PlaceCatalog>): Promise<void> {
		const catalog = await opening;
		if (this.#opening !== opening) throw new PlaceError(`${this.place.name}: it is no longer asked`);
		const listed = new Set<string>();
		catalog.start((event) => {
			if (this.#opening !== opening) return;
			if (event.type === "rows") for (const { path } of event.rows) listed.add(path);
			this.#take(event);
		});
		await catalog.listed();
		if (this.#opening !== opening) return;
		// What was known from before it was closed, and is no longer there.
		this.#take({ type: "gone", paths: [...this.#own.keys()].filter((path) => !listed.has(path)) });
		this.#setState({ phase: "listed" });
	}

	#take(event: CatalogEvent): void {
		const { name } = this.place;
		const placed = (path: string): string => placedPath(name, path);
		if (event.type === "rows") {
			const homes = this.#homes;
			const rows = event.rows.map((row) => rowOfPlace(row, name, homes));
			for (const row of event.rows) this.#own.set(row.path, row);
			for (const row of rows) this.rows.set(row.path, row);
			this.#listener({ type: "rows", rows });
		} else if (event.type === "gone") {
			const paths = event.paths.filter((path) => this.#own.delete(path)).map(placed);
			for (const path of paths) {
				this.rows.delete(path);
				this.counts.delete(path);
			}
			this.#listener({ type: "gone", paths });
		} else if (event.type === "counts") {
			const counts = event.counts.flatMap(([path, one]) => (this.#own.has(path) ? [[placed(path), one] as const] : []));
			for (const [path, one] of counts) this.counts.set(path, one);
			this.#listener({ type: "counts", counts });
		} else if (event.type === "live") {
			this.live = [...event.report.sessions.keys()].map(placed);
			this.#listener({ type: "live", report: NOTHING_LIVE });
		} else if (event.type === "problems") {
			this.problems = event.problems.map(({ message }) => ({ path: name, message }));
			this.#listener({ type: "problems", problems: this.problems });
		} else if (event.type === "places") {
			const [{ phase, asOfMs, reason = "" }] = event.places as readonly [PlaceState];
			if (phase === "failed") this.#fail(reason);
			else this.#setState({ phase, asOfMs });
		}
	}

	#placedEvent(event: SearchEvent): SearchEvent {
		const { name } = this.place;
		if (event.type === "lost") return { ...event, paths: event.paths.map((path) => placedPath(name, path)) };
		if (event.type === "unread") {
			const placed = [...event.reasons].map(([path, reason]) => [placedPath(name, path), reason] as const);
			return { ...event, reasons: new Map(placed) };
		}
		if (event.type !== "results") return event;
		// Their number is bounded by that of the rows, which come first.
		const known = event.results.filter(({ path }) => this.#own.has(path));
		return { ...event, results: known.map((one) => ({ ...one, path: placedPath(name, one.path) })) };
	}

	/** The homes of a host and of this machine, if directories are to be called as they would be here. */
	get #homes(): Homes | undefined {
		const { home: here, isBrowsed = true } = this.#options;
		this.#home = this.#host?.home ?? this.#home;
		return this.#home === undefined || !isBrowsed ? undefined : { here, there: this.#home };
	}

	/** When its rows were listed, if they are not those of now. */
	#asOf(): number | undefined {
		return this.#state.phase === "listed" ? Date.now() : this.#state.asOfMs;
	}

	#fail(reason: string): void {
		this.#close({ phase: "failed", asOfMs: this.#asOf(), reason });
	}

	#close(state: Pick<PlaceState, "phase" | "asOfMs" | "reason">): void {
		const closing = this.#opening?.then(
			(catalog) => catalog.close(),
			() => undefined,
		);
		this.#closing = Promise.all([this.#closing, closing]);
		this.#opening = undefined;
		this.#host = undefined;
		this.live = [];
		this.#setState(state);
		this.#listener({ type: "live", report: NOTHING_LIVE });
	}

	#setState(state: Pick<PlaceState, "phase" | "asOfMs" | "reason">): void {
		this.#state = state;
		this.#listener({ type: "places", places: [this.state] });
	}
}

/** Where the sessions of a directory are: in an agent directory, in directories of projects, or directly in it. */
async function directoryRoots({ name, path }: DirectoryPlace): Promise<SessionRoots> {
	const found = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
		throw new PlaceError(`${name}: ${path} cannot be read: ${explain(error)}`);
	});
	const shared = { agentDir: path, problems: [] };
	if (found.some((one) => one.name === "sessions" && !one.isFile()))
		return { kind: "default", root: join(path, "sessions"), ...shared };
	const isFlat = found.some((one) => !one.isDirectory() && one.name.endsWith(".jsonl"));
	return isFlat ? { kind: "custom", dir: path, ...shared } : { kind: "default", root: path, ...shared };
}
