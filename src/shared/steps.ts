/**
 * Long work in small steps: a generator that yields often, so that it can be run to its end at once, or one time slice at
 * a time (`TimeSlice`).
 */
export type Steps<Result> = Generator<void, Result, undefined>;

export const ENTRIES_PER_STEP = 256;

/** Runs all steps at once, for callers that may block their thread. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Length of a slice in milliseconds: half a frame, so that a key pressed meanwhile is still answered within one. */
export const MAX_BUSY_MS = 8;

/** Cuts long work into slices with a turn of the event loop between them, so that keys and messages get through. */
export class TimeSlice {
	readonly #signal: AbortSignal | undefined;
	#startedAt = performance.now();

	/** Aborting the signal ends work in these slices. */
	constructor(signal?: AbortSignal) {
		this.#signal = signal;
	}

	shouldYield(): boolean {
		return performance.now() - this.#startedAt >= MAX_BUSY_MS;
	}

	/** Lets the event loop turn once and begins a new slice; rejects with the signal's reason if it was aborted. */
	async yieldToEventLoop(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#signal?.throwIfAborted();
		this.#startedAt = performance.now();
	}

	/**
	 * Runs steps to their end, slice by slice. When this object's signal or the one given here is aborted, the steps are
	 * ended (their `finally` blocks run) and this rejects with the signal's reason.
	 */
	async run<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
		for (;;) {
			const step = steps.next();
			if (step.done) return step.value;
			if (!this.shouldYield()) continue;
			try {
				await this.yieldToEventLoop();
				signal?.throwIfAborted();
			} catch (error) {
				// The value only satisfies the types: the result of ended steps is never read.
				steps.return(undefined as Result);
				throw error;
			}
		}
	}
}

/** Characters in a batch, at least. */
const BATCH = 64_000;

/** Joins the pieces of a text into batches, a few milliseconds at a time: there may be any number of them. */
export async function* textBatches(pieces: Iterable<string>): AsyncGenerator<string> {
	const slice = new TimeSlice();
	let batch = "";
	for (const piece of pieces) {
		batch += piece;
		if (batch.length >= BATCH) {
			yield batch;
			batch = "";
		}
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	if (batch !== "") yield batch;
}

const CONCURRENCY = 8;

/** Maps in batches: a disk may be slow, and other work needs it too. */
export async function mapInTurn<In, Out>(all: readonly In[], map: (one: In) => Promise<Out>): Promise<Out[]> {
	const results: Out[] = [];
	for (let from = 0; from < all.length; from += CONCURRENCY) {
		results.push(...(await Promise.all(all.slice(from, from + CONCURRENCY).map(map))));
	}
	return results;
}
