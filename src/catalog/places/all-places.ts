import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "../catalog.ts";
import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import type { LiveEvidence, LiveReport } from "../model/live.ts";
import { NOTHING_LIVE } from "../model/live.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import type { Query } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SessionHits } from "../search/search.ts";
import type { CatalogStats, StatsSums } from "../stats/aggregate-stats.ts";
import { NO_SUMS, placedStats } from "../stats/merge-stats.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";
import {
	type CommandLine,
	commandThere,
	type Machine,
	type Place,
	PlaceError,
	splitPlaced,
	THIS_MACHINE,
	unaskedState,
} from "./place.ts";
import type { PlacedCatalog, PlaceOptions } from "./placed-catalog.ts";
import { RowsOnce } from "./placed-rows.ts";
import { readPlaces } from "./places-file.ts";
import { SearchEverywhere } from "./search-everywhere.ts";

/** The catalog of this machine and of all places. */
export interface AllPlaces extends Catalog {
	/** Reads the person's file of places again, and asks those that are new if others are asked. */
	reload(): void;
	/**
	 * Whether somebody wants to see the sessions of other places: then these are listed, watched and searched, and places that have
	 * failed are tried again.
	 */
	reach(isWanted: boolean): void;
	/** A file of this machine with what a session has now; its own path for one of this machine. Rejects with a `PlaceError`. */
	fileOf(path: string, signal: AbortSignal): Promise<string>;
	/** The machine that a session is on. */
	machineOf(path: string): Machine;
	/**
	 * How to go on with a session of another machine in this terminal, at an entry if one is given. Throws a `PlaceError` for one of a
	 * directory.
	 */
	resumeThere(path: string, entryId: string | undefined): CommandLine;
	/** The person's file of places; undefined if there are none, as in the demo. */
	readonly file: string | undefined;
}

interface AllPlacesOptions extends PlaceOptions {
	/** The person's file of places; without one there are none. */
	readonly file: string | undefined;
}

const NO_PLACES: ReturnType<typeof readPlaces> = { places: [], problems: [] };
/** Hosts are listed again this often while somebody wants to see them, in milliseconds. */
const FOLLOW_MS = 10_000;

/** The catalog `here`, with the sessions of other places beside it once somebody wants to see them. */
export function openAllPlaces(here: Catalog, options: AllPlacesOptions): AllPlaces {
	return new PlacesCatalog(here, options);
}

class PlacesCatalog implements AllPlaces {
	readonly #here: Catalog;
	readonly #options: AllPlacesOptions;
	/** By name. */
	#places: ReadonlyMap<string, Place> = new Map();
	/** Those of the places, once their sessions are wanted: before, nothing of what asks a place is loaded. */
	readonly #catalogs = new Map<string, PlacedCatalog>();
	/** Resolves when the places that are wanted have catalogs. */
	#reaching: Promise<unknown> = Promise.resolve();
	/** The rows of this machine. */
	readonly #rowsHere = new Map<string, SessionRow>();
	/** All rows, once other places are wanted. */
	#once: RowsOnce | undefined;
	#live: LiveReport = NOTHING_LIVE;
	#listener: ((event: CatalogEvent) => void) | undefined;
	#isWanted = false;
	#following: NodeJS.Timeout | undefined;
	/** Problems of this machine, and what is wrong with the file of places. */
	#problemsHere: readonly CatalogProblem[] = [];
	#fileProblems: readonly string[] = [];
	#emittedProblems = "[]";
	/** The search that goes on. */
	#search: { readonly query: Query; readonly everywhere: SearchEverywhere } | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };

	constructor(here: Catalog, options: AllPlacesOptions) {
		this.#here = here;
		this.#options = options;
		this.reload();
	}

	get file(): string | undefined {
		return this.#options.file;
	}

	start(listener: (event: CatalogEvent) => void): void {
		this.#listener = listener;
		this.#here.start((event) => this.#take(event));
		this.#emitStates();
		this.#emitProblems();
	}

