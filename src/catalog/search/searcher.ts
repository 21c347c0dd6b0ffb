import { TimeSlice } from "../../shared/steps.ts";
import { implies } from "../query/match.ts";
import { ENOUGH, withOtherForms } from "../query/other-forms.ts";
import type { Query } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { findRipgrep, RipgrepError } from "./find-ripgrep.ts";
import { ResultBatcher } from "./result-batcher.ts";
import type { Hit, SearchEvent, SearchFile, SearchResult, SessionHits, SessionsWith } from "./search.ts";
import { FileSearch, type SearchTools } from "./search-files.ts";
import { searchSessions } from "./search-session.ts";
import type { SessionMatches } from "./session-matches.ts";

/** While files are being searched, the visible sessions are counted this often, in milliseconds. */
const COUNTED_EACH_MS = 500;

/** A search for the words of a query as typed, or for other forms of them. */
interface SearchPart {
	readonly query: Query;
	/** Paths that are to be searched, for the first time or again. */
	readonly pending: Set<string>;
	/** Those of them, and of the ones that are being searched, that were never searched. */
	readonly unsearched: Set<string>;
	/** Paths that are being searched. */
	current: ReadonlySet<string>;
	readonly matches: Map<string, SessionMatches>;
	controller: AbortController;
}

function newPart(query: Query, paths: readonly string[]): SearchPart {
	return {
		query,
		pending: new Set(paths),
		unsearched: new Set(paths),
		current: new Set(),
		matches: new Map(),
		controller: new AbortController(),
	};
}

/** Whether a session is to be searched again, so that nothing is known about it until then. */
function isOpen({ pending, current }: SearchPart, path: string): boolean {
	return pending.has(path) || current.has(path);
}

/** One query, and what is known about the files for it. */
interface SearchRun {
	readonly request: number;
	readonly results: ResultBatcher;
	readonly typed: SearchPart;
	/** In the sessions that lack some of the words as typed; undefined until it is known that few have all of them. */
	forms: SearchPart | undefined;
	active: SearchPart | undefined;
	/** Whether the active part only searches what has changed since it was searched. */
	isRepeating: boolean;
	/** Paths of sessions that were searched in full; false if they have changed since. */
	readonly counted: Map<string, boolean>;
	/** The results of those sessions. */
	readonly exact: Map<string, SearchResult>;
	/** Whether ripgrep has failed: pending files then wait for the next change or the next search. */
	hasFailed: boolean;
	searching: Promise<void> | undefined;
	counting: Promise<void> | undefined;
	/** Whether some of those that are being counted were never counted. */
	countsFirst: boolean;
	/** Until when no counting begins while files are being searched, by `performance.now`. */
	notCountedUntil: number;
}

function partsOf({ typed, forms }: SearchRun): readonly SearchPart[] {
	return forms === undefined ? [typed] : [typed, forms];
}

/**
 * Searches all known files for one query at a time, newest first, and changed files again. If few sessions have the words as
 * typed, the others are then searched for other forms of them; what was found so stays, also if more have them as typed later.
 * A file that changes is searched again, for which nobody waits: some may change all the time.
 * It also searches single sessions in full. There are never more than two ripgrep processes, one for each of the two.
 */
export class Searcher {
	readonly #files = new Map<string, SearchFile>();
	readonly #emit: (request: number, event: SearchEvent) => void;
	readonly #onProcess: SearchTools["onProcess"];
	readonly #timeSlice = new TimeSlice();
	#visible: readonly string[] = [];
	#watched = 0;
	#run: SearchRun | undefined;
	/** Ends what is searched for beside the search. */
	#beside = new AbortController();
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

	update(files: readonly SearchFile[]): void {
		const run = this.#run;
		for (const file of files) {
			const isNew = !this.#files.has(file.path);
			this.#files.set(file.path, file);
			if (run === undefined) continue;
			for (const { pending, unsearched } of partsOf(run)) {
				pending.add(file.path);
				if (isNew) unsearched.add(file.path);
			}
			if (run.counted.has(file.path)) run.counted.set(file.path, false);
		}
		this.#resume();
	}

