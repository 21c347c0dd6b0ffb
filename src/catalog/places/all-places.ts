import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "../catalog.ts";
import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import type { LiveEvidence, LiveReport } from "../model/live.ts";
import { NOTHING_LIVE } from "../model/live.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import { type Query, wordsOf } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SessionHits } from "../search/search.ts";
import type { CatalogStats } from "../stats/aggregate-stats.ts";
import type { Use } from "../uses/use.ts";
import type { UsesEvent, UsesRequest } from "../uses/uses-client.ts";
import { ChangedSessions } from "./changed-sessions.ts";
import { type CommandLine, commandThere } from "./command-there.ts";
import type { ConnectionOptions } from "./connection.ts";
import { type Machine, type Place, placedPath, splitPlaced, THIS_MACHINE, unaskedState } from "./place.ts";
import { PlaceCopies } from "./place-copies.ts";
import { PlaceError } from "./place-error.ts";
import type { LinkListener, PlaceLink } from "./place-link.ts";
import { RowsOnce, rowOfPlace } from "./placed-rows.ts";
import { readPlaces } from "./places-file.ts";
import { SearchEverywhere } from "./search-everywhere.ts";
import { statsEverywhere } from "./stats-everywhere.ts";

/** The catalog of this machine and of all places. */
export interface AllPlaces extends Catalog {
	/** Reads the person's file of places again, and asks those that are new if others are asked. */
	reload(): void;
	/**
	 * Whether somebody wants to see the sessions of other places: then these are listed, watched and searched, and places that have
	 * failed are tried again.
	 */
	reach(isWanted: boolean): void;
	/** A copy of a session of a place, with what it has now; its own path for one of this machine. Rejects with a `PlaceError`. */
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

interface AllPlacesOptions extends ConnectionOptions {
	/** The person's file of places; without one there are none. */
	readonly file: string | undefined;
	/** Makes a private directory, which goes with this process. */
	readonly createDirectory: () => Promise<{ readonly path: string }>;
}

const NO_PLACES: ReturnType<typeof readPlaces> = { places: [], problems: [] };
/** Changes of places are emitted together; this is how long they wait for more, in milliseconds. */
const WAIT_MS = 80;

/** The catalog `here`, with the sessions of other places beside it once somebody wants to see them. */
export function openAllPlaces(here: Catalog, options: AllPlacesOptions): AllPlaces {
	return new PlacesCatalog(here, options);
}

class PlacesCatalog implements AllPlaces {
	readonly #here: Catalog;
	readonly #options: AllPlacesOptions;
	readonly #copies: PlaceCopies;
	/** By name. */
	#places: ReadonlyMap<string, Place> = new Map();
	/** Those of the places, once their sessions are wanted: before, nothing of what asks a place is loaded. */
	readonly #links = new Map<string, PlaceLink>();
	/** Resolves when the places that are wanted have links. */
	#reaching: Promise<unknown> = Promise.resolve();
	/** The rows of this machine. */
	readonly #rowsHere = new Map<string, SessionRow>();
	/** All rows, once other places are wanted. */
	#once: RowsOnce | undefined;
	#live: LiveReport = NOTHING_LIVE;
	#listener: ((event: CatalogEvent) => void) | undefined;
	#isWanted = false;
	/** Problems of this machine, and what is wrong with the file of places. */
	#problemsHere: readonly CatalogProblem[] = [];
	#fileProblems: readonly string[] = [];
	#emittedProblems = "[]";
	/** The search that goes on. */
	#search: SearchEverywhere | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };
	/** Those of which nothing was emitted yet. */
	readonly #changed = new ChangedSessions();
	/** Whether the state of a place has changed, and that was not emitted yet. */
	#hasNews = false;
	#timer: NodeJS.Timeout | undefined;

	readonly #linkListener: LinkListener = {
		onSessions: (link, paths) => {
			this.#changed.add(link, paths);
			this.#schedule();
		},
		onState: (link) => this.#noteState(link),
	};

	constructor(here: Catalog, options: AllPlacesOptions) {
		this.#here = here;
		this.#options = options;
		this.#copies = new PlaceCopies(options.createDirectory);
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
		this.#setPlaces(places);
		this.#emitProblems();
	}

