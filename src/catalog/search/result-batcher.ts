import type { SearchEvent, SearchResult } from "./search.ts";

/** How long results wait for others, in milliseconds. */
const LEAST_WAIT_MS = 30;
/**
 * Results emitted before, for each millisecond that the next ones wait beyond that: the list puts all of them in order again
 * each time, which takes 1 µs for each of them, and keys must not wait behind it.
 */
const RESULTS_PER_MS = 200;
/** The first results wait only until they fill a screen. */
const SCREENFUL = 30;

/** Emits results in batches. */
export class ResultBatcher {
	readonly #emit: (event: SearchEvent) => void;
	#results = new Map<string, SearchResult>();
	#since = performance.now();
	/** Results emitted so far, each as often as it was. */
	#emitted = 0;
	#progress = "";

	constructor(emit: (event: SearchEvent) => void) {
		this.#emit = emit;
	}

	add(result: SearchResult): void {
		this.#results.set(result.path, result);
		const isScreenful = this.#emitted === 0 && this.#results.size >= SCREENFUL;
		const wait = Math.max(LEAST_WAIT_MS, this.#emitted / RESULTS_PER_MS);
		if (isScreenful || performance.now() - this.#since >= wait) this.flush();
	}

	flush(): void {
		this.#since = performance.now();
		if (this.#results.size === 0) return;
		this.#emitted += this.#results.size;
		this.#emit({ type: "results", results: [...this.#results.values()] });
		this.#results = new Map();
	}

	/** Emits the sessions that matched before they changed and no longer do. */
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

	settle(watched: number): void {
		this.flush();
		this.#emit({ type: "settled", watched });
	}

	fail(message: string): void {
		this.flush();
		this.#emit({ type: "error", message });
	}
}
