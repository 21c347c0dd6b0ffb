import { TimeSlice } from "../../../shared/time-slice.ts";

/** Long work of which only what was asked for last is wanted: each run ends the one before. */
export class LatestWork {
	#current: AbortController | undefined;

	/**
	 * Runs work in slices of a few milliseconds, which end, as its signal says, when a later one begins. Resolves to its
	 * result, or then to undefined.
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

	/** Ends what runs. */
	close(): void {
		this.#current?.abort();
	}
}
