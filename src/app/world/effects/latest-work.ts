import { TimeSlice } from "../../../shared/time-slice.ts";

/** Long work of which only the latest run matters: each run ends the one before. */
export class LatestWork {
	#current: AbortController | undefined;

	/**
	 * Runs work in slices of a few milliseconds; its signal is aborted when a later run begins. Resolves to the result, or to
	 * undefined if a later run has begun.
	 */
	async run<Result>(work: (slice: TimeSlice, signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
		this.#current?.abort();
		const mine = new AbortController();
		this.#current = mine;
		try {
			return await work(new TimeSlice(mine.signal), mine.signal);
		} catch (error) {
			if (mine.signal.aborted) return undefined;
			throw error;
		}
	}

	/** Ends the current run. */
	close(): void {
		this.#current?.abort();
	}
}
