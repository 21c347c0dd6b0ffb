import type { Worker } from "node:worker_threads";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { UsedTexts } from "./select-uses.ts";
import type { Use } from "./use.ts";
import type { UseRequest } from "./use-library.ts";

/** A session file in which uses are searched. */
export interface UseFile {
	readonly path: string;
	/** As listed, in bytes and Unix ms: a file with the same values is not read again. */
	readonly size: number;
	readonly modified: number;
}

/** What is searched for in all `UseFile`s. */
export type UseSearch = Omit<UseRequest, "paths">;

/** What was found so far for the last request, or why the search failed. */
export type UsesEvent =
	| {
			readonly type: "found";
			readonly found: UsedTexts;
			/** Number of files read, and in all. */
			readonly read: number;
			readonly total: number;
			/** A sentence about each file that cannot be read. */
			readonly unread: readonly string[];
			/** Whether this is the last event for the request. */
			readonly isDone: boolean;
	  }
	| { readonly type: "error"; readonly message: string };

/** Messages to the thread that reads uses. */
export type ToUsesWorker =
	/** The files from now on, newest first. With `reread`, all are read again, even if they look unchanged. */
	| { readonly type: "files"; readonly files: readonly UseFile[]; readonly reread: boolean }
	/** Starts a search, and ends the previous one. */
	| { readonly type: "search"; readonly request: number; readonly search: UseSearch }
	/** Reads the whole text of a use. */
	| { readonly type: "whole"; readonly request: number; readonly use: Use };

/** Messages from that thread. */
export type FromUsesWorker =
	| { readonly type: "event"; readonly request: number; readonly event: UsesEvent }
	| { readonly type: "whole"; readonly request: number; readonly text: string }
	| { readonly type: "failed"; readonly request: number; readonly reason: string };

/** A search and its files; the same array means the same files. */
export interface UsesRequest {
	readonly search: UseSearch;
	/** Newest first. */
	readonly files: readonly UseFile[];
	/** Read all files again, even if they look unchanged. */
	readonly reread: boolean;
}

interface Current extends UsesRequest {
	readonly request: number;
	readonly listener: (event: UsesEvent) => void;
	isDone: boolean;
}

/** Without a search for this time, the thread ends, and what it has read is forgotten. */
const IDLE_MS = 60_000;

/** Reads prompts and commands in a thread of its own, which is started on the first search. */
export class UsesClient {
	#worker: Worker | undefined;
	/** The files that were sent to the thread. */
	#files: readonly UseFile[] | undefined;
	#requests = 0;
	#current: Current | undefined;
	readonly #whole = new Map<number, PromiseWithResolvers<string>>();
	#idle: NodeJS.Timeout | undefined;

	/** Starts a search, and ends the previous one; the listener gets what is found, until `isDone`. */
	search(asked: UsesRequest, listener: (event: UsesEvent) => void): void {
		clearTimeout(this.#idle);
		this.#current = { ...asked, request: this.#requests++, listener, isDone: false };
		this.#send(this.#current);
	}

	/** The results are no longer needed: the thread ends after a while. */
	stop(): void {
		this.#current = undefined;
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => this.rest(), IDLE_MS).unref();
	}

	/** The whole text of a use; rejects with the reason if it cannot be read. */
	whole(use: Use): Promise<string> {
		const request = this.#requests++;
		const answer = Promise.withResolvers<string>();
		this.#whole.set(request, answer);
		this.#post({ type: "whole", request, use });
		return answer.promise;
	}

	/** Ends the thread; `wake` repeats the current search if it was not finished. */
	rest(): void {
		clearTimeout(this.#idle);
		const worker = this.#worker;
		this.#forget("its thread has ended");
		void worker?.terminate();
	}

	wake(): void {
		if (this.#current && !this.#current.isDone) this.#send(this.#current);
	}

	/** Resolves when the thread has ended. */
	async close(): Promise<void> {
		clearTimeout(this.#idle);
		this.#current = undefined;
		const worker = this.#worker;
		this.#forget("the program ends");
		await worker?.terminate();
	}

	#send({ request, search, files, reread }: Current): void {
		if (this.#files !== files || reread) this.#post({ type: "files", files, reread });
		this.#post({ type: "search", request, search });
		this.#files = files;
	}

	#post(message: ToUsesWorker): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(message);
	}

	#start(): Worker {
		// Parsed lines soon become garbage. A small nursery frees them earlier, which saves memory and costs no time.
		const worker = startThread(workerUrl("uses-worker"), "search");
		worker.on("message", (message: FromUsesWorker) => worker === this.#worker && this.#receive(message));
		worker.on("error", (error) => worker === this.#worker && this.#fail(error));
		// The thread does not keep the program alive.
		worker.unref();
		return worker;
	}

	#receive(message: FromUsesWorker): void {
		if (message.type === "event") {
			const { request, event } = message;
			if (this.#current?.request !== request) return;
			this.#current.isDone = event.type === "error" || event.isDone;
			this.#current.listener(event);
			return;
		}
		const answer = this.#whole.get(message.request);
		this.#whole.delete(message.request);
		if (message.type === "whole") answer?.resolve(message.text);
		else answer?.reject(new Error(message.reason));
	}

	#fail(error: unknown): void {
		const reason = error instanceof Error ? error.message : String(error);
		const current = this.#current;
		this.#forget(reason);
		if (!current) return;
		current.isDone = true;
		current.listener({
			type: "error",
			message: `Reading the sessions failed: ${reason}. Open the page again to try again.`,
		});
	}

	/** The thread is gone: rejects all outstanding requests. */
	#forget(reason: string): void {
		this.#worker = undefined;
		this.#files = undefined;
		for (const { reject } of this.#whole.values()) reject(new Error(reason));
		this.#whole.clear();
	}
}