	remove(paths: readonly string[]): void {
		const run = this.#run;
		for (const path of paths) this.#files.delete(path);
		for (const { pending, unsearched, matches } of run === undefined ? [] : partsOf(run))
			for (const path of paths) {
				pending.delete(path);
				unsearched.delete(path);
				matches.delete(path);
			}
		// A file that was replaced by a pipe blocks ripgrep forever: search the others with another process.
		if (run && paths.some((path) => run.active?.current.has(path))) this.search(run.request, run.typed.query);
	}

	search(request: number, query: Query): void {
		const lastPart = this.#run?.typed;
		this.stop();
		const paths = [...this.#files.keys()];
		// A file that does not match a weaker query does not match a stronger one either.
		const weaker = lastPart && implies(query, lastPart.query) ? lastPart : undefined;
		const typed = newPart(
			query,
			weaker ? paths.filter((path) => isOpen(weaker, path) || weaker.matches.has(path)) : paths,
		);
		this.#run = {
			request,
			results: new ResultBatcher((event) => this.#emit(request, event)),
			typed,
			forms: undefined,
			active: undefined,
			isRepeating: false,
			counted: new Map(),
			exact: new Map(),
			hasFailed: false,
			searching: undefined,
			counting: undefined,
			countsFirst: false,
			notCountedUntil: performance.now() + COUNTED_EACH_MS,
		};
		this.#resume();
	}

	/** Ends the search, what is searched for beside it, and their ripgrep. */
	stop(): void {
		this.#beside.abort();
		this.#beside = new AbortController();
		const run = this.#run;
		if (!run) return;
		this.#run = undefined;
		for (const { controller } of partsOf(run)) controller.abort();
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

	/** All hits in one session; in other forms if the query has them. */
	async hits(query: Query, path: string): Promise<SessionHits> {
		const { signal } = this.#run?.typed.controller ?? new AbortController();
		const file = this.#files.get(path) ?? { path, size: 0, modified: 0 };
		const hits: Hit[] = [];
		let best: Hit | undefined;
		try {
			await this.#inTurn(async () => {
				for await (const { session, matches } of searchSessions(query, [file], await this.#tools(signal))) {
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

	async searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]> {
		const { signal } = this.#beside;
		const answers: SessionsWith[] = [];
		try {
			await this.#inTurn(async () => {
				const tools = await this.#tools(signal);
				for (const query of queries) answers.push(await this.#sessionsWith(query, tools));
			});
		} catch (error) {
			if (!signal.aborted) throw error;
		}
		return answers;
	}

	async #sessionsWith(query: Query, tools: SearchTools): Promise<SessionsWith> {
		const find = async (asked: Query): Promise<ReadonlySet<string>> => {
			const paths = new Set<string>();
			const onMatch = ({ isFound, file }: SessionMatches): unknown => isFound && paths.add(file.path);
			const search = new FileSearch(asked, { ...tools, thorough: false, onMatch });
			for (const batch of batchesOf(this.#newestFirst(new Set(this.#files.keys())))) await search.search(batch);
			return paths;
		};
		const paths = await find(query);
		const forms = paths.size === 0 ? withOtherForms(query) : undefined;
		return forms === undefined ? { paths, inForms: false } : { paths: await find(forms), inForms: true };
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
		// The words as typed go first in what is new; what this leaves is searched again.
		if (run.active === run.forms && run.typed.unsearched.size > 0) run.forms?.controller.abort();
		run.active ??= run.typed;
		run.searching ??= this.#searchAll(run).finally(() => {
			run.searching = undefined;
			this.#count();
			this.#settle(run);
		});
	}

	async #searchAll(run: SearchRun): Promise<void> {
		await this.#ended;
		run.hasFailed = false;
		// What a weaker query has shown may answer this one without a search.
		if (run === this.#run && run.typed.pending.size === 0) this.#report(run);
		for (let part = this.#nextPart(run); part !== undefined; part = this.#nextPart(run, part)) {
			const searched = part;
			run.active = searched;
			run.isRepeating = searched.unsearched.size === 0;
			this.#count();
			this.#settle(run);
			await this.#attempt(run, searched.controller.signal, () => this.#searchPart(run, searched));
			// What a search has left that was ended, or has failed, is still to be searched.
			for (const path of searched.current) if (this.#files.has(path)) searched.pending.add(path);
			searched.current = new Set();
		}
		run.active = undefined;
	}

	/**
	 * What is to be searched next: other forms of the words only if few sessions have them as typed, and in turn with what has
	 * changed, so that neither waits for the other forever.
	 */
	#nextPart(run: SearchRun, last?: SearchPart): SearchPart | undefined {
		if (run !== this.#run || run.hasFailed) return undefined;
		const { typed } = run;
		if (typed.unsearched.size > 0) return typed;
		const inForms = typed.matches.size < ENOUGH && !run.forms ? withOtherForms(typed.query) : undefined;
		if (inForms) run.forms = newPart(inForms, [...this.#files.keys()]);
		if (run.forms?.controller.signal.aborted) run.forms.controller = new AbortController();
		const open = [typed, run.forms].filter((part) => part !== undefined && this.#openIn(run, part).size > 0);
		return open.find((part) => part !== last) ?? open[0];
	}

	/** Whether sessions may still be found by other forms of the words. */
	#awaitsForms({ typed, forms, active }: SearchRun): boolean {
		if (active === undefined || typed.matches.size >= ENOUGH) return false;
		return forms === undefined ? withOtherForms(typed.query) !== undefined : forms.unsearched.size > 0;
	}

	#openIn({ typed }: SearchRun, part: SearchPart): ReadonlySet<string> {
		if (part === typed) return part.pending;
		for (const path of typed.matches.keys()) {
			part.pending.delete(path);
			part.unsearched.delete(path);
		}
		// With enough sessions as typed no others are added, but those that are shown must still be true.
		return typed.matches.size < ENOUGH ? part.pending : part.pending.intersection(part.matches);
	}

	async #searchPart(run: SearchRun, part: SearchPart): Promise<void> {
		const tools = await this.#tools(part.controller.signal, run);
		let again = new Set<string>();
		const onMatch = (session: SessionMatches) => {
			if (this.#addMatches(run, part, session)) again.add(session.file.path);
		};
		const search = new FileSearch(part.query, { ...tools, thorough: false, onMatch });
		for (const batch of batchesOf(this.#newestFirst(this.#openIn(run, part)))) {
			part.current = new Set(batch.map(({ path }) => path));
			for (const path of part.current) part.pending.delete(path);
			again = new Set();
			await search.search(batch);
			const lost = [...part.current].filter((path) => !again.has(path) && part.matches.delete(path));
			for (const path of part.current) part.unsearched.delete(path);
			part.current = new Set();
			for (const path of lost) {
				run.counted.delete(path);
				run.exact.delete(path);
			}
			// They may have the words in other forms now.
			if (part === run.typed) for (const path of lost) run.forms?.pending.add(path);
			run.results.lose(lost);
			this.#report(run);
			this.#count();
		}
		await search.improve();
		run.results.flush();
	}

	/** Reports that nothing more comes, except for sessions with other forms, and for those that change. */
	#settle(run: SearchRun): void {
		if (run !== this.#run) return;
		const isSearching = run.active === run.typed && !(run.isRepeating && run.typed.unsearched.size === 0);
		const isCounting = run.counting !== undefined && run.countsFirst;
		if (isSearching || isCounting || this.#uncounted(run).some(({ path }) => !run.counted.has(path))) return;
		run.results.settle(this.#watched, this.#awaitsForms(run));
	}

	#newestFirst(paths: ReadonlySet<string>): SearchFile[] {
		const files = [...paths].map((path) => this.#files.get(path)).filter((file) => file !== undefined);
		return files.sort((a, b) => b.modified - a.modified);
	}

	/** Returns whether the session belongs to those of this part. */
	#addMatches(run: SearchRun, part: SearchPart, session: SessionMatches): boolean {
		const { path } = session.file;
		const result = session.result();
		if (result === undefined || !this.#files.has(path)) return false;
		if (part === run.typed) {
			// Its result replaces that with other forms.
			if (run.forms?.matches.delete(path)) {
				run.counted.delete(path);
				run.exact.delete(path);
			}
		} else if (result.other === undefined || run.typed.matches.has(path)) {
			// With all words as typed it has changed a moment ago, and is searched for them again.
			return false;
		}
		part.matches.set(path, session);
		// A full count, done or about to be done, is better than the result of one pass.
		const isCounted = run.counted.has(path) && (this.#visible.includes(path) || !this.#isStale(run, session.file));
		const exact = run.exact.get(path);
		if (!isCounted) run.results.add(result);
		else if (exact && exact.rank !== result.rank) this.#addExact(run, { ...exact, rank: result.rank });
		return true;
	}

	/** Counts the hits of the visible sessions, in one run of ripgrep for all of them. */
	#count(): void {
		const run = this.#run;
		if (!run || run.counting) return;
		// What is visible changes with each better result, and counting takes from the search what it needs.
		if (run.active === run.typed && performance.now() < run.notCountedUntil) return;
		const files = this.#uncounted(run);
		if (files.length === 0) return;
		run.notCountedUntil = performance.now() + COUNTED_EACH_MS;
		run.countsFirst = files.some(({ path }) => !run.counted.has(path));
		for (const { path } of files) run.counted.set(path, true);
		const { signal } = run.typed.controller;
		run.counting = this.#attempt(run, signal, () => this.#inTurn(() => this.#countFiles(run, files))).finally(() => {
			run.counting = undefined;
			if (run === this.#run) this.#count();
			this.#settle(run);
		});
	}

	/** The visible sessions with results that were not counted in their present state. */
	#uncounted(run: SearchRun): SearchFile[] {
		const parts = partsOf(run);
		return this.#visible
			.filter((path) => parts.some(({ matches }) => matches.has(path)) && !parts.some((part) => isOpen(part, path)))
			.map((path) => this.#files.get(path))
			.filter((file) => file !== undefined)
			.filter((file) => this.#isStale(run, file));
	}

	/** Whether a session was not counted in its present state. */
	#isStale(run: SearchRun, { path }: SearchFile): boolean {
		return run.counted.get(path) !== true;
	}

	async #countFiles(run: SearchRun, files: readonly SearchFile[]): Promise<void> {
		const tools = await this.#tools(run.typed.controller.signal, run);
		for (const { query, matches } of partsOf(run)) {
			const some = files.filter(({ path }) => matches.has(path));
			for await (const { session, answer } of searchSessions(query, some, tools)) {
				const result = session.result();
				const lastResult = matches.get(session.file.path)?.result();
				// The rank stays, so that no visible row moves.
				if (result && lastResult) this.#addExact(run, { ...result, rank: lastResult.rank, answer });
			}
		}
		run.results.flush();
	}

	#addExact(run: SearchRun, result: SearchResult): void {
		run.exact.set(result.path, result);
		run.results.add(result);
	}

	/** `run`: gets what cannot be read. */
	async #tools(signal: AbortSignal, run?: SearchRun): Promise<SearchTools> {
		return {
			ripgrep: await findRipgrep(),
			signal,
			timeSlice: this.#timeSlice,
			onUnreadable: (reasons) => run?.results.leaveOut(reasons),
			onProcess: this.#onProcess,
		};
	}

	/** Reports failures of ripgrep. The end of a search is not a failure; anything else is a bug and ends the thread. */
	async #attempt(run: SearchRun, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (signal.aborted) return;
			if (!(error instanceof RipgrepError)) throw error;
			run.hasFailed = true;
			run.results.fail(error.message);
		}
	}

	#report(run: SearchRun): void {
		run.results.flush();
		run.results.progress(this.#files.size - run.typed.unsearched.size, this.#files.size);
	}
}
