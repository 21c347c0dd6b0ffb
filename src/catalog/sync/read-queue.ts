import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { FileScan } from "./known-files.ts";

/** With fewer bytes to read, the work is almost done before a second thread has started. */
export const MIN_BYTES = 64 * 1024 * 1024;
/** This thread alone reads the first files, so that the first screen shows the newest sessions without a gap. */
const OWN_FILES = 40;
/** The first files are fewer than `OWN_FILES` if they exceed this many bytes. */
const OWN_BYTES = 32 * 1024 * 1024;

/** The only message to the `scan-helper` thread. */
export interface ToScanHelper {
	readonly paths: readonly string[];
	/** Shared by both threads; its only number is the index in `paths` of the next file that no thread has taken. */
	readonly next: Int32Array<SharedArrayBuffer>;
}

/** A message from the thread: what it has read since its last message. */
export type FromScanHelper = readonly FileScan[];

/**
 * Files to read, newest first. If there is much to read, a helper thread reads some of them: each thread takes the
 * next file that no thread has taken. The helper's results arrive in messages, so this thread must yield to the
 * event loop.
 */
export class ReadQueue {
	readonly #onScans: (scans: FromScanHelper) => void;
	readonly #ended = Promise.withResolvers<boolean>();
	/** Its only number is the index of the next file that no thread has taken. */
	readonly #next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	#helper: Worker | undefined;
	#bytes = 0;
	#paths: readonly string[] = [];
	/** Number of first files that this thread reads alone; it has taken `#taken` of them. */
	#own = 0;
	#taken = 0;
	/** The helper's results until this thread has finished its own files. */
	#early: FileScan[] = [];

	/** `onScans` is called repeatedly, each time with what the helper has read since. */
	constructor(onScans: (scans: FromScanHelper) => void) {
		this.#onScans = onScans;
	}

	/**
	 * Announces a new file before all files are found: the helper is started as soon as it is worthwhile, so that its start
	 * does not delay the reading.
	 */
	expect(bytes: number): void {
		this.#bytes += bytes;
		if (!this.#helper && this.#bytes >= MIN_BYTES && availableParallelism() > 1) this.#helper = this.#start();
	}

	/** Starts with these files. If any were expected, all of them must be new. */
	begin(files: readonly { readonly path: string; readonly size: number }[]): void {
		this.#paths = files.map((file) => file.path);
		this.#own = this.#helper ? ownOf(files) : files.length;
		this.#next[0] = this.#own;
		if (this.#helper) this.#helper.postMessage({ paths: this.#paths, next: this.#next } satisfies ToScanHelper);
		else this.#ended.resolve(true);
	}

	/** The next file for this thread to read; undefined if all have been taken. */
	take(): string | undefined {
		if (this.#taken < this.#own) return this.#paths[this.#taken++];
		if (this.#early.length > 0) this.#onScans(this.#early.splice(0));
		return this.#paths[Atomics.add(this.#next, 0, 1)];
	}

	/** Resolves when the helper has posted everything that it read, or was stopped; with false if it failed. */
	ended(): Promise<boolean> {
		return this.#ended.promise;
	}

	/** Ends the helper, even in the middle of a file. */
	async stop(): Promise<void> {
		await this.#helper?.terminate();
	}

	#start(): Worker {
		// A small nursery saves memory, as for the scan worker.
		const helper = startThread(workerUrl("scan-helper"), "scan");
		helper.on("message", (scans: FromScanHelper) => {
			if (this.#taken < this.#own) for (const scan of scans) this.#early.push(scan);
			else this.#onScans(scans);
		});
		helper.on("error", () => this.#ended.resolve(false));
		helper.on("exit", () => this.#ended.resolve(true));
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
