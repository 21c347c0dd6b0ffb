import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import type { SessionRow } from "../model/row.ts";

/** Rows are emitted together, but none waits longer than this, in milliseconds. */
const MAX_WAIT_MS = 50;
/** Largest number of rows per event, so that the screen's thread never receives a long list at once. */
const MAX_ROWS = 500;
/** The first event is emitted with this many rows, which fill the first screen. */
const FIRST_ROWS = 40;

type ProblemPart = "roots" | "index" | "storing" | "files" | "changed" | "counting" | "watch";

export class EventBatcher {
	readonly #emit: (event: CatalogEvent) => void;
	readonly #problems = new Map<string, readonly CatalogProblem[]>();
	#rows: SessionRow[] = [];
	#since = 0;
	#limit = FIRST_ROWS;
	#progress = "";
	#emittedProblems = "";

	constructor(emit: (event: CatalogEvent) => void) {
		this.#emit = emit;
	}

	/** Adds a row; returns true if it is time to flush. */
	add(row: SessionRow, maxWaitMs = MAX_WAIT_MS): boolean {
		if (this.#rows.length === 0) this.#since = performance.now();
		this.#rows.push(row);
		return this.#rows.length >= this.#limit || performance.now() - this.#since >= maxWaitMs;
	}

	flush(): void {
		if (this.#rows.length === 0) return;
		this.#emit({ type: "rows", rows: this.#rows });
		this.#rows = [];
		this.#limit = MAX_ROWS;
	}

	/** Emits waiting rows first: a row must not follow the news that its file is gone. */
	gone(paths: readonly string[]): void {
		if (paths.length === 0) return;
		this.flush();
		this.#emit({ type: "gone", paths });
	}

	/** Equal numbers mean that all rows were emitted, so waiting rows go first. */
	progress(read: number, total: number): void {
		if (read === total) this.flush();
		const progress = `${read}/${total}`;
		if (progress === this.#progress) return;
		this.#progress = progress;
		this.#emit({ type: "progress", read, total });
	}

	/** Replaces the problems of one source. */
	problems(part: ProblemPart, problems: readonly CatalogProblem[]): void {
		this.#problems.set(part, problems);
		const all = [...this.#problems.values()].flat();
		const key = JSON.stringify(all);
		if (key === this.#emittedProblems || (all.length === 0 && this.#emittedProblems === "")) return;
		this.#emittedProblems = key;
		this.#emit({ type: "problems", problems: all });
	}
}
