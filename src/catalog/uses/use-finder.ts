import { TimeSlice } from "../../shared/steps.ts";
import type { Query } from "../query/parse-query.ts";
import { findRipgrep, RipgrepError } from "../search/find-ripgrep.ts";
import type { SearchFile } from "../search/search.ts";
import { findUses, unreadSentences } from "./find-uses.ts";
import { TextsOfUses, type UsedTexts, type UsesWanted } from "./used-texts.ts";

/** The query and the files; the same object means the same search. */
export interface UsesSearched {
	/** What the texts must contain; its conditions are ignored. */
	readonly query: Query;
	/** Newest first: a use that forks have copied is attributed to the newest. */
	readonly files: readonly SearchFile[];
}

/** A request for prompts or commands. */
export interface UsesRequest {
	readonly wanted: UsesWanted;
	readonly searched: UsesSearched;
}

/** The results so far of the last request, or why the search failed. */
export type UsesEvent =
	| {
			readonly type: "found";
			readonly found: UsedTexts;
			/** Number of files that are known to have been searched, and in all. */
			readonly read: number;
			readonly total: number;
			/** A sentence about each file that cannot be read. */
			readonly unread: readonly string[];
			/** Whether this is the last event for the request. */
			readonly isDone: boolean;
	  }
	| { readonly type: "error"; readonly message: string };

/** Time until the first report, and between later ones, in milliseconds: longer, so that most of the time goes into searching. */
const FIRST_MS = 30;
const LATER_MS = 250;

/** Finds prompts or commands for one request at a time: reports partial results, and again as there are more. */
export class UseFinder {
	readonly #emit: (request: number, event: UsesEvent) => void;
	readonly #onProcess: ((pid: number, running: boolean) => void) | undefined;
	#current = new AbortController();
	#ended: Promise<void> = Promise.resolve();
	#found:
		| { readonly texts: TextsOfUses; readonly unread: Map<string, string>; read: number; total: number }
		| undefined;
	#asked: { readonly request: number; readonly wanted: UsesWanted } | undefined;
	#isDone = false;

	/** `onProcess`: called when a ripgrep has started, and when it has ended. */
	constructor(emit: (request: number, event: UsesEvent) => void, onProcess?: (pid: number, running: boolean) => void) {
		this.#emit = emit;
		this.#onProcess = onProcess;
	}

	/** Starts a search and ends the previous one; without `searched`, only other texts of the present results are wanted. */
	ask(request: number, selection: UsesWanted, searched: UsesSearched | undefined): Promise<void> {
		this.#asked = { request, wanted: selection };
		if (searched === undefined) {
			const { signal } = this.#current;
			return this.#isDone ? this.#attempt(() => this.#report(true, signal), signal) : Promise.resolve();
		}
		this.stop();
		this.#current = new AbortController();
		const { signal } = this.#current;
		const lastSearch = this.#ended;
		this.#ended = lastSearch.then(() => this.#attempt(() => this.#search(searched, selection, signal), signal));
		return this.#ended;
	}

	/** Ends the search, and drops its results. */
	stop(): void {
		this.#current.abort();
		this.#found = undefined;
		this.#isDone = false;
	}

	/** Resolves when no process is left. */
	close(): Promise<void> {
		this.stop();
		return this.#ended;
	}

	/** Reports failures of ripgrep; a search that was ended is not a failure. */
	async #attempt(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
		if (signal.aborted) return;
		try {
			await work();
		} catch (error) {
			if (signal.aborted) return;
			if (!(error instanceof RipgrepError)) throw error;
			this.#emit(this.#asked?.request ?? 0, { type: "error", message: error.message });
		}
	}

	async #search({ query, files }: UsesSearched, { kind, dates }: UsesWanted, signal: AbortSignal): Promise<void> {
		const search = { texts: new TextsOfUses(), unread: new Map<string, string>(), read: 0, total: files.length };
		this.#found = search;
		let next = performance.now() + FIRST_MS;
		const options = {
			ripgrep: await findRipgrep(),
			signal,
			timeSlice: new TimeSlice(),
			onUnreadable: (reasons: ReadonlyMap<string, string>) => {
				for (const [path, reason] of reasons) search.unread.set(path, reason);
			},
			onProcess: this.#onProcess,
			onProgress: (searched: number) => {
				search.read = searched;
			},
		};
		for await (const uses of findUses(kind, query, files, options)) {
			search.texts.add(uses, dates);
			if (performance.now() < next) continue;
			await this.#report(false, signal);
			next = performance.now() + LATER_MS;
		}
		this.#isDone = true;
		await this.#report(true, signal);
	}

	/** Reports what has been found so far. */
	async #report(isDone: boolean, signal: AbortSignal): Promise<void> {
		const [lastRequest, search] = [this.#asked, this.#found];
		if (lastRequest === undefined || search === undefined) return;
		const texts = await new TimeSlice().run(search.texts.select(lastRequest.wanted), signal);
		if (signal.aborted) return;
		// Other texts have been requested meanwhile, and only the last request is waiting for an answer.
		if (lastRequest !== this.#asked) return this.#report(isDone, signal);
		const unread = unreadSentences(search.unread);
		const { read, total } = search;
		this.#emit(lastRequest.request, { type: "found", found: texts, read, total, unread, isDone });
	}
}
