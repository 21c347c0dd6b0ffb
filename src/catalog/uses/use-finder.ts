import { TimeSlice } from "../../shared/steps.ts";
import { RipgrepError } from "../search/find-ripgrep.ts";
import type { SearchTools } from "../search/search-files.ts";
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

interface UsesSearch {
	readonly number: number;
	readonly controller: AbortController;
	found: FoundUses | undefined;
}

/** Finds prompts or commands for one request at a time: reports partial results, and again as there are more. */
export class UseFinder {
	readonly #emit: (request: number, event: UsesEvent) => void;
	readonly #onProcess: SearchTools["onProcess"];
	#search: UsesSearch | undefined;
	#asked: { readonly request: number; readonly wanted: UsesWanted } | undefined;
	#ended: Promise<void> = Promise.resolve();

	constructor(emit: (request: number, event: UsesEvent) => void, onProcess?: SearchTools["onProcess"]) {
		this.#emit = emit;
		this.#onProcess = onProcess;
	}

	/** Starts a search and ends the previous one, unless that has the same number: then only other texts of its results are wanted. */
	ask(request: number, number: number, { wanted, searched }: UsesRequest): Promise<void> {
		this.#asked = { request, wanted };
		if (this.#search?.number !== number) {
			this.stop();
			this.#search = { number, controller: new AbortController(), found: undefined };
		}
		const search = this.#search;
		this.#ended = this.#ended.then(() => this.#find(search, searched));
		return this.#ended;
	}

	/** Ends the search, and drops its results. */
	stop(): void {
		this.#search?.controller.abort();
		this.#search = undefined;
	}

	close(): Promise<void> {
		this.stop();
		return this.#ended;
	}

	/** Reports failures of ripgrep; a search that was ended is not a failure. */
	async #find(search: UsesSearch, searched: UsesSearched): Promise<void> {
		if (search !== this.#search) return;
		const { signal } = search.controller;
		try {
			if (search.found !== undefined) return await this.#report(search.found, signal);
			let next = performance.now() + FIRST_MS;
			for await (const results of searchUses(searched, { signal, onProcess: this.#onProcess })) {
				search.found = results;
				if (!results.isDone && performance.now() < next) continue;
				await this.#report(results, signal);
				next = performance.now() + LATER_MS;
			}
		} catch (error) {
			if (signal.aborted) return;
			if (!(error instanceof RipgrepError)) throw error;
			this.#search = undefined;
			this.#emit(this.#asked?.request ?? 0, { type: "error", message: error.message });
		}
	}

	/** Reports to the last request, which may want other texts meanwhile. */
	async #report(found: FoundUses, signal: AbortSignal): Promise<void> {
		const lastAsked = this.#asked;
		if (lastAsked === undefined) return;
		const texts = await new TimeSlice().run(found.select(lastAsked.wanted), signal);
		signal.throwIfAborted();
		if (lastAsked !== this.#asked) return this.#report(found, signal);
		const { read, total, unread, isDone } = found;
		this.#emit(lastAsked.request, { type: "found", found: texts, read, total, unread: unread.size, isDone });
	}
}
