import { isDeepStrictEqual } from "node:util";
import { explain } from "../../store/files/store-error.ts";
import type { Catalog } from "../catalog.ts";
import type { CatalogEvent, CatalogProblem, PlaceState } from "../model/event.ts";
import { type LiveEvidence, type LiveReport, NOTHING_LIVE } from "../model/live.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import type { Query } from "../query/parse-query.ts";
import { NO_HITS, type SearchEvent, type SessionHits } from "../search/search.ts";
import type { CatalogStats, StatsSums } from "../stats/aggregate-stats.ts";
import { NO_SUMS, placedStats } from "../stats/merge-stats.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";
import type { PlaceCatalog } from "./host-catalog.ts";
import type { PlaceOptions } from "./open-place.ts";
import {
	type CommandLine,
	commandThere,
	forgetKept,
	type Machine,
	type Place,
	PlaceError,
	placedPath,
	splitPlaced,
	THIS_MACHINE,
	unaskedState,
} from "./place.ts";
import { atHome, eachOnce, type Homes, placedEvent, rowOfPlace, type SessionOnce } from "./placed-rows.ts";
import type { ReadPlaces } from "./places-file.ts";
import { SearchEverywhere } from "./search-everywhere.ts";

interface AllPlacesOptions extends PlaceOptions {
	/** The places as they are now. */
	readonly readPlaces: () => ReadPlaces;
	/** The person's file of places, if they are from one. */
	readonly file?: string | undefined;
}

/** One opening of a place, from asking it to its end: what it has and says. Its rows stay, and the next opening begins with them. */
interface Opening {
	readonly place: Place;
	/** By the paths there: each row as it is there, and as it is called here. */
	readonly rows: Map<string, { readonly own: SessionRow; readonly placed: SessionRow }>;
	/** While it is open: before, it is being opened. */
	catalog?: PlaceCatalog | undefined;
	/** Resolves when it is listed, or has ended. */
	listed: Promise<void>;
	state: Pick<PlaceState, "phase" | "asOfMs" | "reason">;
	/** What a host says of itself, or has said the last time. */
	hello: PlaceCatalog["hello"];
	/** Paths of those in use there, as they are called here. */
	live: readonly string[];
	problems: readonly CatalogProblem[];
}

/** What a listener assumes before it is told anything. */
const NOTHING: readonly CatalogEvent[] = [
	{ type: "places", places: [] },
	{ type: "live", report: NOTHING_LIVE },
	{ type: "problems", problems: [] },
];

/** The catalog of this machine and, once somebody wants them, of all places, as "mini:/path"; until then rows pass as they are. */
export class AllPlaces implements Catalog {
	/** Undefined where only other places are asked. */
	readonly #here: Catalog | undefined;
	readonly #options: AllPlacesOptions;
	/** By name, as the last opening of each that was wanted. */
	#places: ReadonlyMap<string, Place> = new Map();
	readonly #openings = new Map<string, Opening>();
	/** Resolves when all that was opened and is not needed any more has ended. */
	#closing: Promise<unknown> = Promise.resolve();
	#listener: ((event: CatalogEvent) => void) | undefined;
	#isWanted = false;
	readonly #rowsHere = new Map<string, SessionRow>();
	#liveHere: LiveReport = NOTHING_LIVE;
	#problemsHere: readonly CatalogProblem[] = [];
	/** What is wrong with the places. */
	#mistakes: readonly CatalogProblem[] = [];
	/** What the listener has: the rows by path, once there are those of other places, and the last event of other types. */
	#shown: ReadonlyMap<string, SessionOnce> | undefined;
	readonly #told = new Map<CatalogEvent["type"], CatalogEvent>(NOTHING.map((event) => [event.type, event]));
	#search: SearchEverywhere | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };

	constructor(here: Catalog | undefined, options: AllPlacesOptions) {
		this.#here = here;
		this.#options = options;
		this.reload();
	}

	get file(): string | undefined {
		return this.#options.file;
	}

	start(listener: (event: CatalogEvent) => void): void {
		this.#listener = listener;
		this.#here?.start((event) => this.#takeHere(event));
		this.#tellAll();
	}

