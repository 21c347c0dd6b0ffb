import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { workerUrl } from "../../shared/worker-url.ts";
import type { FileScan } from "./known-files.ts";

/** With fewer bytes to read, a second thread is hardly there before the work is done. */
const MIN_BYTES = 64 * 1024 * 1024;
/** The first files are read by this thread alone, so that the first screen shows the newest sessions without a gap: … */
const OWN_FILES = 40;
/** … as many as there are in so many bytes. */
const OWN_BYTES = 32 * 1024 * 1024;

/** What the thread of `scan-helper` is given, once. */
export interface ToScanHelper {
	readonly paths: readonly string[];
	/** Shared by both threads; its first number is the place in `paths` of the next file that nobody has taken. */
	readonly next: Int32Array<SharedArrayBuffer>;
}

/** What it tells, several times: what it has read since it told last. */
export type FromScanHelper = readonly FileScan[];

/**
 * Files to be read, the newest first. When there is much to read, a helper thread reads some of them: each thread takes
 * the next file that nobody has taken. What the helper has read comes in messages, so this thread must let the event
 * loop have its turn.
 */
export class ReadQueue {
	readonly #onScans: (scans: FromScanHelper) => void;
	readonly #ended = Promise.withResolvers<void>();
	/** Its only number is the place of the next file that nobody has taken. */
	readonly #next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	#helper: Worker | undefined;
	#bytes = 0;
	#paths: readonly string[] = [];
	/** So many of the first files are this thread's own; it has taken `#taken` of them. */
	#own = 0;
	#taken = 0;
	/** What the helper has read before this thread was done with its own files. */
	#early: FileScan[] = [];

	/** `onScans` is called with what the helper has read, several times. */
	constructor(onScans: (scans: FromScanHelper) => void) {
		this.#onScans = onScans;
		// Whoever waits for it is told by `ended`.
		this.#ended.promise.catch(() => undefined);
	}

	/**
	 * Takes note of a new file of so many bytes, before all files are found: the helper is started as soon as it is clear
	 * that it is worth it, and its start takes no time from the reading.
	 */
	expect(bytes: number): void {
		this.#bytes += bytes;
		if (!this.#helper && this.#bytes >= MIN_BYTES && availableParallelism() > 1) this.#helper = this.#start();
	}

	/** Begins with the files: new ones only, if any were expected. */
	begin(files: readonly { readonly path: string; readonly size: number }[]): void {
		this.#paths = files.map((file) => file.path);
		this.#own = this.#helper ? ownOf(files) : files.length;
		this.#next[0] = this.#own;
		if (this.#helper) this.#helper.postMessage({ paths: this.#paths, next: this.#next } satisfies ToScanHelper);
		else this.#ended.resolve();
	}

	/** The next file that this thread is to read; undefined when all have been taken. */
	take(): string | undefined {
		if (this.#taken < this.#own) return this.#paths[this.#taken++];
		if (this.#early.length > 0) this.#onScans(this.#early.splice(0));
		return this.#paths[Atomics.add(this.#next, 0, 1)];
	}

	/** Resolves when the helper has handed over all that it has read, or was stopped; rejects when it failed. */
	ended(): Promise<void> {
		return this.#ended.promise;
	}

	/** Ends the helper, in the middle of a file if need be. */
	async stop(): Promise<void> {
		await this.#helper?.terminate();
	}

	#start(): Worker {
		// The small nursery is for the program's memory, as that of the scan worker.
		const helper = new Worker(workerUrl("scan-helper"), { resourceLimits: { maxYoungGenerationSizeMb: 8 } });
		helper.on("message", (scans: FromScanHelper) => {
			if (this.#taken < this.#own) this.#early.push(...scans);
			else this.#onScans(scans);
		});
		helper.on("error", (error) => this.#ended.reject(error));
		helper.on("exit", () => this.#ended.resolve());
		return helper;
	}
}

function ownOf(files: readonly { readonly size: number }[]): number {
	let bytes = 0;
	const end = files.findIndex((file, index) => {
		bytes += file.size;
		return index === OWN_FILES || bytes > OWN_BYTES;
	});
	return end === -1 ? files.length : end;
}
