import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../shared/attempt.ts";
import type { Catalog } from "../catalog.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { CatalogEvent, CatalogProblem, PlaceState } from "../model/event.ts";
import { type LiveEvidence, type LiveReport, NOTHING_LIVE } from "../model/live.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import type { Query } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SessionHits, type SessionsWith } from "../search/search.ts";
import { type CatalogStats, NO_SUMS, placedStats, type StatsSums } from "../stats/aggregate-stats.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";
import type { Hello } from "./host-connection.ts";
import type { PlaceOptions } from "./open-place.ts";
import { isConnected, type Opening, openingOf, placeState, takeEvent } from "./opening.ts";
import {
	type CommandLine,
	commandThere,
	forgetKept,
	type Machine,
	PlaceError,
	placedPath,
	type SessionsPlace,
	splitPlaced,
	THIS_MACHINE,
} from "./place.ts";
import { atHome, eachOnce, type Homes, placedEvent, type SessionOnce } from "./placed-rows.ts";
import type { ReadPlaces } from "./places-file.ts";
import { SearchEverywhere } from "./search-everywhere.ts";

interface AllPlacesOptions extends PlaceOptions {
	readonly readPlaces: () => ReadPlaces;
	/** The person's file of places, if they are from one. */
	readonly file?: string | undefined;
}

/** Milliseconds for which reports of places are collected. */
const TELL_MS = 80;

/** The state that a listener assumes before the first event. */
const NOTHING: readonly CatalogEvent[] = [
	{ type: "places", places: [] },
	{ type: "live", report: NOTHING_LIVE },
	{ type: "problems", problems: [] },
];

/**
 * The catalog of this machine and of all places, whose sessions it has once somebody wants to see them, as "mini:/path". Before, nothing of
 * what asks a place is loaded, and the rows of this machine pass through as they are.
 */
export class AllPlaces implements Catalog {
	/** Undefined where only other places are asked. */
	readonly #here: Catalog | undefined;
	readonly #options: AllPlacesOptions;
	/** The last opening of each place, by name, in the order of the file. */
	#openings = new Map<string, Opening>();
	/** Resolves when all openings that are no longer needed have ended. */
	#closing: Promise<unknown> = Promise.resolve();
	#listener: ((event: CatalogEvent) => void) | undefined;
	#isWanted = false;
	readonly #rowsHere = new Map<string, SessionRow>();
	#liveHere: LiveReport = NOTHING_LIVE;
	#problemsHere: readonly CatalogProblem[] = [];
	#mistakes: readonly CatalogProblem[] = [];
	/** The state of the listener: rows by path, once other places have any, and the last event of each other type. */
	#shown: ReadonlyMap<string, SessionOnce> | undefined;
	/** Whether rows have changed since: to compare 30,000 takes some 10 ms. */
	#hasNewRows = false;
	readonly #told = new Map<CatalogEvent["type"], CatalogEvent>(NOTHING.map((event) => [event.type, event]));
	/** Counts of sessions of other places that were not told yet, and the timer until something is told. */
	readonly #counts: (readonly [path: string, counts: SessionCounts])[] = [];
	#soon: NodeJS.Timeout | undefined;
	#search: SearchEverywhere | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };

	constructor(here: Catalog | undefined, options: AllPlacesOptions) {
		this.#here = here;
		this.#options = options;
		this.reload();
	}