	/** Reads the places again, and asks those that are not open, if they are wanted. */
	reload(): void {
		const { cacheDir, readPlaces, file = "" } = this.#options;
		const { places, problems } = readPlaces();
		const removed = [...this.#places.keys()].filter((name) => places.every((place) => place.name !== name));
		this.#places = new Map(places.map((place) => [place.name, place]));
		this.#mistakes = problems.map((message) => ({ path: file, message }));
		for (const [name, opening] of this.#openings) {
			if (isDeepStrictEqual(this.#places.get(name), opening.place)) continue;
			this.#end(opening, "unasked");
			this.#openings.delete(name);
		}
		// What is kept of a place that was only changed is not used, since it says which one it is of.
		for (const name of removed) this.#closing = this.#closing.then(() => forgetKept(cacheDir, name));
		this.#tellAll();
		this.#openAll();
	}

	/** Whether somebody wants the sessions of other places: then these are listed, followed and searched, failed ones again. */
	reach(isWanted: boolean): void {
		this.#isWanted = isWanted;
		if (isWanted) this.reload();
		else void this.#endAll();
	}

	/** A file of this machine with what a session has now; its own path for one of this machine. Rejects with a `PlaceError`. */
	async fileOf(path: string, signal?: AbortSignal): Promise<string> {
		if (isHere(path)) return path;
		const found = this.#find(path);
		// One that has failed is tried again.
		const opening = isOpen(found) || !this.#isWanted ? found : this.#open(found.place);
		await opening.listed;
		const { place, catalog, state } = opening;
		const row = opening.rows.get(splitPlaced(path)?.rest ?? "")?.own;
		if (row === undefined) throw new PlaceError(`${place.name}: the session is no longer listed there`);
		if (place.kind === "dir") return row.path;
		if (catalog?.fileOf === undefined) throw new PlaceError(state.reason ?? `${place.name}: it is not connected`);
		return catalog.fileOf(row, signal);
	}

	/** The sessions of a place, also those that are shown as those of another one. */
	rowsOf(name: string): readonly SessionRow[] {
		return [...(this.#openings.get(name)?.rows.values() ?? [])].map(({ placed }) => placed);
	}

	machineOf(path: string): Machine {
		const { place: name = "" } = splitPlaced(path) ?? {};
		// What was removed may have been another machine.
		if (isHere(path) || this.#places.get(name)?.kind === "dir") return THIS_MACHINE;
		return { home: this.helloOf(name)?.home, place: name };
	}

	/** What the host of a place says of itself; undefined for a directory, and for one that has never answered. */
	helloOf(name: string): PlaceCatalog["hello"] {
		const opening = this.#openings.get(name);
		return opening?.catalog?.hello ?? opening?.hello;
	}

	/** How to go on with another machine's session in this terminal, perhaps at an entry. Throws a `PlaceError` for a directory. */
	resumeThere(path: string, entryId: string | undefined, options: readonly string[] = []): CommandLine {
		const { place } = this.#find(path);
		const { rest: there = "" } = splitPlaced(path) ?? {};
		if (place.kind === "ssh")
			return commandThere(place, ["resume", entryId === undefined ? there : `${there}#${entryId}`, ...options]);
		throw new PlaceError(`the sessions of ${place.name} are only read: pi uses another directory here`);
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

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow): boolean => true): Promise<CatalogStats> {
		const own = all.filter(({ place }) => place === undefined);
		const here = this.#here?.stats(own, isAsked);
		if (here !== undefined && own.length === all.length) return here;
		const asked = all.filter(isAsked);
		const listed = [...this.#openings].filter(([, { rows }]) => rows.size > 0);
		const there = listed.map(async ([name, opening]) => {
			const rows = asked.filter(({ place }) => place === name);
			return { name, sums: rows.length === 0 ? NO_SUMS : await this.#statsOf(opening, rows) };
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
		this.#openAll();
		await this.#here?.wake();
	}

	async close(): Promise<void> {
		this.#listener = undefined;
		this.#isWanted = false;
		this.#search?.stop();
		await Promise.all([this.#here?.close(), this.#endAll()]);
	}

	async stored(): Promise<void> {
		await this.#here?.stored();
	}

	async listed(): Promise<void> {
		await Promise.all([this.#here?.listed(), ...this.#openings.values().map(({ listed }) => listed)]);
	}

	async counted(): Promise<void> {
		await this.listed();
		const there = this.#openings.values().map(({ catalog }) => catalog?.counted().catch(() => undefined));
		await Promise.all([this.#here?.counted(), ...there]);
	}

	askUses(asked: UsesRequest, listener: (event: UsesEvent) => void): void {
		this.#here?.askUses(asked, listener);
	}

	stopUses(): void {
		this.#here?.stopUses();
	}

	/** The last opening of the place of a session. Throws a `PlaceError` if the place was removed. */
	#find(path: string): Opening {
		const { place = "" } = splitPlaced(path) ?? {};
		const opening = this.#openings.get(place);
		if (opening === undefined) throw new PlaceError(`${place} is not a place any more`);
		return opening;
	}

	#openAll(): void {
		if (!this.#isWanted) return;
		for (const place of this.#places.values()) {
			const opening = this.#openings.get(place.name);
			if (opening === undefined || !isOpen(opening)) this.#open(place);
		}
	}

	#open(place: Place): Opening {
		const before = this.#openings.get(place.name);
		const opening: Opening = {
			...{ place, rows: new Map(before?.rows), hello: this.helloOf(place.name), live: [], problems: [] },
			state: { phase: "asking", asOfMs: before?.state.asOfMs },
			listed: Promise.resolve(),
		};
		this.#openings.set(place.name, opening);
		opening.listed = this.#list(opening).catch((error: unknown) => this.#end(opening, "failed", messageOf(error)));
		this.#tellAll();
		return opening;
	}

	async #list(opening: Opening): Promise<void> {
		const { openPlace } = await import("./open-place.ts");
		if (!isOpen(opening)) return;
		const catalog = await openPlace(opening.place, this.#options);
		opening.catalog = catalog;
		if (!isOpen(opening)) return catalog.close();
		const listed = new Set<string>();
		catalog.start((event) => {
			if (event.type === "rows") for (const { path } of event.rows) listed.add(path);
			if (isOpen(opening)) this.#take(opening, event);
		});
		catalog.ended?.catch((error: unknown) => this.#end(opening, "failed", messageOf(error)));
		this.#searchIn(opening);
		await catalog.listed();
		if (!isOpen(opening)) return;
		// What was known from before, and is no longer there.
		for (const path of opening.rows.keys()) if (!listed.has(path)) opening.rows.delete(path);
		this.#set(opening, { phase: "listed" });
	}

	/** Ends what asks a place; its rows stay. */
	#end(opening: Opening, phase: "unasked" | "failed", reason?: string): void {
		if (!isOpen(opening)) return;
		const { catalog, place, state } = opening;
		const asOfMs = state.phase === "listed" ? Date.now() : stateOf(opening).asOfMs;
		[opening.live, opening.hello, opening.catalog] = [[], this.helloOf(place.name), undefined];
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
		this.#tellAll();
	}

	#take(opening: Opening, event: CatalogEvent): void {
		const { place, rows } = opening;
		const placed = (path: string): string => placedPath(place.name, path);
		const homes = this.#homesOf(opening);
		if (event.type === "counts") {
			this.#listener?.({ ...event, counts: event.counts.map(([path, one]) => [placed(path), one]) });
			return;
		}
		if (event.type === "rows")
			for (const own of event.rows) rows.set(own.path, { own, placed: rowOfPlace(own, place.name, homes) });
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "live") opening.live = [...event.report.sessions.keys()].map(placed);
		else if (event.type === "problems")
			opening.problems = event.problems.map(({ message }) => ({ path: place.name, message }));
		else return;
		this.#tellAll();
	}

	#searchIn(opening: Opening): void {
		const { place, rows, catalog } = opening;
		if (catalog === undefined || !isOpen(opening)) return;
		this.#search?.add(place.name, rows.size, {
			search: (query, listener) =>
				catalog.search(query, (event) => {
					// A failure is that of the place alone.
					const reason = event.type === "error" ? event.message : undefined;
					if (event.type !== "results" && isOpen(opening) && opening.state.reason !== reason)
						this.#set(opening, { ...opening.state, reason });
					listener(placedEvent(event, place.name, rows));
				}),
		});
		this.#watchIn(opening);
	}

	#watchIn({ place, catalog }: Opening): void {
		const { paths, watched } = this.#visible;
		const own = paths.map(splitPlaced).flatMap((path) => (path?.place === place.name ? path.rest : []));
		catalog?.watchVisible(own, watched);
	}

	/** The sums over these sessions of a place, counted there; if it cannot be asked, only their number and size: its state says why. */
	async #statsOf(opening: Opening, rows: readonly SessionRow[]): Promise<StatsSums> {
		const { place, catalog, state } = opening;
		const paths = new Set(rows.map(({ path }) => path));
		const homes = this.#homesOf(opening);
		try {
			if (catalog === undefined) throw new PlaceError(state.reason ?? `${place.name}: it is not connected`);
			await catalog.counted();
			const own = [...opening.rows.values().map((row) => row.own)];
			const sums = await catalog.stats(own, ({ path }) => paths.has(placedPath(place.name, path)));
			return { ...sums, projects: sums.projects.map((line) => ({ ...line, key: atHome(line.key, homes) })) };
		} catch (error) {
			if (!(error instanceof PlaceError)) throw error;
			if (isOpen(opening)) this.#set(opening, { ...opening.state, reason: error.message });
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
		if (event.type === "live" || event.type === "problems" || (isRows && this.#shown)) this.#tellAll();
		else this.#listener?.(event);
	}

	/** Tells what all places have and say now, as far as it was not told. */
	#tellAll(): void {
		if (this.#listener === undefined) return;
		const openings = [...this.#openings.values()];
		if (openings.length > 0 || this.#shown) this.#tellRows(openings);
		const stateIn = (place: Place): PlaceState => {
			const opening = this.#openings.get(place.name);
			return opening === undefined ? unaskedState(place) : stateOf(opening);
		};
		this.#tell({ type: "places", places: [...this.#places.values()].map(stateIn) });
		this.#tell({ type: "live", report: this.#liveEverywhere() });
		const ofPlaces = openings.flatMap(({ problems }) => problems);
		this.#tell({ type: "problems", problems: [...this.#problemsHere, ...this.#mistakes, ...ofPlaces] });
	}

	/** Each session once, which takes some 10 ms for 30,000: places say what is new a few times a second. */
	#tellRows(openings: readonly Opening[]): void {
		const here = [...this.#rowsHere.values()];
		const there = openings.flatMap(({ place }) => this.rowsOf(place.name));
		const before = this.#shown ?? eachOnce(here);
		const shown = eachOnce([...here, ...there]);
		this.#shown = shown;
		const gone = [...before.keys()].filter((path) => !shown.has(path));
		if (gone.length > 0) this.#listener?.({ type: "gone", paths: gone });
		const rows = [...shown].flatMap(([path, { row, alsoIn }]) => {
			const known = before.get(path);
			if (known?.row === row && known.alsoIn.join() === alsoIn.join()) return [];
			return alsoIn.length === 0 ? row : { ...row, alsoIn };
		});
		if (rows.length > 0) this.#listener?.({ type: "rows", rows });
	}

	#tell(event: CatalogEvent): void {
		if (isDeepStrictEqual(this.#told.get(event.type), event)) return;
		this.#told.set(event.type, event);
		this.#listener?.(event);
	}

	#liveEverywhere(): LiveReport {
		const sessions = new Map<string, readonly LiveEvidence[]>(this.#liveHere.sessions);
		for (const { place, live } of this.#openings.values())
			for (const path of live) sessions.set(path, [{ kind: "there", place: place.name }]);
		return { ...this.#liveHere, sessions };
	}
}

function isOpen({ state: { phase } }: Opening): boolean {
	return phase === "asking" || phase === "listed";
}

function stateOf({ place, catalog, rows, state }: Opening): PlaceState {
	const asOfMs = state.phase === "listed" ? undefined : (state.asOfMs ?? catalog?.keptMs);
	return { ...unaskedState(place), ...state, asOfMs, count: rows.size };
}

function messageOf(error: unknown): string {
	return error instanceof PlaceError ? error.message : explain(error);
}

/** Whether a path is of this machine: it is never used here if it names a place, be that known or not. */
function isHere(path: string): boolean {
	return splitPlaced(path) === undefined;
}
