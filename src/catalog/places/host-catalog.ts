import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { lineSplitter } from "../../shared/line-splitter.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import type { Catalog } from "../catalog.ts";
import type { CatalogEvent } from "../model/event.ts";
import { NOTHING_LIVE } from "../model/live.ts";
import type { SessionRow } from "../model/row.ts";
import { asksForArchived } from "../query/conditions.ts";
import { type Query, wordsOf } from "../query/parse-query.ts";
import type { SearchEvent, SearchResult } from "../search/search.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { HostConnection, type HostLimits } from "./host-connection.ts";
import { type HostPlace, PlaceError, unaskedState } from "./place.ts";
import { PlaceCopies } from "./place-copies.ts";
import { parsed } from "./serve.ts";
import { type ListedLine, resultOf, sessionOf, sumsOf } from "./session-lines.ts";

/** The part of a catalog that each place has. Paths are as they are there. */
export interface PlaceCatalog
	extends Pick<Catalog, "start" | "refresh" | "listed" | "counted" | "search" | "watchVisible" | "close"> {
	stats(all: readonly SessionRow[], isAsked?: (row: SessionRow) => boolean): Promise<StatsSums>;
}

export interface HostCatalogOptions extends HostLimits {
	readonly cacheDir: string;
	/** Makes a private directory, which goes with this process. */
	readonly createDirectory: () => Promise<{ readonly path: string }>;
}

/** More sessions of one place are refused: fifty a day for five years. The screen is made for a few times as many at most. */
const MAX_SESSIONS = 100_000;
/** Bytes of all that one command prints, besides a session, and of a line of it; more are refused. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
/** A larger session is not fetched: a machine may claim any size. */
const MAX_SESSION_BYTES = 4 * 1024 ** 3;
/** Results that are searched for first: those that a screen shows. */
const FIRST_RESULTS = 200;
/** A host is not listed again before so many times have passed that the last list took. */
const REST_FACTOR = 20;
/** New rows are emitted this often, in milliseconds. */
const EMIT_MS = 80;

/** The first line of what is kept: how the place was described, the home there, and when it was listed, by the clock here. */
const KEPT = z.object({ kept: z.literal(2), place: z.string(), home: z.string(), listedMs: z.number() });

/** The sessions of a list, by the lines that say them: one that comes again has not changed. */
type Lines = ReadonlyMap<string, { readonly path: string; readonly isLive: boolean }>;

/**
 * The sessions of a host, by the commands of its own pi-grove: `list`, `search`, `show` and `stats` (docs/protocol.md). What it has listed
 * is kept, so that its rows are there before it answers the next time. It is one connection, and ends with it.
 */
export class HostCatalog implements PlaceCatalog {
	readonly #place: HostPlace;
	readonly #cacheDir: string;
	readonly #connection: HostConnection;
	readonly #copies: PlaceCopies;
	readonly #closed = new AbortController();
	readonly #listed = Promise.withResolvers<void>();
	readonly #counted = Promise.withResolvers<void>();
	#listener: (event: CatalogEvent) => void = () => undefined;
	#lines: Lines = new Map();
	#listing: Promise<void> = Promise.resolve();
	#isListing = true;
	/** When it may be listed again by itself, by the clock of `performance`. */
	#restsUntil = 0;
	#search: { readonly find: () => void; readonly settle: () => void } | undefined;
	/** Number of the last call of `watchVisible`. */
	#watched = 0;
	/** The home directory there, once it is known. */
	home: string | undefined;

