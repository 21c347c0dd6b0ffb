import { TimeSlice } from "../../shared/steps.ts";
import { implies } from "../query/match.ts";
import { ENOUGH, withOtherForms } from "../query/other-forms.ts";
import type { Query } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { findRipgrep, RipgrepError } from "./find-ripgrep.ts";
import type { OnUnreadable } from "./grep.ts";
import { HiddenFiles } from "./hidden-files.ts";
import { ResultBatcher } from "./result-batcher.ts";
import type { Hit, SearchEvent, SearchFile, SearchResult, SessionHits } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";
import { type SearchOptions, searchSessions } from "./search-session.ts";
import type { SessionMatches } from "./session-matches.ts";

/** While files are being searched, the visible sessions are counted this often, in milliseconds. */
const COUNTED_EACH_MS = 500;

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
	/** Until when no counting begins while files are being searched, by `performance.now`. */
	notCountedUntil: number;
	/** The search for other forms of the words; undefined until it begins. */
	forms: FormsRun | undefined;
}

/** The search for other forms of a query's words, in the sessions that lack them as typed. */
interface FormsRun {
	readonly query: Query;
	/** Paths of the sessions that are still to be searched. */
	readonly pending: Set<string>;
	/** Paths that are being searched. */
	current: ReadonlySet<string>;
	/** Sessions that have all words, some of them only in other forms. */
	readonly found: Map<string, SessionMatches>;
	/** Ends it: a search for the words as typed goes first. */
	controller: AbortController;
	searching: Promise<void> | undefined;
}

function formsRun(query: Query, paths: Iterable<string>): FormsRun | undefined {
	const inForms = withOtherForms(query);
	if (inForms === undefined) return undefined;
	const controller = new AbortController();
	return {
		query: inForms,
		pending: new Set(paths),
		current: new Set(),
		found: new Map(),
		controller,
		searching: undefined,
	};
}

/**
 * Searches all known files for one query at a time, newest first, and changed files again. If few sessions have the words as
 * typed, the others are then searched for other forms of them; what was found so stays, also if more have them as typed later.
 * It also searches single sessions in full. There are never more than two ripgrep processes, one for each of the two.
 */
export class Searcher {
	readonly #files = new Map<string, SearchFile>();
	readonly #emit: (request: number, event: SearchEvent) => void;
	readonly #onProcess: SearchFilesOptions["onProcess"];
	readonly #timeSlice = new TimeSlice();
	readonly #hiddenFiles = new HiddenFiles();
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
		this.#hiddenFiles.forget(files.map(({ path }) => path));
		for (const file of files) {
			this.#files.set(file.path, file);
			this.#run?.pending.add(file.path);
			this.#run?.forms?.pending.add(file.path);
			if (this.#run?.counted.has(file.path)) this.#run.counted.set(file.path, false);
		}
		this.#resume();
	}

