/**
 * Long work in small steps. A generator that yields now and then can be run to its end at once (the synchronous
 * `SessionManager`) or a few milliseconds at a time (the browser, whose screen must never wait).
 */
export type Steps<Result> = Generator<void, Result, undefined>;

/** The event loop gets its turn at least this often, in milliseconds. */
export const MAX_BUSY_MS = 8;

/** So many entries are handled between two looks at the clock. */
export const ENTRIES_PER_STEP = 256;

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Runs the steps and lets the event loop have its turn in between; rejects with the signal's reason when aborted. */
export async function runStepsPolitely<Result>(steps: Steps<Result>, breather: Breather): Promise<Result> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		if (breather.due()) await breather.breathe();
	}
}

/** Keeps the time since the event loop last had its turn. */
export class Breather {
	readonly #signal: AbortSignal | undefined;
	#since = performance.now();

	constructor(signal?: AbortSignal) {
		this.#signal = signal;
	}

	/** Whether it is time to `await breathe()`. */
	due(): boolean {
		return performance.now() - this.#since >= MAX_BUSY_MS;
	}

	/** Lets the event loop turn once; rejects when the signal was aborted. */
	async breathe(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#signal?.throwIfAborted();
		this.#since = performance.now();
	}
}
