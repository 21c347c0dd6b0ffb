import { Worker } from "node:worker_threads";
import type { FromSearchWorker, SearchWorkerData, ToSearchWorker } from "../messages.ts";
import { workerUrl } from "../worker-url.ts";

/** What the searching thread tells, and why it ended if it did. */
export interface SearchThreadListener {
	onMessage(message: FromSearchWorker): void;
	onError(reason: string): void;
}

/** One searching thread, started with the first message, and again after it has failed. */
export class SearchThread {
	readonly #listener: SearchThreadListener;
	#data: SearchWorkerData;
	#worker: Worker | undefined;

	constructor(data: SearchWorkerData, listener: SearchThreadListener) {
		this.#data = data;
		this.#listener = listener;
	}

	send(message: ToSearchWorker): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(message);
	}

	/** The index is in another directory. */
	move(cacheDir: string): void {
		this.#data = { ...this.#data, cacheDir };
		this.#worker?.postMessage({ type: "move", cacheDir } satisfies ToSearchWorker);
	}

	async close(): Promise<void> {
		const worker = this.#worker;
		if (!worker) return;
		const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
		worker.postMessage({ type: "close" } satisfies ToSearchWorker);
		await ended;
	}

	#start(): Worker {
		// Without the arguments of this process: one like --input-type would keep the thread from starting.
		// Unpacked text is soon garbage: a small nursery gives it back sooner, which saves memory and costs no time.
		const worker = new Worker(workerUrl("search-worker"), {
			workerData: this.#data,
			execArgv: [],
			resourceLimits: { maxYoungGenerationSizeMb: 4 },
		});
		worker.on("message", (message: FromSearchWorker) => this.#listener.onMessage(message));
		worker.on("error", (error) => {
			this.#worker = undefined;
			this.#listener.onError(error instanceof Error ? error.message : String(error));
		});
		return worker;
	}
}
