import { TimeSlice } from "../../shared/steps.ts";
import { implies } from "../query/implies.ts";
import type { Query } from "../query/parse-query.ts";
import { AccentCensus } from "./accent-census.ts";
import { batchesOf } from "./batches.ts";
import { findRipgrep, RipgrepError } from "./find-ripgrep.ts";
import { ResultBatcher } from "./result-batcher.ts";
import type { Hit, SearchEvent, SearchFile, SearchResult, SessionHits } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";
import { searchSessions } from "./search-session.ts";
import type { SessionMatches } from "./session-matches.ts";

/** One query, and what is known about the files for it. */
interface Run {
	readonly request: number;
	readonly query: Query;
	readonly controller: AbortController;
	readonly results: ResultBatcher;
	/** Paths that are still to be searched. */
	readonly pending: Set<string>;
	/** Paths that are being searched: nothing is known about them yet. */
	current: ReadonlySet<string>;
	readonly found: Map<string, SessionMatches>;
	/** Paths of sessions that were searched in full; false if they have changed since. */
	readonly counted: Map<string, boolean>;
	/** The results of those sessions. */
	readonly exact: Map<string, SearchResult>;
	/** Whether ripgrep has failed: pending files then wait for the next change or the next search. */
	hasFailed: boolean;
	searching: Promise<void> | undefined;
	counting: Promise<void> | undefined;
}

/**
 * Searches all known files for one query at a time, newest first, and changed files again. It also searches single
 * sessions in full. There are never more than two ripgrep processes, one for each of the two.
 */
export class Searcher {
	readonly #files = new Map<string, SearchFile>();
	readonly #emit: (request: number, event: SearchEvent) => void;
	readonly #onProcess: SearchFilesOptions["onProcess"];
	readonly #timeSlice = new TimeSlice();
	readonly #census = new AccentCensus();
	#visible: readonly string[] = [];
	#watched = 0;
	#run: Run | undefined;
	/** Settles when no process of an ended search is left. */
	#ended: Promise<unknown> = Promise.resolve();
	/** Settles when no process of a full search is left. */
	#fullSearches: Promise<unknown> = Promise.resolve();

	/** `onProcess`: called when a ripgrep has started, and when it has ended. */
	constructor(
		emit: (request: number, event: SearchEvent) => void,
		onProcess?: (pid: number, running: boolean) => void,
	) {
		this.#emit = emit;
		this.#onProcess = onProcess;
	}

