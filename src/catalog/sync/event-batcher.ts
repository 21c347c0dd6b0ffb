import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import type { SessionRow } from "../model/row.ts";

/** Rows are told together, but none is kept back for longer than this, in milliseconds. */
const MAX_WAIT_MS = 50;
/** So many rows are told at once, so that the screen's thread never has a long list to take over. */
const MAX_ROWS = 500;
/** The first rows are told at once: they fill the first screen. */
const FIRST_ROWS = 40;

/** Gathers what the scan has found and tells it in batches. */
export class EventBatcher {
	readonly #emit: (event: CatalogEvent) => void;
	readonly #problems = new Map<string, readonly CatalogProblem[]>();
	#rows: SessionRow[] = [];
	#since = 0;
	#limit = FIRST_ROWS;
	#progress = "";
	#emittedProblems = "";

	constructor(tell: (event: CatalogEvent) => void) {
		this.#emit = tell;
	}

	/** Takes a row; true when it is time to flush. */
	add(row: SessionRow): boolean {
		if (this.#rows.length === 0) this.#since = performance.now();
		this.#rows.push(row);
		return this.#rows.length >= this.#limit || performance.now() - this.#since >= MAX_WAIT_MS;
	}

	flush(): void {
		if (this.#rows.length === 0) return;
		this.#emit({ type: "rows", rows: this.#rows });
		this.#rows = [];
		this.#limit = MAX_ROWS;
	}

	gone(paths: readonly string[]): void {
		if (paths.length > 0) this.#emit({ type: "gone", paths });
	}

	progress(read: number, total: number): void {
		const progress = `${read}/${total}`;
		if (progress === this.#progress) return;
		this.#progress = progress;
		this.#emit({ type: "progress", read, total });
	}

	/** Replaces what one part of the catalog has to complain about. */
	problems(part: "roots" | "index" | "storing" | "files" | "watch", problems: readonly CatalogProblem[]): void {
		this.#problems.set(part, problems);
		const all = [...this.#problems.values()].flat();
		const key = JSON.stringify(all);
		if (key === this.#emittedProblems || (all.length === 0 && this.#emittedProblems === "")) return;
		this.#emittedProblems = key;
		this.#emit({ type: "problems", problems: all });
	}
}
