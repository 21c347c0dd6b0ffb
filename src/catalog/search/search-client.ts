import { Worker } from "node:worker_threads";
import type { FromSearchWorker, SearchWorkerData, ToSearchWorker } from "../messages.ts";
import { workerUrl } from "../worker-url.ts";
import type { Hit, SearchEvent } from "./search.ts";

/** Searches in a thread of its own, which is started with the first search. */
export class SearchClient {
	#data: SearchWorkerData;
	readonly #hits = new Map<number, PromiseWithResolvers<readonly Hit[]>>();
	#worker: Worker | undefined;
	#requests = 0;
	#current: { readonly request: number; readonly listener: (event: SearchEvent) => void } | undefined;

	constructor(data: SearchWorkerData) {
		this.#data = data;
	}

	/** Begins a search and ends the one before; returns what ends it. Nothing is told after its end. */
	search(query: string, listener: (event: SearchEvent) => void): () => void {
		const request = this.#requests++;
		this.#current = { request, listener };
		this.#send({ type: "search", request, query });
		return () => {
			if (this.#current?.request !== request) return;
			this.#current = undefined;
			this.#send({ type: "stop" });
		};
	}

	/** Searches again what is being searched, because more text has been stored. */
	again(): void {
		if (this.#current) this.#send({ type: "again" });
	}

	/** The index is in another directory. */
	move(cacheDir: string): void {
		this.#data = { ...this.#data, cacheDir };
		this.#worker?.postMessage({ type: "move", cacheDir } satisfies ToSearchWorker);
	}

	/** All entries of a session in which something was found, in file order. */
	hits(query: string, path: string): Promise<readonly Hit[]> {
		const request = this.#requests++;
		const answer = Promise.withResolvers<readonly Hit[]>();
		this.#hits.set(request, answer);
		this.#send({ type: "hits", request, query, path });
		return answer.promise;
	}

	async close(): Promise<void> {
		this.#current = undefined;
		const worker = this.#worker;
		if (!worker) return;
		const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
		this.#send({ type: "close" });
		await ended;
		for (const answer of this.#hits.values()) answer.resolve([]);
	}

	#send(message: ToSearchWorker): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(message);
	}

	#start(): Worker {
		const worker = new Worker(workerUrl("search-worker"), { workerData: this.#data });
		worker.on("message", (message: FromSearchWorker) => this.#receive(message));
		worker.on("error", (error) => {
			this.#worker = undefined;
			const message = `The search failed: ${error instanceof Error ? error.message : String(error)}. Type again to try again.`;
			this.#current?.listener({ type: "error", message });
			for (const answer of this.#hits.values()) answer.resolve([]);
			this.#hits.clear();
		});
		return worker;
	}

	#receive(message: FromSearchWorker): void {
		if (message.type === "hits") {
			this.#hits.get(message.request)?.resolve(message.hits);
			this.#hits.delete(message.request);
		} else if (message.request === this.#current?.request) {
			// Written by src/catalog/search-worker.ts.
			this.#current.listener(JSON.parse(message.json) as SearchEvent);
		}
	}
}