	constructor(place: HostPlace, options: HostCatalogOptions) {
		this.#place = place;
		this.#cacheDir = options.cacheDir;
		this.#connection = new HostConnection(place, options);
		this.#copies = new PlaceCopies(options.createDirectory);
		for (const { promise } of [this.#listed, this.#counted]) promise.catch(() => undefined);
	}

	/** What the host says of itself. Rejects with a `PlaceError`. */
	get hello(): HostConnection["hello"] {
		return this.#connection.hello;
	}

	start(listener: (event: CatalogEvent) => void): void {
		this.#listener = listener;
		this.#listing = this.#whileListing(async () => {
			await this.#readKept();
			this.home = (await this.#connection.hello).home;
			await this.#list([]);
			this.#listed.resolve();
			await this.#list(["--counted"]);
			this.#counted.resolve();
		});
	}

	listed(): Promise<void> {
		return this.#listed.promise;
	}

	counted(): Promise<void> {
		return this.#counted.promise;
	}

	/** Lists again, unless that would be much work for the host. */
	async follow(): Promise<void> {
		if (performance.now() >= this.#restsUntil) await this.refresh();
	}

	/** Lists again, unless that goes on. */
	refresh(): Promise<void> {
		if (!this.#isListing) this.#listing = this.#whileListing(() => this.#list(["--counted"]));
		return this.#listing;
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		let finding = new AbortController();
		let isSettled = false;
		const settle = (): void => {
			if (isSettled) listener({ type: "settled", watched: this.#watched, inForms: false });
		};
		const find = async (): Promise<void> => {
			finding.abort();
			finding = new AbortController();
			const { signal } = finding;
			isSettled = false;
			try {
				await this.#find(query, listener, signal);
				isSettled = true;
				settle();
			} catch (error) {
				if (!signal.aborted) listener({ type: "error", message: messageOf(error) });
			}
		};
		this.#watched = 0;
		this.#search = { find, settle };
		void find();
		return () => {
			finding.abort();
			this.#search = undefined;
		};
	}

	/** All that a search finds is searched to its end. */
	watchVisible(_: readonly string[], watched = 0): void {
		this.#watched = watched;
		this.#search?.settle();
	}

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow): boolean => true): Promise<StatsSums> {
		const asked = all.filter(isAsked);
		const words = asked.length === all.length ? [] : ["--", ...asked.map(({ path }) => path)];
		const pieces: Buffer[] = [];
		await this.#run(["stats", "--json", ...words], (bytes) => pieces.push(bytes));
		const sums = sumsOf(Buffer.concat(pieces).toString("utf8"));
		if (sums === undefined)
			throw this.#error("its sums could not be understood; pi-grove may be newer there than here");
		return sums;
	}

	/** A private copy of a session, with what it has according to its row. Rejects with a `PlaceError`, or the signal's reason. */
	async fileOf(row: SessionRow, signal: AbortSignal): Promise<string> {
		if (row.size > MAX_SESSION_BYTES) throw this.#error("the session is too large to be fetched");
		return this.#copies.copyOf(row, async (from, length, onBytes) => {
			const enough = new AbortController();
			let left = length;
			const take = async (bytes: Buffer): Promise<void> => {
				const part = bytes.subarray(0, left);
				left -= part.length;
				await onBytes(part);
				if (left === 0) enough.abort();
			};
			const args = ["show", "--raw", ...(from > 0 ? ["--offset", String(from)] : []), "--", row.path];
			const signals = AbortSignal.any([signal, enough.signal, this.#closed.signal]);
			try {
				const { code, said } = await this.#connection.run(args, take, signals);
				if (code !== 0) throw this.#error(reasonIn(said));
			} catch (error) {
				if (!enough.signal.aborted) throw error;
			}
		});
	}

	async close(): Promise<void> {
		this.#closed.abort(this.#error("it is no longer asked"));
		await this.#connection.close();
		await this.#listing;
	}

	/** Runs a command whose output is bounded; returns what it has said on stderr. Rejects if it fails, or is ended by the signal. */
	async #run(args: readonly string[], onOutput: (bytes: Buffer) => unknown, signal?: AbortSignal): Promise<string> {
		let bytes = 0;
		const take = (piece: Buffer): unknown => {
			bytes += piece.length;
			if (bytes > MAX_OUTPUT_BYTES) throw this.#error("it sends more than can be held here");
			return onOutput(piece);
		};
		const signals = AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])]);
		const { code, said } = await this.#connection.run(args, take, signals);
		// Nothing was found is an answer, too.
		if (code > 1) throw this.#error(reasonIn(said));
		return said;
	}

	/** The same with each item of the JSON list that it prints; a list that is cut off is refused. */
	async #runList(args: readonly string[], onItem: (text: string) => void, signal?: AbortSignal): Promise<string> {
		let last = "";
		const take = (line: string): void => {
			last = line;
			if (line.startsWith("{")) onItem(line.replace(/,$/, ""));
		};
		const onTooLong = (): void => {
			throw this.#error("a line from there is longer than can be held here");
		};
		const said = await this.#run(args, lineSplitter(MAX_LINE_BYTES, take, onTooLong), signal);
		if (!last.endsWith("]")) throw this.#error("its list has ended too early");
		return said;
	}

	async #whileListing(work: () => Promise<void>): Promise<void> {
		this.#isListing = true;
		try {
			await work();
		} catch (error) {
			for (const { reject } of [this.#listed, this.#counted]) reject(error);
			const failed = { ...unaskedState(this.#place), phase: "failed", reason: messageOf(error) } as const;
			if (!this.#closed.signal.aborted) this.#listener({ type: "places", places: [failed] });
		} finally {
			this.#isListing = false;
		}
	}

	async #list(options: readonly string[]): Promise<void> {
		const began = performance.now();
		const before = this.#lines;
		const lines = new Map<string, { readonly path: string; readonly isLive: boolean }>();
		let fresh: ListedLine[] = [];
		let emittedAt = performance.now();
		let hasChanged = false;
		let odd = 0;
		const take = (text: string): void => {
			const known = before.get(text);
			const session = known === undefined ? sessionOf(text) : undefined;
			if (session !== undefined) fresh.push(session);
			const line = known ?? (session && { path: session.row.path, isLive: session.isLive });
			if (line === undefined) odd += 1;
			else lines.set(text, line);
			if (lines.size + odd > MAX_SESSIONS) throw this.#error(`it lists more than ${MAX_SESSIONS} sessions`);
			if (performance.now() - emittedAt < EMIT_MS) return;
			emit();
		};
		const emit = (): void => {
			hasChanged ||= fresh.length > 0;
			this.#emit(fresh);
			[fresh, emittedAt] = [[], performance.now()];
		};
		const said = await this.#runList(["list", "--json", "--raw", ...options], take);
		emit();
		this.#restsUntil = performance.now() + REST_FACTOR * (performance.now() - began);
		this.#lines = lines;
		const paths = new Set(lines.values().map(({ path }) => path));
		const gone = [...before.values()].flatMap(({ path }) => (paths.has(path) ? [] : [path]));
		this.#listener({ type: "gone", paths: gone });
		const live = [...lines.values()].flatMap(({ path, isLive }) => (isLive ? [[path, []] as const] : []));
		this.#listener({ type: "live", report: { ...NOTHING_LIVE, sessions: new Map(live) } });
		const count = odd === 1 ? "1 session" : `${odd} sessions`;
		const own = odd === 0 ? [] : [`${count} could not be understood; pi-grove may be newer there than here.`];
		const problems = [...own, ...notesIn(said)].map((message) => this.#error(message));
		this.#listener({ type: "problems", problems: problems.map(({ message }) => ({ path: "", message })) });
		if (!hasChanged && gone.length === 0) return;
		// What was found may have changed.
		if (before.size > 0) this.#search?.find();
		await this.#keep(lines.keys());
	}

	#emit(sessions: readonly ListedLine[]): void {
		if (sessions.length === 0) return;
		this.#listener({ type: "rows", rows: sessions.map(({ row }) => row) });
		const counts = sessions.flatMap(({ row, counts }) => (counts === undefined ? [] : [[row.path, counts] as const]));
		this.#listener({ type: "counts", counts });
	}

	/** Searches for the results of a screen first, then for all. */
	async #find(query: Query, listener: (event: SearchEvent) => void, signal: AbortSignal): Promise<void> {
		const words = `${wordsOf(query.text)}${asksForArchived(query.conditions) ? " is:archived" : ""}`;
		await this.listed();
		const total = this.#lines.size;
		listener({ type: "progress", searched: 0, total });
		for (const limit of [["--limit", String(FIRST_RESULTS)], []]) {
			const results: SearchResult[] = [];
			const take = (text: string): void => {
				results.push(...[resultOf(text)].filter((one) => one !== undefined));
				if (results.length > total) throw this.#error("it finds more than it lists");
			};
			await this.#runList(["search", "--json", "--raw", ...limit, "--", words], take, signal);
			listener({ type: "results", results });
			if (limit.length > 0 && results.length < FIRST_RESULTS) break;
		}
		listener({ type: "progress", searched: total, total });
	}

	#error(why: string): PlaceError {
		return new PlaceError(`${this.#place.name}: ${why}`);
	}

	/** Emits what was listed in an earlier run, as a whole or not at all. */
	async #readKept(): Promise<void> {
		const kept = readTextFileAsync(keptPath(this.#cacheDir, this.#place.name), MAX_OUTPUT_BYTES);
		const [first = "", ...rest] = (await kept.catch(() => "")).split("\n");
		const head = parsed(KEPT, first);
		if (head?.place !== placeKey(this.#place) || rest.pop() !== "end") return;
		const slice = new TimeSlice();
		const sessions: ListedLine[] = [];
		for (const line of rest) {
			const session = sessionOf(line);
			if (session === undefined) return;
			sessions.push(session);
			if (slice.shouldYield()) await slice.yieldToEventLoop();
		}
		const lineOf = ({ row: { path }, isLive }: ListedLine) => ({ path, isLive });
		this.#lines = new Map(sessions.map((session, index) => [rest[index] ?? "", lineOf(session)]));
		this.home = head.home;
		this.#emit(sessions);
		const state = { ...unaskedState(this.#place), phase: "asking", asOfMs: head.listedMs } as const;
		this.#listener({ type: "places", places: [state] });
	}

	/** Keeps the lines of a list. If they cannot be written, nothing is there the next time before the place answers. */
	async #keep(lines: Iterable<string>): Promise<void> {
		const path = keptPath(this.#cacheDir, this.#place.name);
		const temporary = `${path}.${process.pid}.tmp`;
		const head = { kept: 2, place: placeKey(this.#place), home: this.home, listedMs: Date.now() };
		try {
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			// Only this person may read what others may not read there.
			await writeFile(temporary, [JSON.stringify(head), ...lines, "end"].join("\n"), { mode: 0o600 });
			await rename(temporary, path);
		} catch {
			await rm(temporary, { force: true }).catch(() => undefined);
		}
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** What a command has said on stderr, line by line. */
function notesIn(said: string): string[] {
	return said.split("\n").flatMap((line) => line.replace(/^pi-grove: /, "").trim() || []);
}

function reasonIn(said: string): string {
	return notesIn(said).at(-1) ?? "its pi-grove has failed";
}

/** Forgets what is kept of a place that was removed. */
export async function forgetKept(cacheDir: string, name: string): Promise<void> {
	await rm(keptPath(cacheDir, name), { force: true });
}

/** Names of places are safe as names of files (`nameMistake`). */
function keptPath(cacheDir: string, name: string): string {
	return join(cacheDir, "places", `${name}.jsonl`);
}

/** A place of the same name may be another machine now. */
function placeKey({ host, command = "" }: HostPlace): string {
	return `ssh ${host} ${command}`;
}
