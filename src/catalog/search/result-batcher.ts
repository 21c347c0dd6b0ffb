import type { SearchEvent, SearchResult } from "./search.ts";

/** Results are collected for at least so long before they are emitted, in milliseconds. */
const LEAST_WAIT_MS = 30;
/** The longer a search takes, the longer is the wait: this part of the time since it began. */
const WAIT_PART = 1 / 4;
/** No longer than this, in milliseconds. Drawing a batch takes time from the search, and a list that never rests is hard to read. */
const LONGEST_PART_MS = 200;
/**
 * At least a millisecond for so many results emitted so far: the list sorts all of them again for each batch, which takes 1 µs per
 * result, and must not delay keys.
 */
const RESULTS_PER_MS = 200;
/** Results are emitted as soon as they fill a screen. */
const SCREENFUL = 30;

export class ResultBatcher {
	readonly #emit: (event: SearchEvent) => void;
	#results = new Map<string, SearchResult>();
	readonly #began = performance.now();
	#since = this.#began;
	/** Results emitted so far, repetitions included. */
	#emitted = 0;
	#progress = "";

	constructor(emit: (event: SearchEvent) => void) {
		this.#emit = emit;
	}

	add(result: SearchResult): void {
		this.#results.set(result.path, result);
		const isScreenful = this.#emitted < SCREENFUL && this.#emitted + this.#results.size >= SCREENFUL;
		const now = performance.now();
		const part = Math.min((now - this.#began) * WAIT_PART, LONGEST_PART_MS);
		const wait = Math.max(LEAST_WAIT_MS, part, this.#emitted / RESULTS_PER_MS);
		if (isScreenful || now - this.#since >= wait) this.flush();
	}

	flush(): void {
		this.#since = performance.now();
		if (this.#results.size === 0) return;
		this.#emitted += this.#results.size;
		this.#emit({ type: "results", results: [...this.#results.values()] });
		this.#results = new Map();
	}

	/** Emits the sessions that matched before a change and no longer do. */
	lose(paths: readonly string[]): void {
		if (paths.length === 0) return;
		for (const path of paths) this.#results.delete(path);
		this.#emit({ type: "lost", paths });
	}

	progress(searched: number, total: number): void {
		const progress = `${searched}/${total}`;
		if (progress === this.#progress) return;
		this.#progress = progress;
		this.#emit({ type: "progress", searched, total });
	}

	settle(watched: number, inForms: boolean): void {
		this.flush();
		this.#emit({ type: "settled", watched, inForms });
	}

	leaveOut(reasons: ReadonlyMap<string, string>): void {
		this.#emit({ type: "unread", reasons });
	}

	fail(message: string): void {
		this.flush();
		this.#emit({ type: "error", message });
	}
}
