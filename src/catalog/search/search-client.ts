import { availableParallelism } from "node:os";
import type { FromSearchWorker, SearchWorkerData, ToSearchWorker } from "../messages.ts";
import { MergedSearch } from "./merged-search.ts";
import type { Hit, SearchEvent, SearchOptions } from "./search.ts";
import { SearchThread } from "./search-thread.ts";

/** More threads than this would mostly wait for memory, and each takes some ten megabytes. */
const MAX_THREADS = 4;

/** Where the index is, and which place in it is searched. */
export type SearchIndex = Pick<SearchWorkerData, "place" | "cacheDir">;

/** Searches in threads of its own, each a share of the sessions; they are started with the first search. */
export class SearchClient {
	readonly #threads: readonly SearchThread[];
	readonly #hits = new Map<number, PromiseWithResolvers<readonly Hit[]>>();
	#requests = 0;
	#current: { readonly request: number; readonly merged: MergedSearch } | undefined;

	/** `threads`: how many; by default one for each core, up to four. */
	constructor(index: SearchIndex, threads = Math.min(MAX_THREADS, availableParallelism())) {
		this.#threads = Array.from(
			{ length: threads },
			(_, part) =>
				new SearchThread(
					{ ...index, share: { part, parts: threads } },
					{ onMessage: (message) => this.#receive(part, message), onError: (reason) => this.#fail(reason) },
				),
		);
	}

	/** Begins a search and ends the one before; returns what ends it. Nothing is told after its end. */
	search(query: string, listener: (event: SearchEvent) => void, { locate }: SearchOptions = {}): () => void {
		const request = this.#requests++;
		this.#current = { request, merged: new MergedSearch(this.#threads.length, listener) };
		this.#sendAll({ type: "search", request, query, locate });
		return () => {
			if (this.#current?.request !== request) return;
			this.#current = undefined;
			this.#sendAll({ type: "stop" });
		};
	}

	/** Searches again what is being searched, because more text has been stored. */
	again(): void {
		if (this.#current) this.#sendAll({ type: "again" });
	}

	/** The index is in another directory. */
	move(cacheDir: string): void {
		for (const thread of this.#threads) thread.move(cacheDir);
	}

	/** All entries of a session in which something was found, in file order. */
	hits(query: string, path: string): Promise<readonly Hit[]> {
		const request = this.#requests++;
		const answer = Promise.withResolvers<readonly Hit[]>();
		this.#hits.set(request, answer);
		this.#threads[0]?.send({ type: "hits", request, query, path });
		return answer.promise;
	}

	async close(): Promise<void> {
		this.#current = undefined;
		await Promise.all(this.#threads.map((thread) => thread.close()));
		for (const answer of this.#hits.values()) answer.resolve([]);
	}

	#sendAll(message: ToSearchWorker): void {
		for (const thread of this.#threads) thread.send(message);
	}

	#receive(part: number, message: FromSearchWorker): void {
		if (message.type === "hits") {
			this.#hits.get(message.request)?.resolve(message.hits);
			this.#hits.delete(message.request);
		} else if (message.request === this.#current?.request) {
			// Written by src/catalog/search-worker.ts.
			this.#current.merged.take(part, JSON.parse(message.json) as SearchEvent);
		}
	}

	#fail(reason: string): void {
		this.#current?.merged.fail(`The search failed: ${reason}. Type again to try again.`);
		for (const answer of this.#hits.values()) answer.resolve([]);
		this.#hits.clear();
	}
}
