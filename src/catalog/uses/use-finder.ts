import { TimeSlice } from "../../shared/steps.ts";
import { RipgrepError } from "../search/find-ripgrep.ts";
import { type FoundUses, searchUses, type UsedTexts, type UsesSearched, type UsesWanted } from "./search-uses.ts";

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
			/** Number of files that cannot be read. */
			readonly unread: number;
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
	#found: FoundUses | undefined;
	#asked: { readonly request: number; readonly wanted: UsesWanted } | undefined;

	constructor(emit: (request: number, event: UsesEvent) => void, onProcess?: (pid: number, running: boolean) => void) {
		this.#emit = emit;
		this.#onProcess = onProcess;
	}

	/** Starts a search and ends the previous one; without `searched`, only other texts of the present results are wanted. */
	ask(request: number, selection: UsesWanted, searched: UsesSearched | undefined): Promise<void> {
		this.#asked = { request, wanted: selection };
		if (searched === undefined) {
			const { signal } = this.#current;
			const results = this.#found;
			return results?.isDone ? this.#attempt(() => this.#report(results, signal), signal) : Promise.resolve();
		}
		this.stop();
		this.#current = new AbortController();
		const { signal } = this.#current;
		const lastSearch = this.#ended;
		this.#ended = lastSearch.then(() => this.#attempt(() => this.#search(searched, signal), signal));
		return this.#ended;
	}

	/** Ends the search, and drops its results. */
	stop(): void {
		this.#current.abort();
		this.#found = undefined;
	}

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

	async #search(searched: UsesSearched, signal: AbortSignal): Promise<void> {
		let next = performance.now() + FIRST_MS;
		for await (const results of searchUses(searched, { signal, onProcess: this.#onProcess })) {
			if (signal.aborted) return;
			this.#found = results;
			if (results.isDone || performance.now() >= next) {
				await this.#report(results, signal);
				next = performance.now() + LATER_MS;
			}
		}
	}

	async #report(found: FoundUses, signal: AbortSignal): Promise<void> {
		const lastRequest = this.#asked;
		if (lastRequest === undefined) return;
		const texts = await new TimeSlice().run(found.select(lastRequest.wanted), signal);
		if (signal.aborted) return;
		// Other texts have been requested meanwhile, and only the last request is waiting for an answer.
		if (lastRequest !== this.#asked) return this.#report(found, signal);
		const { read, total, unread, isDone } = found;
		this.#emit(lastRequest.request, { type: "found", found: texts, read, total, unread: unread.size, isDone });
	}
}
