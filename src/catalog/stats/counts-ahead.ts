import type { Worker } from "node:worker_threads";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { FileChecksum, PendingSession } from "./numbers-table.ts";
import type { CheckedRow } from "./row-check.ts";
import type { StoredNumbers } from "./session-tally.ts";

/** State of a session: no thread counts it yet, or some thread does. */
export const FREE = 0;
export const TAKEN = 1;

/** The only message to the `count-helper` thread. */
export interface ToCountHelper {
	readonly sessions: readonly PendingSession[];
	/** Shared by both threads: for each session whether one of them has taken it. */
	readonly claims: Int32Array<SharedArrayBuffer>;
}

/** A message from the thread: what it has counted; undefined if it could not. */
export interface FromCountHelper {
	readonly at: number;
	readonly counted: CountedAlone | undefined;
}

/** The numbers of a session as if there were no other: they hold if no other session counts one of its entries. */
export interface CountedAlone {
	readonly numbers: StoredNumbers;
	readonly row: CheckedRow | undefined;
	readonly summed: FileChecksum | undefined;
}

/**
 * Sessions to count, of which a helper thread takes the last one, the one before it, and so on, until it meets the thread that goes
 * through them from the first: that one alone knows what the sessions before have counted.
 */
export class CountsAhead {
	readonly #claims: Int32Array<SharedArrayBuffer>;
	readonly #helper: Worker;
	readonly #results = new Map<number, CountedAlone | undefined>();
	/** The wait for the next result. */
	#waiting = Promise.withResolvers<void>();
	#hasEnded = false;

	constructor(sessions: readonly PendingSession[]) {
		this.#claims = new Int32Array(new SharedArrayBuffer(sessions.length * Int32Array.BYTES_PER_ELEMENT));
		this.#helper = startThread(workerUrl("count-helper"), "scan");
		this.#helper.on("message", ({ at, counted }: FromCountHelper) => {
			this.#results.set(at, counted);
			this.#wake();
		});
		// Without it, the other thread counts all.
		this.#helper.on("error", () => this.#end());
		this.#helper.on("exit", () => this.#end());
		this.#helper.postMessage({ sessions, claims: this.#claims } satisfies ToCountHelper);
	}

	/** How many sessions the helper has counted that were not taken over yet. */
	get size(): number {
		return this.#results.size;
	}

	/** The helper's count of a session, once it is done; undefined if this thread must count it. */
	async take(at: number): Promise<CountedAlone | undefined> {
		if (Atomics.compareExchange(this.#claims, at, FREE, TAKEN) === FREE) return undefined;
		while (!this.#results.has(at) && !this.#hasEnded) await this.#waiting.promise;
		const counted = this.#results.get(at);
		this.#results.delete(at);
		return counted;
	}

	/** Ends the helper, even in the middle of a file. */
	async close(): Promise<void> {
		this.#end();
		await this.#helper.terminate();
	}

	#end(): void {
		this.#hasEnded = true;
		this.#wake();
	}

	#wake(): void {
		this.#waiting.resolve();
		this.#waiting = Promise.withResolvers();
	}
}