	reload(): void {
		const { file, home } = this.#options;
		const { places, problems } = file === undefined ? NO_PLACES : readPlaces(file, home);
		this.#fileProblems = problems;
		const removed = [...this.#places.keys()].filter((name) => places.every((place) => place.name !== name));
		this.#places = new Map(places.map((place) => [place.name, place]));
		const resting = [...this.#catalogs].map(async ([name, catalog]) => {
			if (isDeepStrictEqual(this.#places.get(name), catalog.place)) return;
			this.#catalogs.delete(name);
			this.#search?.everywhere.remove(name);
			this.#emitRows([], [...catalog.rows.keys()]);
			await catalog.rest();
		});
		// What is kept of a place that was only changed is not used, since it says which one it is of.
		if (removed.length > 0) void this.#forget(removed, resting);
		if (this.#isWanted) this.#reaching = this.#reachAll();
		this.#emitStates();
		this.#emitProblems();
	}

	async #forget(names: readonly string[], resting: readonly Promise<unknown>[]): Promise<void> {
		const { forgetKept } = await import("./host-catalog.ts");
		await Promise.all(resting);
		await Promise.all(names.map((name) => forgetKept(this.#options.cacheDir, name)));
	}

	reach(isWanted: boolean): void {
		this.#isWanted = isWanted;
		clearInterval(this.#following);
		if (!isWanted) return;
		if (this.#once === undefined) {
			this.#once = new RowsOnce();
			this.#once.change(this.#rowsHere.values());
		}
		this.#following = setInterval(() => this.#refreshHosts(false), FOLLOW_MS).unref();
		this.reload();
	}

	async fileOf(path: string, signal: AbortSignal): Promise<string> {
		return isHere(path) ? path : this.#find(path).fileOf(path, signal);
	}

	machineOf(path: string): Machine {
		const { place: name = "" } = splitPlaced(path) ?? {};
		// What was removed may have been another machine.
		if (isHere(path) || this.#places.get(name)?.kind === "dir") return THIS_MACHINE;
		return { home: this.#catalogs.get(name)?.home, place: name };
	}

	resumeThere(path: string, entryId: string | undefined): CommandLine {
		const { place } = this.#find(path);
		const { rest: there = "" } = splitPlaced(path) ?? {};
		if (place.kind === "ssh")
			return commandThere(place, ["resume", entryId === undefined ? there : `${there}#${entryId}`]);
		throw new PlaceError(`the sessions of ${place.name} are only read: pi uses another directory here`);
	}

	watchVisible(paths: readonly string[], watched = 0): void {
		this.#visible = { paths, watched };
		this.#here.watchVisible(paths.filter(isHere), watched);
		for (const catalog of this.#catalogs.values()) catalog.watchVisible(paths, watched);
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#search?.everywhere.stop();
		const everywhere = new SearchEverywhere(listener);
		const search = { query, everywhere };
		this.#search = search;
		everywhere.add(HERE, this.#rowsHere.size, (take) => this.#here.search(query, take));
		if (this.#isWanted) for (const catalog of this.#catalogs.values()) this.#searchIn(catalog);
		return () => {
			everywhere.stop();
			if (this.#search === search) this.#search = undefined;
		};
	}

	async hits(query: Query, path: string): Promise<SessionHits> {
		// If it cannot be fetched, reading the session, for which the hits are, reports why.
		const file = await this.fileOf(path, new AbortController().signal).catch(() => undefined);
		return file === undefined ? NO_HITS : this.#here.hits(query, file);
	}

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow): boolean => true): Promise<CatalogStats> {
		const own = all.filter(({ place }) => place === undefined);
		const here = this.#here.stats(own, isAsked);
		if (own.length === all.length) return here;
		const asked = all.filter(isAsked);
		const there = [...this.#catalogs].map(async ([name, catalog]) => {
			const rows = asked.filter(({ place }) => place === name);
			return { name, sums: await sumsOf(catalog, rows) };
		});
		const parts = await Promise.all([here.then((sums) => ({ name: HERE, sums })), ...there]);
		return placedStats(parts);
	}

	async changed(paths: readonly string[]): Promise<void> {
		await this.#here.changed(paths.filter(isHere));
	}

	async checkUse(paths: readonly string[]): Promise<LiveReport> {
		await this.#here.checkUse(paths.filter(isHere));
		return this.#liveEverywhere();
	}

	async refresh(): Promise<void> {
		if (this.#isWanted) this.reach(true);
		this.#refreshHosts(true);
		await this.#here.refresh();
	}

	async rest(): Promise<void> {
		await Promise.all([this.#here.rest(), this.#restPlaces()]);
	}

	async #restPlaces(): Promise<void> {
		await this.#reaching;
		clearInterval(this.#following);
		await Promise.all([...this.#catalogs.values()].map((catalog) => catalog.rest()));
	}

	async wake(): Promise<void> {
		if (this.#isWanted) this.reach(true);
		await this.#here.wake();
	}

	async close(): Promise<void> {
		this.#listener = undefined;
		this.#isWanted = false;
		this.#search?.everywhere.stop();
		this.#search = undefined;
		await Promise.all([this.#here.close(), this.#restPlaces()]);
	}

	stored(): Promise<void> {
		return this.#here.stored();
	}

	listed(): Promise<void> {
		return this.#here.listed();
	}

	counted(): Promise<void> {
		return this.#here.counted();
	}

	askUses(asked: UsesRequest, listener: (event: UsesEvent) => void): void {
		this.#here.askUses(asked, listener);
	}

	stopUses(): void {
		this.#here.stopUses();
	}

	/** The catalog of a session of a place. Throws a `PlaceError` if the place was removed. */
	#find(path: string): PlacedCatalog {
		const { place = "" } = splitPlaced(path) ?? {};
		const catalog = this.#catalogs.get(place);
		if (catalog === undefined) throw new PlaceError(`${place} is not a place any more`);
		return catalog;
	}

	#take(event: CatalogEvent): void {
		if (event.type === "rows") {
			for (const row of event.rows) this.#rowsHere.set(row.path, row);
			if (this.#once === undefined) this.#listener?.(event);
			else this.#emitRows(event.rows);
		} else if (event.type === "gone") {
			for (const path of event.paths) this.#rowsHere.delete(path);
			if (this.#once === undefined) this.#listener?.(event);
			else this.#emitRows([], event.paths);
		} else if (event.type === "live") {
			this.#live = event.report;
			this.#emitLive();
		} else if (event.type === "problems") {
			this.#problemsHere = event.problems;
			this.#emitProblems();
		} else this.#listener?.(event);
	}

	#takeFrom(catalog: PlacedCatalog, event: CatalogEvent): void {
		// Of a place that was removed, or is another one now.
		if (this.#catalogs.get(catalog.place.name) !== catalog) return;
		if (event.type === "rows") this.#emitRows(event.rows);
		else if (event.type === "gone") this.#emitRows([], event.paths);
		else if (event.type === "counts") this.#listener?.(event);
		else if (event.type === "live") this.#emitLive();
		else if (event.type === "problems") this.#emitProblems();
		else if (event.type === "places") {
			// One that has failed, or rests, can search no further.
			if (!catalog.isOpen) this.#search?.everywhere.remove(catalog.place.name);
			this.#emitStates();
		}
	}

	async #reachAll(): Promise<void> {
		const { PlacedCatalog } = await import("./placed-catalog.ts");
		if (!this.#isWanted) return;
		for (const [name, place] of this.#places) {
			const catalog: PlacedCatalog =
				this.#catalogs.get(name) ?? new PlacedCatalog(place, this.#options, (event) => this.#takeFrom(catalog, event));
			this.#catalogs.set(name, catalog);
			void catalog.reach().catch(() => undefined);
			this.#searchIn(catalog);
		}
		this.#emitStates();
	}

	#searchIn(catalog: PlacedCatalog): void {
		const { query, everywhere } = this.#search ?? {};
		if (query === undefined || !catalog.isOpen) return;
		const { name } = catalog.place;
		const begin = (take: (event: SearchEvent) => void) =>
			// A failure is that of the place alone.
			catalog.search(query, (event) => (event.type === "error" ? everywhere?.remove(name) : take(event)));
		everywhere?.add(name, catalog.rows.size, begin);
		catalog.watchVisible(this.#visible.paths, this.#visible.watched);
	}

	#refreshHosts(now: boolean): void {
		for (const catalog of this.#catalogs.values()) void catalog.refreshHost(now);
	}

	#emitProblems(): void {
		const ofFile = this.#fileProblems.map((message) => ({ path: this.#options.file ?? "", message }));
		const ofPlaces = [...this.#catalogs.values()].flatMap((catalog) => catalog.problems);
		const problems = [...this.#problemsHere, ...ofFile, ...ofPlaces];
		const key = JSON.stringify(problems);
		if (key === this.#emittedProblems) return;
		this.#emittedProblems = key;
		this.#listener?.({ type: "problems", problems });
	}

	#emitRows(changed: readonly SessionRow[], removed: readonly string[] = []): void {
		const { rows, gone } = this.#once?.change(changed, removed) ?? { rows: [], gone: [] };
		if (gone.length > 0) this.#listener?.({ type: "gone", paths: gone });
		if (rows.length > 0) this.#listener?.({ type: "rows", rows });
	}

	#emitStates(): void {
		const states = [...this.#places.values()].map(
			(place) => this.#catalogs.get(place.name)?.state ?? unaskedState(place),
		);
		this.#listener?.({ type: "places", places: states });
	}

	#emitLive(): void {
		this.#listener?.({ type: "live", report: this.#liveEverywhere() });
	}

	#liveEverywhere(): LiveReport {
		const sessions = new Map<string, readonly LiveEvidence[]>(this.#live.sessions);
		for (const { place, live } of this.#catalogs.values())
			for (const path of live) sessions.set(path, [{ kind: "there", place: place.name }]);
		return { ...this.#live, sessions };
	}
}

/** The sums over these sessions of one place; if it cannot be asked, only their number and size. */
async function sumsOf(catalog: PlacedCatalog, rows: readonly SessionRow[]): Promise<StatsSums> {
	if (rows.length === 0) return NO_SUMS;
	const paths = new Set(rows.map(({ path }) => path));
	try {
		return await catalog.stats(({ path }) => paths.has(path));
	} catch (error) {
		if (!(error instanceof PlaceError)) throw error;
		return { ...NO_SUMS, sessions: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
	}
}

/** Whether a path is of this machine: it is never used here if it names a place, be that known or not. */
function isHere(path: string): boolean {
	return splitPlaced(path) === undefined;
}
