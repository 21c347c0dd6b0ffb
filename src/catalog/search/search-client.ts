import { Worker } from "node:worker_threads";
import { workerUrl } from "../../shared/worker-url.ts";
import type { Query } from "../query/parse-query.ts";
import type { FromSearchWorker, ToSearchWorker } from "./protocol.ts";
import type { Hit, SearchEvent, SearchFile } from "./search.ts";

/** A thread that does not answer a new request for this long, in milliseconds, is replaced. */
const STUCK_MS = 1000;

interface Current {
	readonly request: number;
	readonly query: Query;
	readonly listener: (event: SearchEvent) => void;
}

/** Searches in a thread of its own, which is started with the first search and restarted after a failure. */
export class SearchClient {
	readonly #files = new Map<string, SearchFile>();
	readonly #hits = new Map<number, PromiseWithResolvers<readonly Hit[]>>();
	#worker: Worker | undefined;
	#requests = 0;
	#current: Current | undefined;
	#visible: { readonly paths: readonly string[]; readonly watched: number } = { paths: [], watched: 0 };
	#stuck: NodeJS.Timeout | undefined;
	/** Whether the thread has answered anything yet. Until then it may only be starting, which can take long. */
	#isReady = false;

	/** Adds files that are new or were read again: a file may have changed though its size and its session's time have not. */
	update(files: readonly SearchFile[]): void {
		for (const file of files) this.#files.set(file.path, file);
		if (files.length > 0) this.#post({ type: "files", files });
	}

	remove(paths: readonly string[]): void {
		for (const path of paths) this.#files.delete(path);
		this.#post({ type: "gone", paths });
	}

	/** Sets the visible sessions. */
	watchVisible(paths: readonly string[], watched: number): void {
		this.#visible = { paths, watched };
		this.#post({ type: "watch-visible", paths, watched });
	}

	/** Starts a search and ends the one before. Returns a function that ends it; nothing is emitted afterwards. */
	search(query: Query, listener: (event: SearchEvent) => void): () => void {
		const request = this.#requests++;
		this.#current = { request, query, listener };
		this.#expectAnswer();
		this.#started().postMessage({ type: "search", request, query } satisfies ToSearchWorker);
		return () => {
			if (this.#current?.request !== request) return;
			this.#current = undefined;
			this.#expectAnswer();
			this.#post({ type: "stop" });
		};
	}

	/** All entries of a session with a hit, in file order. */
	hits(query: Query, path: string): Promise<readonly Hit[]> {
		const request = this.#requests++;
		const answer = Promise.withResolvers<readonly Hit[]>();
		this.#hits.set(request, answer);
		this.#started().postMessage({ type: "hits", request, query, path } satisfies ToSearchWorker);
		return answer.promise;
	}

	/** Resolves when the thread and every ripgrep have ended. */
	async close(): Promise<void> {
		this.#current = undefined;
		const worker = this.#worker;
		if (worker) {
			const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
			this.#expectAnswer();
			this.#post({ type: "close" });
			await ended;
		}
		clearTimeout(this.#stuck);
		this.#answerHits();
	}

	/** A pattern on a line of megabytes can keep the thread busy for long. The next key must not wait for it. */
	#expectAnswer(): void {
		const worker = this.#worker;
		if (!worker || !this.#isReady || this.#stuck) return;
		this.#post({ type: "ping" });
		this.#stuck = setTimeout(() => {
			this.#stuck = undefined;
			if (worker !== this.#worker) return;
			this.#worker = undefined;
			worker.terminate();
			this.#answerHits();
			const { request, query } = this.#current ?? {};
			if (request !== undefined && query)
				this.#started().postMessage({ type: "search", request, query } satisfies ToSearchWorker);
		}, STUCK_MS);
	}

	#started(): Worker {
		if (this.#worker) return this.#worker;
		// Without this process's arguments: one like --input-type would keep the thread from starting.
		// Parsed lines soon become garbage. A small nursery frees them earlier, which saves memory and costs no time.
		const worker = new Worker(workerUrl("search-worker"), {
			execArgv: [],
			resourceLimits: { maxYoungGenerationSizeMb: 4 },
		});
		this.#worker = worker;
		this.#isReady = false;
		worker.on("message", (message: FromSearchWorker) => worker === this.#worker && this.#receive(message));
		worker.on("error", (error) => worker === this.#worker && this.#fail(error));
		this.#post({ type: "files", files: [...this.#files.values()] });
		this.#post({ type: "watch-visible", ...this.#visible });
		return worker;
	}

	#post(message: ToSearchWorker): void {
		this.#worker?.postMessage(message);
	}

	#receive(message: FromSearchWorker): void {
		this.#isReady = true;
		if (message.type === "pong") {
			clearTimeout(this.#stuck);
			this.#stuck = undefined;
		} else if (message.type === "hits") {
			this.#hits.get(message.request)?.resolve(message.hits);
			this.#hits.delete(message.request);
		} else if (message.request === this.#current?.request) {
			this.#current.listener(message.event);
		}
	}

	#fail(error: unknown): void {
		this.#worker = undefined;
		const reason = error instanceof Error ? error.message : String(error);
		this.#current?.listener({ type: "error", message: `The search failed: ${reason}. Type again to try again.` });
		this.#answerHits();
	}

	#answerHits(): void {
		for (const answer of this.#hits.values()) answer.resolve([]);
		this.#hits.clear();
	}
}