	/** Adds new or changed files. */
	update(files: readonly SearchFile[]): void {
		this.#census.forget(files.map(({ path }) => path));
		for (const file of files) {
			this.#files.set(file.path, file);
			this.#run?.pending.add(file.path);
			if (this.#run?.counted.has(file.path)) this.#run.counted.set(file.path, false);
		}
		this.#resume();
	}

	/** Adds facts about unchanged files. */
	learn(files: readonly SearchFile[]): void {
		for (const file of files) if (this.#files.has(file.path)) this.#files.set(file.path, file);
	}

	/** Forgets deleted files. */
	remove(paths: readonly string[]): void {
		const run = this.#run;
		this.#census.forget(paths);
		for (const path of paths) {
			this.#files.delete(path);
			run?.pending.delete(path);
			run?.found.delete(path);
		}
		// A file that was replaced by a pipe blocks ripgrep forever: search the others with another process.
		if (run && paths.some((path) => run.current.has(path))) this.search(run.request, run.query);
	}

	/** Starts a search and ends the previous one. */
	search(request: number, query: Query): void {
		const before = this.#run;
		this.stop();
		const run: Run = {
			request,
			query,
			controller: new AbortController(),
			results: new ResultBatcher((event) => this.#emit(request, event)),
			pending: new Set(this.#files.keys()),
			current: new Set(),
			found: new Map(),
			counted: new Map(),
			exact: new Map(),
			hasFailed: false,
			searching: undefined,
			counting: undefined,
		};
		// A file that does not match a weaker query does not match a stronger one either.
		if (before && implies(query, before.query))
			for (const path of this.#files.keys())
				if (!before.pending.has(path) && !before.current.has(path) && !before.found.has(path)) run.pending.delete(path);
		this.#run = run;
		this.#resume();
	}

	/** Ends the search and its ripgrep. */
	stop(): void {
		const run = this.#run;
		if (!run) return;
		this.#run = undefined;
		run.controller.abort();
		this.#ended = Promise.all([this.#ended, run.searching, run.counting]);
	}

	/** Resolves when no process is left. */
	async close(): Promise<void> {
		this.stop();
		await Promise.all([this.#ended, this.#fullSearches]);
	}

	/** Sets the visible sessions: those with results are searched in full, for their counts and their best hits. */
	watchVisible(paths: readonly string[], watched: number): void {
		this.#visible = paths;
		this.#watched = watched;
		this.#count();
		if (this.#run) this.#settle(this.#run);
	}

	/** All hits in one session. */
	async hits(query: Query, path: string): Promise<SessionHits> {
		const { signal } = this.#run?.controller ?? new AbortController();
		const file = this.#files.get(path) ?? { path, size: 0, modified: 0 };
		const hits: Hit[] = [];
		let best: Hit | undefined;
		try {
			await this.#inTurn(async () => {
				for await (const { session, matches } of searchSessions(query, [file], await this.#options(signal))) {
					for (const { hit } of matches) hits.push(hit);
					best = session.result()?.best;
				}
			});
		} catch (error) {
			// The query has changed, so these hits are no longer needed.
			if (!signal.aborted) throw error;
		}
		return { hits, best };
	}

	/** Runs work after the work queued before it. */
	#inTurn(work: () => Promise<void>): Promise<void> {
		const turn = this.#fullSearches.then(work);
		this.#fullSearches = turn.catch(() => undefined);
		return turn;
	}

	#resume(): void {
		const run = this.#run;
		if (!run) return;
		run.searching ??= this.#attempt(run, () => this.#searchPending(run)).finally(() => {
			run.searching = undefined;
			if (run === this.#run && run.pending.size > 0 && !run.hasFailed) this.#resume();
			this.#settle(run);
		});
	}

	async #searchPending(run: Run): Promise<void> {
		const { signal } = run.controller;
		run.hasFailed = false;
		await this.#ended;
		signal.throwIfAborted();
		const options = await this.#options(signal);
		const onMatch = (session: SessionMatches) => this.#addMatches(run, session);
		const search = new FileSearch(run.query, { ...options, thorough: false, census: this.#census, onMatch });
		while (run.pending.size > 0) {
			for (const batch of batchesOf(this.#newestFirst(run.pending))) {
				run.current = new Set(batch.map(({ path }) => path));
				for (const path of run.current) run.pending.delete(path);
				const before = [...run.current].filter((path) => run.found.delete(path));
				await search.search(batch);
				run.current = new Set();
				run.results.lose(before.filter((path) => !run.found.has(path)));
				this.#report(run);
				this.#count();
			}
		}
		this.#report(run);
		await search.improve();
		run.results.flush();
	}

	/** Reports when nothing is left to do. */
	#settle(run: Run): void {
		if (run === this.#run && !run.searching && !run.counting) run.results.settle(this.#watched);
	}

	#newestFirst(paths: ReadonlySet<string>): SearchFile[] {
		const files = [...paths].map((path) => this.#files.get(path)).filter((file) => file !== undefined);
		return files.sort((a, b) => b.modified - a.modified);
	}

	#addMatches(run: Run, session: SessionMatches): void {
		const { path } = session.file;
		run.found.set(path, session);
		const result = session.result();
		// A full count, done or about to be done, is better than the result of one pass.
		const isCounted = run.counted.has(path) && (this.#visible.includes(path) || !this.#isStale(run, session.file));
		const exact = run.exact.get(path);
		if (result && !isCounted) run.results.add(result);
		else if (result && exact && exact.rank !== result.rank) this.#addExact(run, { ...exact, rank: result.rank });
	}

	/** Counts the hits of the visible sessions, in one run of ripgrep for all of them. */
	#count(): void {
		const run = this.#run;
		if (!run || run.counting) return;
		const files = this.#visible
			// A session to be searched again is counted afterwards: until then nothing is known about it.
			.filter((path) => run.found.has(path) && !run.pending.has(path))
			.map((path) => this.#files.get(path))
			.filter((file) => file !== undefined)
			.filter((file) => this.#isStale(run, file));
		if (files.length === 0) return;
		for (const { path } of files) run.counted.set(path, true);
		run.counting = this.#attempt(run, () => this.#inTurn(() => this.#countFiles(run, files))).finally(() => {
			run.counting = undefined;
			if (run === this.#run) this.#count();
			this.#settle(run);
		});
	}

	/** Whether a session was not counted in its present state. */
	#isStale(run: Run, { path }: SearchFile): boolean {
		return run.counted.get(path) !== true;
	}

	async #countFiles(run: Run, files: readonly SearchFile[]): Promise<void> {
		const options = await this.#options(run.controller.signal);
		for await (const { session, answer } of searchSessions(run.query, files, options)) {
			const result = session.result();
			const known = run.found.get(session.file.path)?.result();
			// The rank stays, so that no visible row moves.
			if (result && known) this.#addExact(run, { ...result, rank: known.rank, answer });
		}
		run.results.flush();
	}

	#addExact(run: Run, result: SearchResult): void {
		run.exact.set(result.path, result);
		run.results.add(result);
	}

	async #options(signal: AbortSignal): Promise<Omit<SearchFilesOptions, "thorough" | "onMatch" | "census">> {
		const ripgrep = await findRipgrep();
		// The list reports why a session cannot be read.
		return { ripgrep, signal, timeSlice: this.#timeSlice, onUnreadable: () => undefined, onProcess: this.#onProcess };
	}

	/** Reports failures of ripgrep. The end of a search is not a failure; anything else is a bug and ends the thread. */
	async #attempt(run: Run, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (run.controller.signal.aborted) return;
			if (!(error instanceof RipgrepError)) throw error;
			run.hasFailed = true;
			run.results.fail(error.message);
		}
	}

	#report(run: Run): void {
		run.results.flush();
		const left = run.pending.size + run.current.size;
		run.results.progress(this.#files.size - left, this.#files.size);
	}
}
