import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { messageOf } from "../../shared/attempt.ts";
import { lineSplitter } from "../../shared/line-splitter.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { replaceText } from "../../store/write/text-file.ts";
import type { Catalog } from "../catalog.ts";
import type { CatalogEvent } from "../model/event.ts";
import { NOTHING_LIVE } from "../model/live.ts";
import type { SessionRow } from "../model/row.ts";
import { asksForArchived } from "../query/conditions.ts";
import { type Query, wordsOf } from "../query/parse-query.ts";
import type { SearchEvent, SearchResult, SessionsWith } from "../search/search.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { HELLO, type Hello, HostConnection, type HostLimits } from "./host-connection.ts";
import { type HostPlace, keptPath, PlaceError } from "./place.ts";
import { PlaceCopies } from "./place-copies.ts";
import { parsed } from "./serve.ts";
import { type ListedLine, listedLine, resultOf, sumsOf } from "./session-lines.ts";

/** The part of a catalog that each place has, and what only a host has. Paths are as they are there. */
export interface PlaceCatalog
	extends Pick<
		Catalog,
		"start" | "refresh" | "listed" | "counted" | "search" | "searchEach" | "watchVisible" | "close"
	> {
	stats(all: readonly SessionRow[], isAsked?: (row: SessionRow) => boolean, on?: string): Promise<StatsSums>;
	/** The greeting of the host, or its last one. */
	readonly hello?: Hello | undefined;
	/** When the rows of an earlier time were listed, Unix ms. */
	readonly keptMs?: number | undefined;
	/** Rejects with a `PlaceError` when it can no longer be asked, or was closed. */
	readonly ended?: Promise<void>;
	/** A private copy of a session, of at least the length in its row. Rejects with a `PlaceError`, or the signal's reason. */
	fileOf?(row: SessionRow, signal?: AbortSignal): Promise<string>;
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
/** A larger session is not fetched: a machine may claim any size, and one may have grown by so much since it was listed. */
const MAX_SESSION_BYTES = 4 * 1024 ** 3;
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;
/** Results that are searched for first: those that a screen shows. */
const FIRST_RESULTS = 200;
/** Milliseconds between listings, and the minimum pause as a multiple of the duration of the last listing. */
const FOLLOW_MS = 10_000;
const REST_FACTOR = 20;

/** The first line of the cache: the description of the place, its greeting, and when it was listed, by the local clock. */
const KEPT = z.object({ kept: z.literal(3), place: z.string(), said: HELLO, listedMs: z.number() });

/** The sessions of a list, by the lines that say them: one that comes again has not changed. */
type SessionsByLine = Map<string, ListedLine>;

/**
 * The sessions of a host, by the commands of its own pi-grove: `list`, which is asked again and again, `search`, `show` and `stats`
 * (docs/machines.md). What it has listed is kept, so that its rows are there before it answers the next time. It is one connection, and
 * ends with it.
 */
export class HostCatalog implements PlaceCatalog {
	readonly #place: HostPlace;
	readonly #cacheDir: string;
	readonly #connection: HostConnection;
	readonly #copies: PlaceCopies;
	#listed: Promise<void> = Promise.resolve();
	#counted: Promise<void> = Promise.resolve();
	#listener: (event: CatalogEvent) => void = () => undefined;
	#lines: SessionsByLine = new Map();
	/** Ends the wait for the next list. */
	#wait = new AbortController();
	/** Searches again, while a search is shown. */
	#findAgain: (() => void) | undefined;
	/** Ends what is searched for beside the search. */
	#beside = new AbortController();
	ended: Promise<void> = Promise.resolve();
	hello: Hello | undefined;
	keptMs: number | undefined;

	constructor(place: HostPlace, options: HostCatalogOptions) {
		this.#place = place;
		this.#cacheDir = options.cacheDir;
		this.#connection = new HostConnection(place, options);
		this.#copies = new PlaceCopies(options.createDirectory);
	}

	start(listener: (event: CatalogEvent) => void): void {
		this.#listener = listener;
		// The first time without waiting until everything is counted there.
		this.#listed = this.#connect().then(() => this.#list([]));
		this.#counted = this.#listed.then(() => this.#list(["--counted"]));
		this.ended = this.#counted.then(() => this.#follow());
		this.ended.catch(() => undefined);
	}

	listed(): Promise<void> {
		return this.#listed;
	}

	counted(): Promise<void> {
		return this.#counted;
	}

	/** Lists again now, unless a listing is running. */
	async refresh(): Promise<void> {
		this.#wait.abort();
	}

	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		this.#endBeside();
		let finding = new AbortController();
		const find = (): void => {
			finding.abort();
			finding = new AbortController();
			const { signal } = finding;
			this.#find(query, listener, signal).catch((error: unknown) => {
				if (!signal.aborted) listener({ type: "error", message: messageOf(error) });
			});
		};
		this.#findAgain = find;
		find();
		return () => {
			finding.abort();
			if (this.#findAgain !== find) return;
			this.#findAgain = undefined;
			this.#endBeside();
		};
	}

	#endBeside(): void {
		this.#beside.abort();
		this.#beside = new AbortController();
	}

	async searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		const { signal } = this.#beside;
		const answers: SessionsWith[] = [];
		try {
			for (const { text } of queries) {
				const results = await this.#findAll(text, [], signal);
				const typed = results.filter(({ other }) => other === undefined);
				const paths = (typed.length > 0 ? typed : results).map(({ path }) => path);
				answers.push({ paths: new Set(paths), inForms: typed.length === 0 });
			}
		} catch (error) {
			if (!signal.aborted) throw error;
		}
		return answers;
	}

	/** All that a search finds is searched to its end. */
	watchVisible(): void {
		// Visible sessions need nothing more.
	}

	async stats(all: readonly SessionRow[], isAsked = (_: SessionRow): boolean => true, on = ""): Promise<StatsSums> {
		const selection = all.filter(isAsked);
		const words = selection.length === all.length ? [] : ["--", ...selection.map(({ path }) => path)];
		const pieces: Buffer[] = [];
		await this.#run(["stats", "--json", ...(on === "" ? [] : ["--on", on]), ...words], (bytes) => pieces.push(bytes));
		const sums = sumsOf(Buffer.concat(pieces).toString("utf8"));
		if (sums === undefined)
			throw this.#error("its sums could not be understood; pi-grove may be newer there than here");
		return sums;
	}

	async fileOf(row: SessionRow, signal?: AbortSignal): Promise<string> {
		const tooLarge = this.#error("the session is too large to be fetched");
		if (row.size > MAX_SESSION_BYTES) throw tooLarge;
		return this.#copies.copyOf(row, async (from, onBytes) => {
			let budget = row.size + MAX_GROWTH_BYTES;
			const take = (bytes: Buffer): Promise<unknown> => {
				budget -= bytes.length;
				if (budget < 0) throw tooLarge;
				return onBytes(bytes);
			};
			const args = ["show", "--raw", ...(from > 0 ? ["--offset", String(from)] : []), "--", row.path];
			const { code, notes } = await this.#connection.run(args, take, signal);
			if (code !== 0) throw this.#error(reasonIn(notes));
		});
	}

	async close(): Promise<void> {
		await this.#connection.close();
		await this.ended.catch(() => undefined);
	}

	/** Runs a command whose output is bounded; returns its stderr. Rejects if it fails, or is ended by the signal. */
	async #run(args: readonly string[], onOutput: (bytes: Buffer) => unknown, signal?: AbortSignal): Promise<string> {
		let bytes = 0;
		const take = (piece: Buffer): unknown => {
			bytes += piece.length;
			if (bytes > MAX_OUTPUT_BYTES) throw this.#error("it sends more than fits into memory here");
			return onOutput(piece);
		};
		const { code, notes } = await this.#connection.run(args, take, signal);
		// Nothing was found is an answer, too.
		if (code > 1) throw this.#error(reasonIn(notes));
		return notes;
	}

	/** The same with each item of the JSON list that it prints; a list that is cut off is refused. */
	async #runList(args: readonly string[], onItem: (text: string) => void, signal?: AbortSignal): Promise<string> {
		let last = "";
		const take = (line: string): void => {
			last = line;
			if (line.startsWith("{")) onItem(line.replace(/,$/, ""));
		};
		const onTooLong = (): void => {
			throw this.#error("it sends a line that does not fit into memory here");
		};
		const notes = await this.#run(args, lineSplitter(MAX_LINE_BYTES, take, onTooLong), signal);
		if (!last.endsWith("]")) throw this.#error("its list has ended too early");
		return notes;
	}

	async #connect(): Promise<void> {
		await this.#readKept();
		this.hello = await this.#connection.hello;
	}

	/** Lists it again and again, until it can no longer be asked. */
	async #follow(): Promise<never> {
		for (let tookMs = 0; ; ) {
			this.#wait = new AbortController();
			const restMs = Math.max(FOLLOW_MS, REST_FACTOR * tookMs);
			const resting = delay(restMs, undefined, { ref: false, signal: this.#wait.signal }).catch(() => undefined);
			await Promise.race([resting, this.#connection.ended]);
			this.#wait.abort();
			const began = performance.now();
			await this.#list(["--counted"]);
			tookMs = performance.now() - began;
		}
	}

	async #list(options: readonly string[]): Promise<void> {
		const earlierLines = this.#lines;
		const lines: SessionsByLine = new Map();
		let [fresh, odd] = [0, 0];
		const take = (text: string): void => {
			const earlier = earlierLines.get(text);
			const session = earlier ?? listedLine(text);
			if (session === undefined) odd += 1;
			else lines.set(text, session);
			if (lines.size + odd > MAX_SESSIONS) throw this.#error(`it lists more than ${MAX_SESSIONS} sessions`);
			if (session === undefined || earlier !== undefined) return;
			fresh += 1;
			this.#emit([session]);
		};
		const notes = await this.#runList(["list", "--json", "--raw", ...options], take);
		this.#lines = lines;
		const paths = new Set(lines.values().map(({ row }) => row.path));
		const lostPaths = [...earlierLines.values()].flatMap(({ row }) => (paths.has(row.path) ? [] : [row.path]));
		this.#listener({ type: "gone", paths: lostPaths });
		const live = [...lines.values()].flatMap(({ row, isLive }) => (isLive ? [[row.path, []] as const] : []));
		this.#listener({ type: "live", report: { ...NOTHING_LIVE, sessions: new Map(live) } });
		const oddities =
			odd === 0 ? [] : [`${odd} of its sessions could not be understood; pi-grove may be newer there than here.`];
		const problems = [...oddities, ...notesIn(notes)].map((note) => ({ path: "", message: this.#error(note).message }));
		this.#listener({ type: "problems", problems });
		if (fresh === 0 && lostPaths.length === 0) return;
		// The results may have changed.
		if (earlierLines.size > 0) this.#findAgain?.();
		await this.#keep(lines.keys());
	}

	#emit(sessions: readonly ListedLine[]): void {
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
			const results = await this.#findAll(words, limit, signal);
			listener({ type: "results", results });
			if (limit.length > 0 && results.length < FIRST_RESULTS) break;
		}
		listener({ type: "progress", searched: total, total });
		// For whatever is or becomes visible.
		listener({ type: "settled", watched: Number.POSITIVE_INFINITY, inForms: false });
	}

	async #findAll(words: string, limit: readonly string[] = [], signal?: AbortSignal): Promise<readonly SearchResult[]> {
		const results: SearchResult[] = [];
		const take = (text: string): void => {
			results.push(...[resultOf(text)].filter((one) => one !== undefined));
			if (results.length > this.#lines.size) throw this.#error("it finds more than it lists");
		};
		await this.#runList(["search", "--json", "--raw", ...limit, "--", words], take, signal);
		return results;
	}

	#error(why: string): PlaceError {
		return new PlaceError(`${this.#place.name}: ${why}`);
	}

	/** Emits the listing of an earlier run, completely or not at all. */
	async #readKept(): Promise<void> {
		const reading = readTextFileAsync(keptPath(this.#cacheDir, this.#place.name), MAX_OUTPUT_BYTES);
		const [first = "", ...rest] = (await reading.catch(() => "")).split("\n");
		const head = parsed(KEPT, first);
		if (head?.place !== placeKey(this.#place) || rest.pop() !== "end") return;
		const slice = new TimeSlice();
		const lines: SessionsByLine = new Map();
		for (const line of rest) {
			const session = listedLine(line);
			if (session === undefined) return;
			lines.set(line, session);
			if (slice.shouldYield()) await slice.yieldToEventLoop();
		}
		[this.#lines, this.hello, this.keptMs] = [lines, head.said, head.listedMs];
		this.#emit([...lines.values()]);
	}

	/** Keeps the lines of a list. If they cannot be written, nothing is there the next time before the place answers. */
	async #keep(lines: Iterable<string>): Promise<void> {
		const head = { kept: 3, place: placeKey(this.#place), said: this.hello, listedMs: Date.now() };
		const pieces = [JSON.stringify(head), ...lines].map((line) => `${line}\n`);
		// Only this person may read what others may not read there.
		await replaceText(keptPath(this.#cacheDir, this.#place.name), [...pieces, "end"]).catch(() => undefined);
	}
}

/** The stderr of a command, line by line. */
function notesIn(text: string): string[] {
	return text.split("\n").flatMap((line) => line.replace(/^pi-grove: /, "").trim() || []);
}

function reasonIn(text: string): string {
	return notesIn(text).at(-1) ?? "its pi-grove has failed";
}

/** A place of the same name may be another machine now. */
function placeKey({ host, command = "" }: HostPlace): string {
	return `ssh ${host} ${command}`;
}