	get states(): readonly PlaceState[] {
		return [...this.#openings.values()].map(placeState);
	}

	get file(): string | undefined {
		return this.#options.file;
	}

	start(listener: (event: CatalogEvent) => void): void {
		this.#listener = listener;
		this.#here?.start((event) => this.#takeHere(event));
		this.#tell();
	}

	/** Reads the places again, and asks those that are not open, if they are wanted. */
	reload(): void {
		const { cacheDir, readPlaces, file = "" } = this.#options;
		const { places, problems } = readPlaces();
		this.#mistakes = problems.map((message) => ({ path: file, message }));
		const earlier = this.#openings;
		const openingOfPlace = (place: SessionsPlace): Opening => {
			const opening = earlier.get(place.name);
			return opening !== undefined && isDeepStrictEqual(opening.place, place) ? opening : openingOf(place);
		};
		this.#openings = new Map(places.map((place) => [place.name, openingOfPlace(place)]));
		for (const [name, opening] of earlier) {
			if (this.#openings.get(name) === opening) continue;
			this.#end(opening, "unasked");
			this.#hasNewRows = true;
			// Cached rows name their place, so the rows of a changed place are not used.
			if (!this.#openings.has(name))
				this.#closing = this.#closing.then(() => forgetKept(cacheDir, name)).catch(() => undefined);
		}
		this.#openAll();
		this.#tell();
	}

	/**
	 * Whether somebody wants to see the sessions of other places: then these are listed, followed and searched, and places that have failed
	 * are tried again.
	 */
	reach(isWanted: boolean): void {
		this.#isWanted = isWanted;
		if (isWanted) this.reload();
		else void this.#endAll();
	}

	/** A file of this machine with what a session has now; its own path for one of this machine. Rejects with a `PlaceError`. */
	async fileOf(path: string, signal?: AbortSignal): Promise<string> {
		if (isHere(path)) return path;
		const { opening: lastOpening, there } = this.#find(path);
		const listedRow = lastOpening.rows.get(there)?.own;
		// Its files are here, also before all are listed.
		if (lastOpening.place.kind === "dir" && listedRow !== undefined) return listedRow.path;
		// One that has failed is tried again.
		const opening = isConnected(lastOpening) || !this.#isWanted ? lastOpening : this.#open(lastOpening.place);
		await opening.listed;
		const { place, catalog, state } = opening;
		const row = opening.rows.get(there)?.own;
		if (row === undefined) throw new PlaceError(`${place.name}: the session is no longer listed there`);
		if (place.kind === "dir") return row.path;
		if (catalog?.fileOf === undefined) throw new PlaceError(state.reason ?? `${place.name}: it is not connected`);
		return catalog.fileOf(row, signal);
	}

	/** The sessions of a place, including sessions that are listed under another place. */
	rowsOf(name: string): readonly SessionRow[] {
		return [...(this.#openings.get(name)?.rows.values() ?? [])].map(({ placed }) => placed);
	}

	machineOf(path: string): Machine {
		const { place: name = "" } = splitPlaced(path) ?? {};
		// The removed place may have been another machine.
		if (isHere(path) || this.#openings.get(name)?.place.kind === "dir") return THIS_MACHINE;
		return { home: this.helloOf(name)?.home, place: name };
	}

	/** The greeting of the host of a place; undefined for a directory, and for a host that has never answered. */
	helloOf(name: string): Hello | undefined {
		const opening = this.#openings.get(name);
		return opening?.catalog?.hello ?? opening?.hello;
	}

	/**
	 * How to resume a session of another machine in this terminal, at an entry if one is given. Throws a `PlaceError` for one of a
	 * directory.
	 */
	resumeThere(path: string, entryId: string | undefined, options: readonly string[] = []): CommandLine {
		const { opening, there } = this.#find(path);
		const { place } = opening;
		if (place.kind === "ssh")
			return commandThere(place, ["resume", entryId === undefined ? there : `${there}#${entryId}`, ...options]);
		throw new PlaceError(`the sessions of ${place.name} are read-only: pi uses another directory here`);
	}

	watchVisible(paths: readonly string[], watched = 0): void {
		this.#visible = { paths, watched };
		this.#here?.watchVisible(paths.filter(isHere), watched);
		for (const opening of this.#openings.values()) this.#watchIn(opening);
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#search?.stop();
		const search = new SearchEverywhere(query, listener);
		this.#search = search;
		if (this.#here) search.add(HERE, this.#rowsHere.size, this.#here);
		for (const opening of this.#openings.values()) this.#searchIn(opening);
		// If there is nothing to search.
		search.tellSettled();
		return () => {
			search.stop();
			if (this.#search === search) this.#search = undefined;
		};
	}

	async hits(query: Query, path: string): Promise<SessionHits> {
		// If it cannot be fetched, reading the session, for which the hits are, reports why.
		const file = await this.fileOf(path).catch(() => undefined);
		return (file === undefined ? undefined : await this.#here?.hits(query, file)) ?? NO_HITS;
	}

	async searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		const there = this.#openings.values().map(async ({ place, catalog }) => {
			// Why a place cannot search is said by its state, since the list has searched there before.
			const answers = await catalog?.searchEach(queries).catch(() => undefined);
			return answers?.map(({ paths, inForms }) => {
				return { paths: new Set([...paths].map((path) => placedPath(place.name, path))), inForms };
			});
		});
		const answers = await Promise.all([this.#here?.searchEach(queries), ...there]);
		const lists = answers.filter((list) => list !== undefined);
		// What a place has not answered, because the search has ended, is not known.
		const answered = queries.slice(0, Math.min(...lists.map(({ length }) => length)));
		return answered.map((_, at) => mergedSessions(lists.flatMap((list) => list[at] ?? [])));
	}

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow): boolean => true, on = ""): Promise<CatalogStats> {
		const rowsHere = all.filter(({ place }) => place === undefined);
		const here = this.#here?.stats(rowsHere, isAsked, on);
		if (here !== undefined && rowsHere.length === all.length) return here;
		const selection = all.filter(isAsked);
		const listed = [...this.#openings].filter(([, { rows }]) => rows.size > 0);
		const there = listed.map(async ([name, opening]) => {
			const rows = selection.filter(({ place }) => place === name);
			return { name, sums: rows.length === 0 ? NO_SUMS : await this.#statsOf(opening, rows, on) };
		});
		const first = here === undefined ? [] : [here.then((sums) => ({ name: HERE, sums }))];
		return placedStats(await Promise.all([...first, ...there]));
	}

	async changed(paths: readonly string[]): Promise<void> {
		await this.#here?.changed(paths.filter(isHere));
	}

	async checkUse(paths: readonly string[]): Promise<LiveReport> {
		await this.#here?.checkUse(paths.filter(isHere));
		return this.#liveEverywhere();
	}

	async refresh(): Promise<void> {
		for (const { catalog } of this.#openings.values()) void catalog?.refresh().catch(() => undefined);
		this.reload();
		await this.#here?.refresh();
	}

	async rest(): Promise<void> {
		await Promise.all([this.#here?.rest(), this.#endAll()]);
	}

	async wake(): Promise<void> {
		this.reload();
		await this.#here?.wake();
	}

	async close(): Promise<void> {
		this.#listener = undefined;
		clearTimeout(this.#soon);
		this.#isWanted = false;
		this.#search?.stop();
		await Promise.all([this.#here?.close(), this.#endAll()]);
	}

	async stored(): Promise<void> {
		await this.#here?.stored();
	}

	async listed(): Promise<void> {
		await Promise.all([this.#here?.listed(), ...this.#openings.values().map(({ listed }) => listed)]);
		this.#tell();
	}

	async counted(): Promise<void> {
		await this.listed();
		const there = this.#openings.values().map(({ catalog }) => catalog?.counted().catch(() => undefined));
		await Promise.all([this.#here?.counted(), ...there]);
		this.#tell();
	}

	askUses(question: UsesRequest, listener: (event: UsesEvent) => void): () => void {
		return this.#here?.askUses(question, listener) ?? (() => undefined);
	}

	/** The last opening of the place of a session, and its path there. Throws a `PlaceError` if the place was removed. */
	#find(path: string): { readonly opening: Opening; readonly there: string } {
		const { place = "", rest: there = "" } = splitPlaced(path) ?? {};
		const opening = this.#openings.get(place);
		if (opening === undefined) throw new PlaceError(`${place} is no longer a place`);
		return { opening, there };
	}

	#openAll(): void {
		if (!this.#isWanted) return;
		for (const opening of this.#openings.values()) if (!isConnected(opening)) this.#open(opening.place);
	}

	#open(place: SessionsPlace): Opening {
		const opening = openingOf(place, this.#openings.get(place.name));
		this.#openings.set(place.name, opening);
		this.#tellSoon();
		opening.listed = this.#list(opening).catch((error: unknown) => this.#end(opening, "failed", messageOf(error)));
		return opening;
	}

	async #list(opening: Opening): Promise<void> {
		const { openPlace } = await import("./open-place.ts");
		if (!isConnected(opening)) return;
		const catalog = await openPlace(opening.place, this.#options);
		opening.catalog = catalog;
		if (!isConnected(opening)) return catalog.close();
		const listed = new Set<string>();
		catalog.start((event) => {
			if (event.type === "rows") for (const { path } of event.rows) listed.add(path);
			if (isConnected(opening)) this.#take(opening, event);
		});
		catalog.ended?.catch((error: unknown) => this.#end(opening, "failed", messageOf(error)));
		this.#searchIn(opening);
		await catalog.listed();
		if (!isConnected(opening)) return;
		// Rows from an earlier listing that no longer exist.
		for (const path of opening.rows.keys()) if (!listed.has(path)) opening.rows.delete(path);
		this.#hasNewRows = true;
		this.#set(opening, { phase: "listed" });
	}

	/** Ends what asks a place; its rows stay. */
	#end(opening: Opening, phase: "unasked" | "failed", reason?: string): void {
		if (!isConnected(opening)) return;
		const { catalog, place, state } = opening;
		const asOfMs = state.phase === "listed" ? Date.now() : placeState(opening).asOfMs;
		[opening.live, opening.hello, opening.catalog] = [[], catalog?.hello ?? opening.hello, undefined];
		this.#closing = Promise.all([this.#closing, opening.listed, catalog?.close()]);
		this.#search?.remove(place.name);
		this.#set(opening, { phase, reason, asOfMs });
	}

	#endAll(): Promise<unknown> {
		for (const opening of this.#openings.values()) this.#end(opening, "unasked");
		return this.#closing;
	}

	#set(opening: Opening, state: Opening["state"]): void {
		opening.state = state;
		this.#tellSoon();
	}

	#take(opening: Opening, event: CatalogEvent): void {
		for (const one of takeEvent(opening, event, this.#homesOf(opening))) this.#counts.push(one);
		this.#hasNewRows ||= event.type === "rows" || event.type === "gone";
		this.#tellSoon();
	}

	#searchIn(opening: Opening): void {
		const { place, rows, catalog } = opening;
		if (catalog === undefined || !isConnected(opening)) return;
		this.#search?.add(place.name, rows.size, {
			search: (query, listener) =>
				catalog.search(query, (event) => {
					// A failure is that of the place alone.
					const reason = event.type === "error" ? event.message : undefined;
					if (event.type !== "results" && isConnected(opening) && opening.state.reason !== reason)
						this.#set(opening, { ...opening.state, reason });
					listener(placedEvent(event, place.name, rows));
				}),
		});
		this.#watchIn(opening);
	}

	#watchIn({ place, catalog }: Opening): void {
		const { paths, watched } = this.#visible;
		const pathsThere = paths.map(splitPlaced).flatMap((path) => (path?.place === place.name ? path.rest : []));
		catalog?.watchVisible(pathsThere, watched);
	}

	/** The sums over these sessions of a place, counted there; if it cannot be asked, only their number and size: its state says why. */
	async #statsOf(opening: Opening, rows: readonly SessionRow[], on: string): Promise<StatsSums> {
		const { place, catalog, state } = opening;
		const paths = new Set(rows.map(({ path }) => path));
		const homes = this.#homesOf(opening);
		try {
			if (catalog === undefined) throw new PlaceError(state.reason ?? `${place.name}: it is not connected`);
			await catalog.counted();
			const rowsThere = [...opening.rows.values().map((row) => row.own)];
			const sums = await catalog.stats(rowsThere, ({ path }) => paths.has(placedPath(place.name, path)), on);
			return {
				...sums,
				projects: sums.projects.map((line) => ({ ...line, key: atHome(line.key, homes) })),
				mostExpensive: sums.mostExpensive.map((line) => ({ ...line, key: placedPath(place.name, line.key) })),
			};
		} catch (error) {
			if (!(error instanceof PlaceError)) throw error;
			if (isConnected(opening)) this.#set(opening, { ...opening.state, reason: error.message });
			return { ...NO_SUMS, sessions: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
		}
	}

	/** The homes of a host and of this machine, if directories are to be called as they would be here. */
	#homesOf({ place }: Opening): Homes | undefined {
		const { home: here, isBrowsed = true } = this.#options;
		const there = this.helloOf(place.name)?.home;
		return there === undefined || !isBrowsed ? undefined : { here, there };
	}

	#takeHere(event: CatalogEvent): void {
		if (event.type === "rows") for (const row of event.rows) this.#rowsHere.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) this.#rowsHere.delete(path);
		else if (event.type === "live") this.#liveHere = event.report;
		else if (event.type === "problems") this.#problemsHere = event.problems;
		const isRows = event.type === "rows" || event.type === "gone";
		this.#hasNewRows ||= isRows;
		if (event.type === "live" || event.type === "problems" || (isRows && this.#shown)) this.#tell();
		else this.#listener?.(event);
	}

	/** Tells some later, at once, what places say one after the other. */
	#tellSoon(): void {
		if (this.#listener) this.#soon ??= setTimeout(() => this.#tell(), TELL_MS).unref();
	}

	/** Tells what there is, as far as it was not told. */
	#tell(): void {
		clearTimeout(this.#soon);
		this.#soon = undefined;
		const isShared = this.#shown !== undefined || (this.#isWanted && this.#openings.size > 0);
		if (isShared && this.#hasNewRows) this.#tellRows();
		if (this.#counts.length > 0) this.#listener?.({ type: "counts", counts: this.#counts.splice(0) });
		const ofPlaces = [...this.#openings.values()].flatMap(({ problems }) => problems);
		for (const event of [
			{ type: "places", places: this.states },
			{ type: "live", report: this.#liveEverywhere() },
			{ type: "problems", problems: [...this.#problemsHere, ...this.#mistakes, ...ofPlaces] },
		] as const) {
			if (this.#listener === undefined || isDeepStrictEqual(this.#told.get(event.type), event)) continue;
			this.#told.set(event.type, event);
			this.#listener(event);
		}
	}

	#tellRows(): void {
		const here = [...this.#rowsHere.values()];
		const there = [...this.#openings.keys()].flatMap((name) => this.rowsOf(name));
		const sessionsBefore = this.#shown ?? eachOnce(here);
		const sessions = eachOnce([...here, ...there]);
		this.#shown = sessions;
		this.#hasNewRows = false;
		const lostPaths = [...sessionsBefore.keys()].filter((path) => !sessions.has(path));
		if (lostPaths.length > 0) this.#listener?.({ type: "gone", paths: lostPaths });
		const rows = [...sessions].flatMap(([path, { row, alsoIn }]) => {
			const session = sessionsBefore.get(path);
			if (session?.row === row && session.alsoIn.join() === alsoIn.join()) return [];
			return alsoIn.length === 0 ? row : { ...row, alsoIn };
		});
		if (rows.length > 0) this.#listener?.({ type: "rows", rows });
	}

	#liveEverywhere(): LiveReport {
		const sessions = new Map<string, readonly LiveEvidence[]>(this.#liveHere.sessions);
		for (const { place, live } of this.#openings.values())
			for (const path of live) sessions.set(path, [{ kind: "there", place: place.name }]);
		return { ...this.#liveHere, sessions };
	}
}

/** Whether a path is of this machine: it is never used here if it names a place, be that known or not. */
function isHere(path: string): boolean {
	return splitPlaced(path) === undefined;
}

/** The sessions of all places; those that have the words only in other forms if none has them as typed. */
function mergedSessions(all: readonly SessionsWith[]): SessionsWith {
	const typed = all.filter(({ paths, inForms }) => paths.size > 0 && !inForms);
	const merged = typed.length > 0 ? typed : all;
	return { paths: new Set(merged.flatMap(({ paths }) => [...paths])), inForms: typed.length === 0 };
}
