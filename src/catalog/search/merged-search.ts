import type { SearchEvent } from "./search.ts";

type Progress = Extract<SearchEvent, { type: "progress" }>;

const PHASES: readonly Progress["phase"][] = ["first", "second", "done"];

/** Makes one search of the events of several threads, each of which searches its share of the sessions. */
export class MergedSearch {
	readonly #tell: (event: SearchEvent) => void;
	/** The last progress of each thread. */
	readonly #progress: (Progress | undefined)[];
	#failed = false;
	#told: Progress | undefined;

	constructor(threads: number, tell: (event: SearchEvent) => void) {
		this.#progress = new Array(threads).fill(undefined);
		this.#tell = tell;
	}

	/** Takes what a thread tells: results pass, a phase has ended when it has in all threads, an error is told once. */
	take(part: number, event: SearchEvent): void {
		if (event.type === "results") this.#tell(event);
		else if (event.type === "error") this.fail(event.message);
		else {
			this.#progress[part] = event;
			this.#tellProgress();
		}
	}

	fail(message: string): void {
		if (this.#failed) return;
		this.#failed = true;
		this.#tell({ type: "error", message });
	}

	#tellProgress(): void {
		const all = this.#progress.filter((progress) => progress !== undefined);
		if (all.length < this.#progress.length) return;
		const behind = all.reduce((a, b) => (PHASES.indexOf(b.phase) < PHASES.indexOf(a.phase) ? b : a));
		const searched = Math.min(...all.map((progress) => progress.searched));
		const total = Math.max(...all.map((progress) => progress.total));
		const told = this.#told;
		if (told?.phase === behind.phase && told.searched === searched && told.total === total) return;
		this.#told = { type: "progress", phase: behind.phase, searched, total };
		this.#tell(this.#told);
	}
}
