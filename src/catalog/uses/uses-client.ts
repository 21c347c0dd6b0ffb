import { Worker } from "node:worker_threads";
import { workerUrl } from "../../shared/worker-url.ts";
import type { FromUsesWorker, ToUsesWorker, UseAsk, UseFile, UsesEvent } from "./protocol.ts";
import type { Use } from "./use.ts";

/** What is asked, and of which files; the same list means the same files. */
export interface AskUses {
	readonly ask: UseAsk;
	/** Newest first. */
	readonly files: readonly UseFile[];
	/** All files are looked at again, whatever the list says of them. */
	readonly anew: boolean;
}

interface Current extends AskUses {
	readonly request: number;
	readonly listener: (event: UsesEvent) => void;
	isDone: boolean;
}

/** After so many milliseconds in which nobody asks, the thread ends, and with it what it has read. */
const IDLE_MS = 60_000;

/** Reads prompts and commands in a thread of its own, which is started when they are asked for. */
export class UsesClient {
	#worker: Worker | undefined;
	/** The files that the thread knows. */
	#files: readonly UseFile[] | undefined;
	#requests = 0;
	#current: Current | undefined;
	readonly #whole = new Map<number, PromiseWithResolvers<string>>();
	#idle: NodeJS.Timeout | undefined;

	/** Asks, and ends the request before; the listener gets what is found, until nothing more comes. */
	ask(asked: AskUses, listener: (event: UsesEvent) => void): void {
		clearTimeout(this.#idle);
		this.#current = { ...asked, request: this.#requests++, listener, isDone: false };
		this.#send(this.#current);
	}

	/** Nobody looks any more: the thread ends after a while. */
	stop(): void {
		this.#current = undefined;
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => this.rest(), IDLE_MS).unref();
	}

	/** The whole text of a use; rejects with the reason when it cannot be read. */
	whole(use: Use): Promise<string> {
		const request = this.#requests++;
		const answer = Promise.withResolvers<string>();
		this.#whole.set(request, answer);
		this.#post({ type: "whole", request, use });
		return answer.promise;
	}

	/** Ends the thread; the present request is asked again by `wake`, if it has not been answered. */
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

	#send({ request, ask, files, anew }: Current): void {
		if (this.#files !== files || anew) this.#post({ type: "files", files, anew });
		this.#post({ type: "ask", request, ask });
		this.#files = files;
	}

	#post(message: ToUsesWorker): void {
		this.#worker ??= this.#start();
		this.#worker.postMessage(message);
	}

	#start(): Worker {
		// Without this process's arguments: one like --input-type would keep the thread from starting.
		// Parsed lines soon become garbage. A small nursery frees them earlier, which saves memory and costs no time.
		const worker = new Worker(workerUrl("uses-worker"), {
			execArgv: [],
			resourceLimits: { maxYoungGenerationSizeMb: 4 },
		});
		worker.on("message", (message: FromUsesWorker) => worker === this.#worker && this.#receive(message));
		worker.on("error", (error) => worker === this.#worker && this.#fail(error));
		// It never keeps the program from ending.
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

	/** The thread is gone: nothing that was asked of it will be answered. */
	#forget(reason: string): void {
		this.#worker = undefined;
		this.#files = undefined;
		for (const { reject } of this.#whole.values()) reject(new Error(reason));
		this.#whole.clear();
	}
}