	#setPlaces(places: readonly Place[]): void {
		const removed = [...this.#places.keys()].filter((name) => places.every((place) => place.name !== name));
		this.#places = new Map(places.map((place) => [place.name, place]));
		const resting = [...this.#links].map(async ([name, link]) => {
			if (isDeepStrictEqual(this.#places.get(name), link.place)) return;
			this.#links.delete(name);
			this.#search?.remove(name);
			const gone = [...link.sessions.rows.keys()].map((path) => placedPath(name, path));
			this.#emitRows(this.#once?.change([], gone));
			await link.rest();
		});
		// What is kept of a place that was only changed is not used, since it says which one it is of.
		if (removed.length > 0) void this.#forget(removed, resting);
		if (this.#isWanted) this.#reaching = this.#reachAll();
		this.#emitStates();
	}

	async #forget(names: readonly string[], resting: readonly Promise<unknown>[]): Promise<void> {
		const { forgetKept } = await import("./place-memory.ts");
		await Promise.all(resting);
		await Promise.all(names.map((name) => forgetKept(this.#options.cacheDir, name)));
	}

	reach(isWanted: boolean): void {
		this.#isWanted = isWanted;
		if (!isWanted) return;
		if (this.#once === undefined) {
			this.#once = new RowsOnce();
			this.#once.change(this.#rowsHere.values());
		}
		this.reload();
	}

	async fileOf(path: string, signal: AbortSignal): Promise<string> {
		if (isHere(path)) return path;
		const { link, there } = this.#find(path);
		const row = link.sessions.rows.get(there);
		if (row === undefined) throw new PlaceError(`${link.place.name}: the session is no longer listed there`);
		return this.#copies.copyOf(rowOfPlace(row, link.place.name), (range, onBytes) =>
			link.read(there, onBytes, { ...range, signal }),
		);
	}

	machineOf(path: string): Machine {
		const { place: name } = splitPlaced(path) ?? {};
		if (name === undefined) return THIS_MACHINE;
		// What was removed may have been another machine.
		if (this.#places.get(name)?.kind === "dir") return THIS_MACHINE;
		return { home: this.#links.get(name)?.differences.there, place: name };
	}

	resumeThere(path: string, entryId: string | undefined): CommandLine {
		const { link, there } = this.#find(path);
		const { place } = link;
		if (place.kind === "ssh")
			return commandThere(place, ["resume", entryId === undefined ? there : `${there}#${entryId}`]);
		throw new PlaceError(`the sessions of ${place.name} are only read: pi uses another directory here`);
	}

	watchVisible(paths: readonly string[], watched = 0): void {
		this.#visible = { paths, watched };
		this.#here.watchVisible(paths.filter(isHere), watched);
		for (const link of this.#links.values()) this.#showIn(link);
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#stopSearch();
		const search = new SearchEverywhere(wordsOf(query.text), listener);
		this.#search = search;
		const stop = this.#here.search(query, search.add(HERE, this.#rowsHere.size));
		if (this.#isWanted) for (const link of this.#links.values()) search.ask(link);
		return () => {
			stop();
			if (this.#search === search) this.#stopSearch();
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
		return own.length === all.length ? here : statsEverywhere(all.filter(isAsked), here, this.#links.values());
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
		await this.#here.refresh();
	}

	async rest(): Promise<void> {
		await this.#reaching;
		await Promise.all([this.#here.rest(), ...[...this.#links.values()].map((link) => link.rest())]);
	}

	async wake(): Promise<void> {
		if (this.#isWanted) this.reach(true);
		await this.#here.wake();
	}

	async close(): Promise<void> {
		this.#listener = undefined;
		this.#isWanted = false;
		this.#stopSearch();
		await this.#reaching;
		clearTimeout(this.#timer);
		await Promise.all([this.#here.close(), ...[...this.#links.values()].map((link) => link.rest())]);
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

	wholeUse(use: Use): Promise<string> {
		return this.#here.wholeUse(use);
	}

	/** The link of a session of a place, and its path there. Throws a `PlaceError` if the place was removed. */
	#find(path: string): { readonly link: PlaceLink; readonly there: string } {
		const { place = "", rest = "" } = splitPlaced(path) ?? {};
		const link = this.#links.get(place);
		if (link === undefined) throw new PlaceError(`${place} is not a place any more`);
		return { link, there: rest };
	}

	#take(event: CatalogEvent): void {
		if (event.type === "rows") {
			for (const row of event.rows) this.#rowsHere.set(row.path, row);
			if (this.#once === undefined) this.#listener?.(event);
			else this.#emitRows(this.#once.change(event.rows));
		} else if (event.type === "gone") {
			for (const path of event.paths) this.#rowsHere.delete(path);
			if (this.#once === undefined) this.#listener?.(event);
			else this.#emitRows(this.#once.change([], event.paths));
		} else if (event.type === "live") {
			this.#live = event.report;
			this.#listener?.({ type: "live", report: this.#liveEverywhere() });
		} else if (event.type === "problems") {
			this.#problemsHere = event.problems;
			this.#emitProblems();
		} else this.#listener?.(event);
	}

	#emitProblems(): void {
		const ofFile = this.#fileProblems.map((message) => ({ path: this.#options.file ?? "", message }));
		const ofPlaces = [...this.#links.values()].flatMap(({ place, sessions }) =>
			sessions.problems.map((message) => ({ path: place.name, message })),
		);
		const problems = [...this.#problemsHere, ...ofFile, ...ofPlaces];
		const key = JSON.stringify(problems);
		if (key === this.#emittedProblems) return;
		this.#emittedProblems = key;
		this.#listener?.({ type: "problems", problems });
	}

	async #reachAll(): Promise<void> {
		const { PlaceLink } = await import("./place-link.ts");
		if (!this.#isWanted) return;
		for (const [name, place] of this.#places) {
			const link = this.#links.get(name) ?? new PlaceLink(place, this.#options, this.#linkListener);
			this.#links.set(name, link);
			link.reach();
			this.#search?.ask(link);
			this.#showIn(link);
		}
		this.#emitStates();
	}

	#showIn(link: PlaceLink): void {
		const { name } = link.place;
		const { paths, watched } = this.#visible;
		const own = paths.flatMap((path) => {
			const { place, rest } = splitPlaced(path) ?? {};
			return place === name && rest !== undefined ? [rest] : [];
		});
		if (!link.watchVisible(own, watched)) this.#search?.settle(name, watched);
	}

	#stopSearch(): void {
		this.#search?.stop();
		this.#search = undefined;
	}

	#noteState(link: PlaceLink): void {
		if (link.state.phase === "failed") this.#search?.fail(link.place.name);
		this.#hasNews = true;
		this.#schedule();
	}

	#schedule(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#flush();
		}, WAIT_MS);
	}

	#flush(): void {
		const { rows, gone, counts } = this.#changed.take(new Set(this.#links.values()));
		this.#emitRows(this.#once?.change(rows, gone));
		if (counts.length > 0) this.#listener?.({ type: "counts", counts });
		if (!this.#hasNews) return;
		this.#hasNews = false;
		this.#emitStates();
		this.#emitProblems();
		this.#listener?.({ type: "live", report: this.#liveEverywhere() });
	}

	#emitRows(changes: ReturnType<RowsOnce["change"]> | undefined): void {
		if (changes === undefined) return;
		if (changes.gone.length > 0) this.#listener?.({ type: "gone", paths: changes.gone });
		if (changes.rows.length > 0) this.#listener?.({ type: "rows", rows: changes.rows });
	}

	#emitStates(): void {
		const places = [...this.#places.values()].map((place) => this.#links.get(place.name)?.state ?? unaskedState(place));
		this.#listener?.({ type: "places", places });
	}

	#liveEverywhere(): LiveReport {
		const sessions = new Map<string, readonly LiveEvidence[]>(this.#live.sessions);
		for (const { place, sessions: listed } of this.#links.values())
			for (const path of listed.live)
				sessions.set(placedPath(place.name, path), [{ kind: "there", place: place.name }]);
		return { ...this.#live, sessions };
	}
}

/** Whether a path is of this machine: it is never used here if it names a place, be that known or not. */
function isHere(path: string): boolean {
	return splitPlaced(path) === undefined;
}