	/** Forgets deleted files. */
	remove(paths: readonly string[]): void {
		const run = this.#run;
		this.#hiddenFiles.forget(paths);
		for (const path of paths) {
			this.#files.delete(path);
			run?.pending.delete(path);
			run?.found.delete(path);
			run?.forms?.pending.delete(path);
			run?.forms?.found.delete(path);
		}
		// A file that was replaced by a pipe blocks ripgrep forever: search the others with another process.
		const isBlocked = (path: string): boolean =>
			run?.current.has(path) === true || run?.forms?.current.has(path) === true;
		if (run && paths.some(isBlocked)) this.search(run.request, run.query);
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
			notCountedUntil: performance.now() + COUNTED_EACH_MS,
			forms: undefined,
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
		run.forms?.controller.abort();
		this.#ended = Promise.all([this.#ended, run.searching, run.counting, run.forms?.searching]);
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

	/** All hits in one session; in other forms if the query has them. */
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
		run.searching ??= this.#attempt(run, run.controller.signal, () => this.#searchPending(run)).finally(() => {
			run.searching = undefined;
			if (run === this.#run && run.pending.size > 0 && !run.hasFailed) this.#resume();
			this.#count();
			this.#findForms(run);
			this.#settle(run);
		});
	}

	/** Searches for other forms of the words if few sessions have them as typed, after everything else is known. */
	#findForms(run: Run): void {
		if (run !== this.#run || run.searching || run.hasFailed || run.forms?.searching) return;
		const isEnough = run.found.size >= ENOUGH;
		if (!isEnough) run.forms ??= formsRun(run.query, this.#files.keys());
		const { forms } = run;
		if (forms === undefined) return;
		for (const path of run.found.keys()) forms.pending.delete(path);
		// With enough sessions as typed no others are added, but those that are shown must still be true.
		const paths = isEnough ? forms.pending.intersection(new Set(forms.found.keys())) : forms.pending;
		if (paths.size === 0) return;
		const controller = new AbortController();
		forms.controller = controller;
		forms.searching = this.#attempt(run, controller.signal, () => this.#searchForms(run, forms, paths)).finally(() => {
			forms.searching = undefined;
			this.#settle(run);
		});
	}

	async #searchForms(run: Run, forms: FormsRun, paths: ReadonlySet<string>): Promise<void> {
		const options = await this.#options(forms.controller.signal, run);
		let again = new Set<string>();
		const onMatch = (session: SessionMatches) => {
			if (this.#addForms(run, forms, session)) again.add(session.file.path);
		};
		const search = new FileSearch(forms.query, { ...options, thorough: false, onMatch });
		for (const batch of batchesOf(this.#newestFirst(paths))) {
			forms.current = new Set(batch.map(({ path }) => path));
			again = new Set();
			await search.search(batch);
			for (const path of forms.current) forms.pending.delete(path);
			const lost = [...forms.current].filter((path) => !again.has(path) && forms.found.delete(path));
			forms.current = new Set();
			run.results.lose(lost);
			run.results.flush();
			this.#count();
		}
		await search.improve();
		run.results.flush();
	}

	/** Returns whether the session belongs to those with other forms. */
	#addForms(run: Run, forms: FormsRun, session: SessionMatches): boolean {
		const { path } = session.file;
		const result = session.result();
		// With all words as typed it has changed a moment ago, and is searched for them again.
		if (result?.other === undefined || run.found.has(path)) return false;
		forms.found.set(path, session);
		if (this.#isStale(run, session.file)) run.results.add(result);
		return true;
	}

	async #searchPending(run: Run): Promise<void> {
		const { signal } = run.controller;
		run.hasFailed = false;
		// Never more than two processes: what was typed goes first, and what it leaves is searched again.
		run.forms?.controller.abort();
		await Promise.all([this.#ended, run.forms?.searching]);
		signal.throwIfAborted();
		const options = await this.#options(signal, run);
		const onMatch = (session: SessionMatches) => this.#addMatches(run, session);
		const search = new FileSearch(run.query, { ...options, thorough: false, onMatch });
		while (run.pending.size > 0) {
			for (const batch of batchesOf(this.#newestFirst(run.pending))) {
				run.current = new Set(batch.map(({ path }) => path));
				for (const path of run.current) run.pending.delete(path);
				const before = [...run.current].filter((path) => run.found.delete(path));
				await search.search(batch);
				run.current = new Set();
				const lost = before.filter((path) => !run.found.has(path));
				// It may have them in other forms now.
				for (const path of lost) run.forms?.pending.add(path);
				run.results.lose(lost);
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
		if (run === this.#run && !run.searching && !run.counting)
			run.results.settle(this.#watched, run.forms?.searching !== undefined);
	}

	#newestFirst(paths: ReadonlySet<string>): SearchFile[] {
		const files = [...paths].map((path) => this.#files.get(path)).filter((file) => file !== undefined);
		return files.sort((a, b) => b.modified - a.modified);
	}

	#addMatches(run: Run, session: SessionMatches): void {
		const { path } = session.file;
		run.found.set(path, session);
		// It has them as typed now; its result replaces the other one.
		if (run.forms?.found.delete(path)) {
			run.counted.delete(path);
			run.exact.delete(path);
		}
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
		// What is visible changes with each better result, and counting takes from the search what it needs.
		if (run.searching && performance.now() < run.notCountedUntil) return;
		const files = this.#visible
			// A session to be searched again is counted afterwards: until then nothing is known about it.
			.filter((path) => !run.pending.has(path) && this.#foundIn(run, path) !== undefined)
			.map((path) => this.#files.get(path))
			.filter((file) => file !== undefined)
			.filter((file) => this.#isStale(run, file));
		if (files.length === 0) return;
		run.notCountedUntil = performance.now() + COUNTED_EACH_MS;
		for (const { path } of files) run.counted.set(path, true);
		const { signal } = run.controller;
		run.counting = this.#attempt(run, signal, () => this.#inTurn(() => this.#countFiles(run, files))).finally(() => {
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
		const options = await this.#options(run.controller.signal, run);
		const count = async (query: Query, some: readonly SearchFile[], found: ReadonlyMap<string, SessionMatches>) => {
			for await (const { session, answer } of searchSessions(query, some, options)) {
				const result = session.result();
				const known = found.get(session.file.path)?.result();
				// The rank stays, so that no visible row moves.
				if (result && known) this.#addExact(run, { ...result, rank: known.rank, answer });
			}
		};
		for (const { query, found } of run.forms === undefined ? [run] : [run, run.forms]) {
			const some = files.filter(({ path }) => found.has(path));
			await count(query, some, found);
		}
		run.results.flush();
	}

	/** What was found in a session, as typed or else in other forms. */
	#foundIn(run: Run, path: string): SessionMatches | undefined {
		return run.found.get(path) ?? run.forms?.found.get(path);
	}

	#addExact(run: Run, result: SearchResult): void {
		run.exact.set(result.path, result);
		run.results.add(result);
	}

	/** `run`: gets what cannot be read. */
	async #options(signal: AbortSignal, run?: Run): Promise<SearchOptions> {
		const ripgrep = await findRipgrep();
		const onUnreadable: OnUnreadable = (reasons) => run?.results.leaveOut(reasons);
		return {
			ripgrep,
			signal,
			timeSlice: this.#timeSlice,
			onUnreadable,
			onProcess: this.#onProcess,
			hiddenFiles: this.#hiddenFiles,
		};
	}

	/** Reports failures of ripgrep. The end of a search is not a failure; anything else is a bug and ends the thread. */
	async #attempt(run: Run, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (signal.aborted) return;
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
